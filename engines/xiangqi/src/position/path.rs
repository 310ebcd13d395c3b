//! Repetitions as the search sees them: a position that came up after the root counts at its second
//! occurrence, since whoever could repeat once can repeat again; one from before the root at the
//! occurrence that the rules name.

use super::{Position, attacks};
use agon_protocol::Outcome;
use agon_protocol::xiangqi::{Repetition, XiangqiMove, cycle_outcome};

impl Position {
    /// The outcome of the game for having come here again, `ply` plies below the root.
    #[inline]
    pub fn repeated(&self, ply: usize) -> Option<Outcome> {
        if self.quiet < 4 {
            return None;
        }
        let reach = usize::from(self.quiet).min(self.path.len());
        let mut needed = usize::from(self.rules.occurrences).saturating_sub(1).max(1);
        let mut back = 4;
        while back <= reach {
            if self.path[self.path.len() - back].key == self.key {
                needed -= 1;
                if needed == 0 || back < ply {
                    return Some(self.verdict(back));
                }
            }
            back += 2;
        }
        None
    }

    /// Whether the limit of plies without a capture is reached. Mate comes first; that is for the
    /// caller.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.rules.draw_plies != 0 && self.quiet >= self.rules.draw_plies
    }

    /// What the last `length` plies, which have led back to where they began, mean.
    #[cold]
    fn verdict(&self, length: usize) -> Outcome {
        if self.rules.repetition == Repetition::Draw {
            return Outcome::Draw;
        }
        let first = self.path.len() - length;
        let mut checks = [true; 2];
        for i in first..self.path.len() {
            let check = self.path.get(i + 1).map_or(self.in_check, |step| step.was_in_check);
            // The last move was the opponent's.
            checks[self.side ^ ((self.path.len() - i) % 2)] &= check;
        }
        match checks {
            [true, true] => Outcome::Draw,
            [true, false] => Outcome::Win(attacks::player(1)),
            [false, true] => Outcome::Win(attacks::player(0)),
            _ if self.rules.repetition == Repetition::Asian => self.judge_chases(first),
            _ => Outcome::Draw,
        }
    }

    /// Neither side has checked all the time: the rules say who chased.
    fn judge_chases(&self, first: usize) -> Outcome {
        let cycle: Vec<XiangqiMove> =
            self.path[first..].iter().map(|step| step.m.for_rules()).collect();
        let mut board = self.board();
        for m in cycle.iter().rev() {
            board.make_move(XiangqiMove { from: m.to, to: m.from });
        }
        cycle_outcome(&board, attacks::player(self.side), &cycle, self.rules.repetition)
    }
}
