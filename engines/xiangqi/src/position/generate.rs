//! Pseudo-legal moves: whether the king is safe afterwards is asked of each one that gets its turn.

use super::attacks::{self, each, each_bit};
use super::{EMPTY, Move, Position};
use agon_protocol::xiangqi::{Kind, tables};
use arrayvec::ArrayVec;

/// No position has more moves: two rooks and two cannons of 17, two horses of 8, five pawns of 3,
/// two elephants and two advisors of 4, a king of 4 and its look at the other king make 120.
pub const MOST_MOVES: usize = 120;

/// The moves of a position, or some of them.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

const LEAPERS: [Kind; 5] = [Kind::Horse, Kind::Pawn, Kind::Elephant, Kind::Advisor, Kind::King];

impl Position {
    /// Appends the captures, in no particular order.
    pub fn captures(&self, list: &mut MoveList) {
        let (side, occupied) = (self.side, self.occupied());
        let theirs = self.pieces(side ^ 1);
        for (kind, cannon) in [(Kind::Rook, false), (Kind::Cannon, true)] {
            each(self.set(side, kind), |from| {
                let (across, along) = (self.grid.across(from), self.grid.along(from));
                let (file, rank) = (attacks::file(from), attacks::rank(from));
                let (x, y) = if cannon {
                    (across.jump, along.jump)
                } else {
                    (across.slide & self.grid.rank(rank), along.slide & self.grid.file(file))
                };
                let mut try_square = |to: usize| {
                    if theirs >> to & 1 == 1 {
                        push(list, from, to);
                    }
                };
                each_bit(x, |f| try_square(9 * rank + f));
                each_bit(y, |r| try_square(9 * r + file));
            });
        }
        for kind in LEAPERS {
            each(self.set(side, kind), |from| {
                each(attacks::step(side, kind, from, occupied) & theirs, |to| push(list, from, to));
            });
        }
    }

    /// Appends the moves that capture nothing.
    pub fn quiets(&self, list: &mut MoveList) {
        let (side, occupied) = (self.side, self.occupied());
        for kind in [Kind::Rook, Kind::Cannon] {
            each(self.set(side, kind), |from| {
                let (file, rank) = (attacks::file(from), attacks::rank(from));
                let x = self.grid.across(from).slide & !self.grid.rank(rank);
                let y = self.grid.along(from).slide & !self.grid.file(file);
                each_bit(x, |f| push(list, from, 9 * rank + f));
                each_bit(y, |r| push(list, from, 9 * r + file));
            });
        }
        for kind in LEAPERS {
            each(self.set(side, kind), |from| {
                each(attacks::step(side, kind, from, occupied) & !occupied, |to| {
                    push(list, from, to);
                });
            });
        }
    }

    /// Appends the moves that capture nothing and with which the moving piece itself gives check.
    pub fn quiet_checks(&self, list: &mut MoveList) {
        let (side, occupied) = (self.side, self.occupied());
        let king = self.king(side ^ 1);
        let (slide, _) = self.grid.straight(king);
        let rooks = slide & !occupied;
        let cannons = self.grid.over(king);
        let horses = tables::horse_back(king, occupied) & !occupied;
        let pawns = attacks::pawns_back(side, king) & !occupied;
        each(self.set(side, Kind::Rook), |from| {
            each(self.grid.straight(from).0 & rooks, |to| push(list, from, to));
        });
        each(self.set(side, Kind::Cannon), |from| {
            // A cannon on the king's line may be the screen itself.
            let on_line = tables::LINES[king] >> from & 1 == 1;
            each(self.grid.straight(from).0 & cannons, |to| {
                if !on_line || self.gives_check(Move::new(from, to)) {
                    push(list, from, to);
                }
            });
        });
        for (kind, wanted) in [(Kind::Horse, horses), (Kind::Pawn, pawns)] {
            each(self.set(side, kind), |from| {
                each(attacks::step(side, kind, from, occupied) & wanted, |to| push(list, from, to));
            });
        }
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
