//! Pseudo-legal moves: whether the king is safe afterwards is asked of each one that gets its turn.

use super::attacks::{self, each, each_of_few, each_on_lines, player};
use super::{Aim, EMPTY, Move, Position};
use agon_protocol::xiangqi::{Kind, tables};
use arrayvec::ArrayVec;

/// No position has more moves: two rooks and two cannons of 17, two horses of 8, five pawns of 3,
/// two elephants and two advisors of 4, a king of 4 and its look at the other king make 120.
pub const MOST_MOVES: usize = 120;

/// The moves of a position, or some of them.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

/// Piece, square and targets of what is neither rook nor cannon; the targets as bits from a first square on.
/// First who can go where, then one loop over all of it: that is less code than a loop a kind, and faster.
type Leaps = ArrayVec<(usize, usize, usize, u64), 16>;
/// No leap is farther: an elephant's, two ranks and two files.
const FARTHEST: usize = 20;

#[inline]
fn each_leap(leaps: &Leaps, mut visit: impl FnMut(usize, usize, usize)) {
    for &(piece, from, first, mut targets) in leaps {
        while targets != 0 {
            visit(piece, from, first + targets.trailing_zeros() as usize);
            targets &= targets - 1;
        }
    }
}

impl Position {
    /// Calls `visit` with piece, from and to of each capture, in no particular order.
    #[inline]
    pub fn each_capture(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let (side, them) = (self.side, self.side ^ 1);
        for (kind, cannon) in [(Kind::Rook, false), (Kind::Cannon, true)] {
            let piece = 7 * side + kind.index();
            each_of_few(self.sets[piece], |from| {
                let (across, along) = (self.grid.across(from), self.grid.along(from));
                let (file, rank) = (attacks::file(from), attacks::rank(from));
                let (x, y) =
                    if cannon { (across.jump, along.jump) } else { (across.slide, along.slide) };
                let (x, y) = (x & self.grid.rank_of(them, rank), y & self.grid.file_of(them, file));
                each_on_lines(from, x, y, |to| visit(piece, from, to));
            });
        }
        let (occupied, theirs, player) = (self.occupied(), self.pieces(them), player(side));
        let mut leaps = Leaps::new();
        let mut leap = |kind: Kind, reach: &dyn Fn(usize) -> u128| {
            self.add_leaps(&mut leaps, kind, theirs, reach);
        };
        leap(Kind::Horse, &|s| tables::horse(s, occupied));
        // Pawns seldom have something before them, and guards hardly ever an intruder beside them.
        if tables::pawns(player, self.set(side, Kind::Pawn)) & theirs != 0 {
            leap(Kind::Pawn, &|s| attacks::pawn(side, s));
        }
        if theirs & Kind::Elephant.domain(player) != 0 {
            leap(Kind::Elephant, &|s| tables::elephant(s, occupied));
        }
        if theirs & Kind::King.domain(player) != 0 {
            leap(Kind::Advisor, &|s| tables::advisor(s));
            leap(Kind::King, &|s| tables::king(s));
        }
        each_leap(&leaps, visit);
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
                each_on_lines(from, x, y, |to| visit(piece, from, to));
            });
        }
        let mut leaps = Leaps::new();
        let mut leap = |kind: Kind, reach: &dyn Fn(usize) -> u128| {
            self.add_leaps(&mut leaps, kind, !occupied, reach);
        };
        leap(Kind::Horse, &|s| tables::horse(s, occupied));
        leap(Kind::Pawn, &|s| attacks::pawn(side, s));
        leap(Kind::Elephant, &|s| tables::elephant(s, occupied));
        leap(Kind::Advisor, &|s| tables::advisor(s));
        leap(Kind::King, &|s| tables::king(s));
        each_leap(&leaps, visit);
    }

    /// Which pieces of a kind can go to some wanted squares.
    #[inline]
    fn add_leaps(
        &self,
        leaps: &mut Leaps,
        kind: Kind,
        wanted: u128,
        reach: impl Fn(usize) -> u128,
    ) {
        let piece = 7 * self.side + kind.index();
        each(self.sets[piece], |from| {
            let targets = reach(from) & wanted;
            if targets != 0 {
                let first = from.saturating_sub(FARTHEST);
                let _ = leaps.try_push((piece, from, first, (targets >> first) as u64));
            }
        });
    }

    /// Calls `visit` with piece, from and to of each move that captures nothing and with which the
    /// moving piece itself gives check.
    #[inline]
    pub fn each_quiet_check(&self, aim: &Aim, mut visit: impl FnMut(usize, usize, usize)) {
        let (side, empty) = (self.side, !self.occupied());
        let rooks = aim.checks(Kind::Rook) & empty;
        let cannons = aim.checks(Kind::Cannon) & empty;
        let horses = aim.checks(Kind::Horse) & empty;
        let pawns = aim.checks(Kind::Pawn) & empty;
        let rook = 7 * side + Kind::Rook.index();
        each(self.sets[rook], |from| {
            each(self.grid.straight(from).0 & rooks, |to| visit(rook, from, to));
        });
        let cannon = 7 * side + Kind::Cannon.index();
        each(self.sets[cannon], |from| {
            each(self.grid.straight(from).0 & cannons, |to| {
                if self.gives_check(Move::new(from, to)) {
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
    /// checks among them.
    #[inline]
    pub fn each_quiet_with_check(&self, aim: &Aim, mut visit: impl FnMut(usize, usize, usize)) {
        let occupied = self.occupied();
        let mut kind = |kind: Kind, reach: &dyn Fn(usize) -> u128| {
            let piece = 7 * self.side + kind.index();
            if !aim.concerns(kind, self.sets[piece]) {
                return;
            }
            each_of_few(self.sets[piece], |from| {
                each_of_few(reach(from) & !occupied & aim.may_check(kind, from), |to| {
                    if self.gives_check(Move::new(from, to)) {
                        visit(piece, from, to);
                    }
                });
            });
        };
        kind(Kind::Rook, &|s| self.grid.straight(s).0);
        kind(Kind::Cannon, &|s| self.grid.straight(s).0);
        kind(Kind::Horse, &|s| tables::horse(s, occupied));
        kind(Kind::Pawn, &|s| attacks::pawn(self.side, s));
        kind(Kind::Elephant, &|s| tables::elephant(s, occupied));
        kind(Kind::Advisor, &tables::advisor);
        kind(Kind::King, &tables::king);
    }

    /// How many pseudo-legal moves capture nothing.
    pub fn quiet_number(&self) -> usize {
        let mut number = 0;
        self.each_quiet(|_, _, _| number += 1);
        number
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
