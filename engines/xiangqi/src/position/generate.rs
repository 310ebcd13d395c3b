//! Pseudo-legal moves: whether the king is safe afterwards is asked of each one that gets its turn.

use super::attacks::{self, each, each_bit};
use super::{EMPTY, Move, Position, Sight};
use agon_protocol::xiangqi::{Kind, tables};
use arrayvec::ArrayVec;

/// No position has more moves: two rooks and two cannons of 17, two horses of 8, five pawns of 3,
/// two elephants and two advisors of 4, a king of 4 and its look at the other king make 120.
pub const MOST_MOVES: usize = 120;

/// The moves of a position, or some of them.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

impl Position {
    /// Calls `visit` with piece, from and to of each capture, in no particular order.
    #[inline]
    pub fn each_capture(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let (side, occupied) = (self.side, self.occupied());
        let theirs = self.pieces(side ^ 1);
        for (kind, cannon) in [(Kind::Rook, false), (Kind::Cannon, true)] {
            let piece = 7 * side + kind.index();
            each(self.sets[piece], |from| {
                let (across, along) = (self.grid.across(from), self.grid.along(from));
                let (file, rank) = (attacks::file(from), attacks::rank(from));
                let (x, y) = if cannon {
                    (across.jump, along.jump)
                } else {
                    (across.slide & self.grid.rank(rank), along.slide & self.grid.file(file))
                };
                let mut try_square = |to: usize| {
                    if theirs >> to & 1 == 1 {
                        visit(piece, from, to);
                    }
                };
                each_bit(x, |f| try_square(9 * rank + f));
                each_bit(y, |r| try_square(9 * r + file));
            });
        }
        self.each_leap(occupied, theirs, visit);
    }

    /// Calls `visit` with piece, from and to of each move that captures nothing.
    #[inline]
    pub fn each_quiet(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let (side, occupied) = (self.side, self.occupied());
        for kind in [Kind::Rook, Kind::Cannon] {
            let piece = 7 * side + kind.index();
            each(self.sets[piece], |from| {
                let (file, rank) = (attacks::file(from), attacks::rank(from));
                let x = self.grid.across(from).slide & !self.grid.rank(rank);
                let y = self.grid.along(from).slide & !self.grid.file(file);
                each_bit(x, |f| visit(piece, from, 9 * rank + f));
                each_bit(y, |r| visit(piece, from, 9 * r + file));
            });
        }
        self.each_leap(occupied, !occupied, visit);
    }

    /// The moves of horses, pawns, elephants, advisors and the king to some squares.
    #[inline]
    fn each_leap(&self, occupied: u128, wanted: u128, mut visit: impl FnMut(usize, usize, usize)) {
        // First who can go where, then one loop over all of it: that is less code than a loop a
        // kind, and faster.
        let mut leaps: ArrayVec<(usize, usize, u128), 16> = ArrayVec::new();
        let mut leap = |kind: Kind, reach: &dyn Fn(usize) -> u128| {
            let piece = 7 * self.side + kind.index();
            each(self.sets[piece], |from| {
                let targets = reach(from) & wanted;
                if targets != 0 {
                    let _ = leaps.try_push((piece, from, targets));
                }
            });
        };
        leap(Kind::Horse, &|s| tables::horse(s, occupied));
        leap(Kind::Pawn, &|s| attacks::pawn(self.side, s));
        leap(Kind::Elephant, &|s| tables::elephant(s, occupied));
        leap(Kind::Advisor, &|s| tables::advisor(s));
        leap(Kind::King, &|s| tables::king(s));
        for (piece, from, targets) in leaps {
            each(targets, |to| visit(piece, from, to));
        }
    }

    /// Calls `visit` with piece, from and to of each move that captures nothing and with which the
    /// moving piece itself gives check.
    #[inline]
    pub fn each_quiet_check(&self, sight: &Sight, mut visit: impl FnMut(usize, usize, usize)) {
        let (side, empty) = (self.side, !self.occupied());
        let rooks = sight.checks(Kind::Rook) & empty;
        let cannons = sight.checks(Kind::Cannon) & empty;
        let horses = sight.checks(Kind::Horse) & empty;
        let pawns = sight.checks(Kind::Pawn) & empty;
        let rook = 7 * side + Kind::Rook.index();
        each(self.sets[rook], |from| {
            each(self.grid.straight(from).0 & rooks, |to| visit(rook, from, to));
        });
        let cannon = 7 * side + Kind::Cannon.index();
        each(self.sets[cannon], |from| {
            each(self.grid.straight(from).0 & cannons, |to| {
                if sight.gives_check(self, Move::new(from, to)) {
                    visit(cannon, from, to);
                }
            });
        });
        for (kind, wanted) in [(Kind::Horse, horses), (Kind::Pawn, pawns)] {
            let piece = 7 * side + kind.index();
            each(self.sets[piece], |from| {
                let reach = attacks::step(side, kind, from, !empty) & wanted;
                each(reach, |to| visit(piece, from, to));
            });
        }
    }

    /// Calls `visit` with piece, from and to of each move that captures nothing and gives check, uncovered
    /// checks among them. Returns how many moves capture nothing.
    #[inline]
    pub fn each_quiet_with_check(
        &self,
        sight: &Sight,
        mut visit: impl FnMut(usize, usize, usize),
    ) -> usize {
        let (side, occupied) = (self.side, self.occupied());
        let mut number = 0;
        let mut kind = |kind: Kind, reach: &dyn Fn(usize) -> u128| {
            let piece = 7 * side + kind.index();
            each(self.sets[piece], |from| {
                let quiet = reach(from) & !occupied;
                number += (quiet as u64).count_ones() + ((quiet >> 64) as u64).count_ones();
                each(quiet & sight.may_check(self, from), |to| {
                    if sight.gives_check(self, Move::new(from, to)) {
                        visit(piece, from, to);
                    }
                });
            });
        };
        kind(Kind::Rook, &|s| self.grid.straight(s).0);
        kind(Kind::Cannon, &|s| self.grid.straight(s).0);
        kind(Kind::Horse, &|s| tables::horse(s, occupied));
        kind(Kind::Pawn, &|s| attacks::pawn(side, s));
        kind(Kind::Elephant, &|s| tables::elephant(s, occupied));
        kind(Kind::Advisor, &tables::advisor);
        kind(Kind::King, &tables::king);
        number as usize
    }

    /// Appends the captures, in no particular order.
    pub fn captures(&self, list: &mut MoveList) {
        self.each_capture(|_, from, to| push(list, from, to));
    }

    /// Appends the moves that capture nothing.
    pub fn quiets(&self, list: &mut MoveList) {
        self.each_quiet(|_, from, to| push(list, from, to));
    }

    /// All legal moves: captures, then the others.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.captures(&mut list);
        self.quiets(&mut list);
        list.retain(|m| self.is_safe(*m));
        list
    }

    /// The kind of what a move takes.
    #[inline]
    pub fn victim(&self, m: Move) -> Option<Kind> {
        let piece = self.on(m.to());
        if piece < EMPTY { super::split(piece).map(|p| p.1) } else { None }
    }
}

#[inline]
fn push(list: &mut MoveList, from: usize, to: usize) {
    // The list has room for every move that any position has.
    let _ = list.try_push(Move::new(from, to));
}
