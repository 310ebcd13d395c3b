//! Making and unmaking moves and null moves, with all incrementally updated state; and repetition
//! inside the search tree. A position that first occurred below the root counts at its second
//! occurrence, because a side that can repeat once can repeat again. A position from before the root
//! counts at the occurrence that the rules specify.

use super::attacks;
use super::board::{EMPTY, Position, SIDE_KEY, UndoState, key_of};
use super::moves::Move;
use agon_games::Outcome;
use agon_games::xiangqi::{Repetition, XiangqiMove, cycle_outcome};

/// All ones for the pieces in the structure key: advisors, elephants and pawns.
static STRUCTURE: [u64; 14] = {
    let mut masks = [0; 14];
    let mut kind = 1;
    while kind <= 3 {
        masks[kind] = u64::MAX;
        masks[7 + kind] = u64::MAX;
        kind += 1;
    }
    masks
};

impl Position {
    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, s: usize, piece: usize) {
        self.squares[s & 127] = piece as u8;
        let side = usize::from(piece >= 7);
        self.pieces[piece] ^= attacks::bit(s);
        self.sides[side] ^= attacks::bit(s);
        self.lines.toggle(s, side);
        let key = key_of(piece, s);
        self.key ^= key;
        self.structure_key ^= key & STRUCTURE[piece];
        self.piece_count += 1;
        self.counts[piece] += 1;
    }

    /// Makes a pseudo-legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.play_with_check(m, false);
        self.in_check = self.attacked(self.side);
    }

    /// Makes a pseudo-legal move; the caller knows whether it gives check.
    #[inline]
    pub fn play_with_check(&mut self, m: Move, check: bool) {
        let (from, to) = (m.from(), m.to());
        let piece = self.piece_at(from);
        let captured = self.piece_at(to);
        self.save(m, piece, captured);
        let keys = key_of(piece, from) ^ key_of(piece, to);
        let mut key = self.key ^ SIDE_KEY ^ keys;
        let mut structure_key = self.structure_key ^ keys & STRUCTURE[piece];
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        if captured < EMPTY {
            let taken = key_of(captured, to);
            key ^= taken;
            structure_key ^= taken & STRUCTURE[captured];
            self.pieces[captured] ^= attacks::bit(to);
            self.sides[self.side ^ 1] ^= attacks::bit(to);
            self.lines.toggle(to, self.side ^ 1);
            self.piece_count -= 1;
            self.counts[captured] -= 1;
            self.quiet_plies = 0;
        }
        self.shift(piece, from, to);
        self.squares[from] = EMPTY as u8;
        self.squares[to] = piece as u8;
        (self.key, self.structure_key) = (key, structure_key);
        self.side ^= 1;
        self.in_check = check;
    }

    /// Unmakes the last move.
    #[inline]
    pub fn undo(&mut self) {
        let Some(step) = self.past.pop() else { return };
        let (from, to) = (step.m.from(), step.m.to());
        let captured = usize::from(step.captured);
        self.side ^= 1;
        let piece = self.piece_at(to);
        self.shift(piece, from, to);
        self.squares[from] = piece as u8;
        self.squares[to] = captured as u8;
        if captured < EMPTY {
            self.pieces[captured] ^= attacks::bit(to);
            self.sides[self.side ^ 1] ^= attacks::bit(to);
            self.lines.toggle(to, self.side ^ 1);
            self.piece_count += 1;
            self.counts[captured] += 1;
        }
        self.restore(&step);
    }

    /// Makes a null move; the side to move must not be in check.
    pub fn play_null_move(&mut self) {
        self.save(Move::NONE, EMPTY, EMPTY);
        // A position from before a null move cannot be repeated.
        self.quiet_plies = 0;
        self.side ^= 1;
        self.key ^= SIDE_KEY;
        self.in_check = self.attacked(self.side);
    }

    /// Unmakes a null move.
    pub fn undo_null_move(&mut self) {
        let Some(step) = self.past.pop() else { return };
        self.side ^= 1;
        self.restore(&step);
    }

    /// The key of the position after a pseudo-legal move.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let piece = self.piece_at(from);
        self.key
            ^ SIDE_KEY
            ^ key_of(piece, from)
            ^ key_of(piece, to)
            ^ key_of(self.piece_at(to), to)
    }

    /// The key of the position after a null move.
    #[inline]
    pub fn key_after_null_move(&self) -> u64 {
        self.key ^ SIDE_KEY
    }

    /// Moves a piece of the side to move, or moves it back, in the bitboards and lines.
    #[inline]
    fn shift(&mut self, piece: usize, from: usize, to: usize) {
        let both = attacks::bit(from) | attacks::bit(to);
        self.pieces[piece] ^= both;
        self.sides[self.side] ^= both;
        self.lines.toggle(from, self.side);
        self.lines.toggle(to, self.side);
    }

    #[inline]
    fn save(&mut self, m: Move, piece: usize, captured: usize) {
        self.past.push(UndoState {
            key: self.key,
            structure_key: self.structure_key,
            quiet_plies: self.quiet_plies,
            m,
            piece: piece as u8,
            captured: captured as u8,
            was_in_check: self.in_check,
        });
    }

    #[inline]
    fn restore(&mut self, step: &UndoState) {
        self.key = step.key;
        self.structure_key = step.structure_key;
        self.quiet_plies = step.quiet_plies;
        self.in_check = step.was_in_check;
    }
}

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
