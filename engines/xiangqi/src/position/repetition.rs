//! Repetition inside the search tree. A position that first occurred below the root counts at its
//! second occurrence, because a side that can repeat once can repeat again. A position from before
//! the root counts at the occurrence that the rules specify.

use super::attacks;
use super::board::Position;
use agon_protocol::Outcome;
use agon_protocol::xiangqi::{Repetition, XiangqiMove, cycle_outcome};

impl Position {
    /// The outcome of a repetition `ply` plies below the root; `None` if there is none yet.
    #[inline]
    pub fn repetition_outcome(&self, ply: usize) -> Option<Outcome> {
        if self.quiet_plies < 4 {
            return None;
        }
        let reach = usize::from(self.quiet_plies).min(self.past.len());
        let mut needed = usize::from(self.rules.occurrences).saturating_sub(1).max(1);
        let mut back = 4;
        while back <= reach {
            if self.past[self.past.len() - back].key == self.key {
                needed -= 1;
                if needed == 0 || back < ply {
                    return Some(self.cycle_outcome(back));
                }
            }
            back += 2;
        }
        None
    }

    /// The outcome of a cycle: the last `length` plies, which returned to the position before them.
    #[cold]
    fn cycle_outcome(&self, length: usize) -> Outcome {
        if self.rules.repetition == Repetition::Draw {
            return Outcome::Draw;
        }
        let first = self.past.len() - length;
        let mut checks = [true; 2];
        for i in first..self.past.len() {
            let check = self.past.get(i + 1).map_or(self.in_check, |step| step.was_in_check);
            // The opponent made the last move.
            checks[self.side ^ ((self.past.len() - i) % 2)] &= check;
        }
        match checks {
            [true, true] => Outcome::Draw,
            [true, false] => Outcome::Win(attacks::player(1)),
            [false, true] => Outcome::Win(attacks::player(0)),
            _ if self.rules.repetition == Repetition::Asian => self.judge_chases(first),
            _ => Outcome::Draw,
        }
    }

    /// The outcome of a cycle in which neither side checked at every move.
    fn judge_chases(&self, first: usize) -> Outcome {
        let cycle: Vec<XiangqiMove> =
            self.past[first..].iter().map(|step| step.m.to_rules()).collect();
        let mut board = self.board();
        for m in cycle.iter().rev() {
            board.make_move(XiangqiMove { from: m.to, to: m.from });
        }
        cycle_outcome(&board, attacks::player(self.side), &cycle, self.rules.repetition)
    }
}
