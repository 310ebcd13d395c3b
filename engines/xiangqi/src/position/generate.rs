//! Pseudo-legal moves: whether the king is safe afterwards is asked of each one that gets its turn. A king in
//! check is shown only those that may help.

use super::attacks::{self, each_of_few, player};
use super::sight::{Aim, checks};
use super::{Cover, EMPTY, Move, Position};
use agon_protocol::xiangqi::{Kind, tables};
use arrayvec::ArrayVec;

/// No position has more moves: two rooks and two cannons of 17, two horses of 8, five pawns of 3,
/// two elephants and two advisors of 4, a king of 4 and its look at the other king make 120.
pub const MOST_MOVES: usize = 120;

/// The moves of a position, or some of them.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

/// One piece and where it may go: bits, and the squares that they stand for.
#[derive(Clone, Copy)]
struct Reach {
    piece: usize,
    from: usize,
    bits: u64,
    squares: &'static [u8; 64],
}

/// Who can go where. First this is made, then one loop goes over all of it: that is less code than a loop a
/// kind, and the code of the search does not fit into the processor's first cache as it is.
struct Reaches(ArrayVec<Reach, 32>);

/// Squares by themselves: from one on, they are what bits from that square on stand for.
static THEMSELVES: [u8; 160] = {
    let mut table = [0; 160];
    let mut s = 0;
    while s < 160 {
        table[s] = s as u8;
        s += 1;
    }
    table
};

/// No leap is farther: an elephant's, two ranks and two files.
const FARTHEST: usize = 20;

impl Reaches {
    #[inline]
    fn new() -> Reaches {
        Reaches(ArrayVec::new())
    }

    /// A piece may go to each of 64 squares from `first` on whose bit is set.
    #[inline]
    fn push_from(&mut self, piece: usize, from: usize, first: usize, bits: u64) {
        if bits != 0
            && let Some(squares) = THEMSELVES.get(first..).and_then(<[u8]>::first_chunk)
        {
            let _ = self.0.try_push(Reach { piece, from, bits, squares });
        }
    }

    /// A piece that is neither rook nor cannon may go to some squares.
    #[inline]
    fn push_leap(&mut self, piece: usize, from: usize, targets: u128) {
        if targets == 0 {
            return;
        }
        let first = from.saturating_sub(FARTHEST);
        self.push_from(piece, from, first, (targets >> first) as u64);
    }

    /// A piece may go to squares of the rank it stands on, bits being files, and of its file, bits being ranks.
    #[inline]
    fn push_lines(&mut self, piece: usize, from: usize, across: u16, along: u16) {
        let bits = u64::from(across) | u64::from(along) << 16;
        if bits != 0 {
            let squares = attacks::line_squares(from);
            let _ = self.0.try_push(Reach { piece, from, bits, squares });
        }
    }

    /// Leaves out moves that cannot help a king in check.
    #[inline(never)]
    fn keep_helpful(&mut self, cover: &Cover) {
        let targets = cover.targets();
        for reach in &mut self.0 {
            if cover.may_leave(reach.from) {
                continue;
            }
            let mut left = std::mem::take(&mut reach.bits);
            while left != 0 {
                let to = usize::from(reach.squares[left.trailing_zeros() as usize & 63]);
                let bit = left & left.wrapping_neg();
                reach.bits |= if targets & attacks::bit(to) != 0 { bit } else { 0 };
                left ^= bit;
            }
        }
    }

    /// Leaves out the moves of some pieces that do not give check.
    fn keep_checks(&mut self, position: &Position, doubtful: impl Fn(usize) -> bool) {
        for reach in &mut self.0 {
            let mut left = if doubtful(reach.piece) { reach.bits } else { 0 };
            while left != 0 {
                let to = reach.squares[left.trailing_zeros() as usize & 63];
                if !position.gives_check(Move::new(reach.from, usize::from(to))) {
                    reach.bits &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }

    /// A piece may go to some squares.
    #[inline]
    fn push(&mut self, piece: usize, from: usize, targets: u128) {
        self.push_from(piece, from, 0, targets as u64);
        self.push_from(piece, from, 64, (targets >> 64) as u64);
    }

    #[inline]
    fn each(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for &Reach { piece, from, mut bits, squares } in &self.0 {
            while bits != 0 {
                visit(piece, from, usize::from(squares[bits.trailing_zeros() as usize & 63]));
                bits &= bits - 1;
            }
        }
    }
}

/// Which moves that capture nothing are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiets {
    /// All.
    All,
    /// Those with which the moving piece itself gives check.
    Checking,
    /// Those that give check, uncovered checks among them.
    WithCheck,
}

impl Position {
    /// Calls `visit` with piece, from and to of each capture, in no particular order. In check, those that
    /// cannot help may be left out.
    #[inline]
    pub fn each_capture(&self, cover: Option<&Cover>, visit: impl FnMut(usize, usize, usize)) {
        let mut reaches = Reaches::new();
        self.reach_all(&mut reaches, true);
        if let Some(cover) = cover {
            reaches.keep_helpful(cover);
        }
        reaches.each(visit);
    }

    /// Calls `visit` with piece, from and to of moves that capture nothing. In check, those that cannot help
    /// may be left out.
    #[inline]
    pub fn each_quiet(
        &self,
        which: Quiets,
        cover: Option<&Cover>,
        visit: impl FnMut(usize, usize, usize),
    ) {
        let mut reaches = Reaches::new();
        match which {
            Quiets::All => self.reach_all(&mut reaches, false),
            Quiets::Checking => self.reach_checks(&mut reaches),
            Quiets::WithCheck => self.reach_with_check(&mut reaches),
        }
        if let Some(cover) = cover {
            reaches.keep_helpful(cover);
        }
        reaches.each(visit);
    }

    /// All captures or all other moves.
    #[inline(never)]
    fn reach_all(&self, reaches: &mut Reaches, captures: bool) {
        let (side, them) = (self.side, self.side ^ 1);
        let (occupied, theirs, player) = (self.occupied(), self.pieces(them), player(side));
        let grid = &self.grid;
        let rooks = self.sets[7 * side + Kind::Rook.index()];
        let cannons = self.sets[7 * side + Kind::Cannon.index()];
        if captures {
            self.add_slides(reaches, rooks, |from| {
                let x = grid.across(from).slide & grid.rank_of(them, attacks::rank(from));
                (x, grid.along(from).slide & grid.file_of(them, attacks::file(from)))
            });
            self.add_slides(reaches, cannons, |from| {
                let x = grid.across(from).jump & grid.rank_of(them, attacks::rank(from));
                (x, grid.along(from).jump & grid.file_of(them, attacks::file(from)))
            });
        } else {
            for pieces in [rooks, cannons] {
                self.add_slides(reaches, pieces, |from| {
                    let x = grid.across(from).slide & !grid.rank(attacks::rank(from));
                    (x, grid.along(from).slide & !grid.file(attacks::file(from)))
                });
            }
        }
        let wanted = if captures { theirs } else { !occupied };
        self.add_leaps(reaches, Kind::Horse, wanted, |s| tables::horse(s, occupied));
        // Pawns seldom have something before them, and guards hardly ever an intruder beside them.
        if !captures || tables::pawns(player, self.set(side, Kind::Pawn)) & theirs != 0 {
            self.add_leaps(reaches, Kind::Pawn, wanted, |s| attacks::pawn(side, s));
        }
        if !captures || theirs & Kind::Elephant.domain(player) != 0 {
            self.add_leaps(reaches, Kind::Elephant, wanted, |s| tables::elephant(s, occupied));
        }
        if !captures || theirs & Kind::King.domain(player) != 0 {
            self.add_leaps(reaches, Kind::Advisor, wanted, tables::advisor);
            self.add_leaps(reaches, Kind::King, wanted, tables::king);
        }
    }

    /// Where rooks or cannons go on their rank and their file.
    #[inline]
    fn add_slides(&self, reaches: &mut Reaches, pieces: u128, lines: impl Fn(usize) -> (u16, u16)) {
        each_of_few(pieces, |from| {
            let (across, along) = lines(from);
            reaches.push_lines(self.on(from), from, across, along);
        });
    }

    /// Which pieces of a kind, neither rooks nor cannons, can go to some wanted squares.
    #[inline]
    fn add_leaps(
        &self,
        reaches: &mut Reaches,
        kind: Kind,
        wanted: u128,
        reach: impl Fn(usize) -> u128,
    ) {
        let piece = 7 * self.side + kind.index();
        each_of_few(self.sets[piece], |from| reaches.push_leap(piece, from, reach(from) & wanted));
    }

    /// Moves with which the moving piece itself gives check.
    #[inline(never)]
    fn reach_checks(&self, reaches: &mut Reaches) {
        let checks = checks(self);
        let (side, occupied) = (self.side, self.occupied());
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn] {
            let piece = 7 * side + kind.index();
            let wanted = checks[kind.index()] & !occupied;
            each_of_few(self.sets[piece], |from| {
                let reach = match kind {
                    Kind::Rook | Kind::Cannon => self.grid.straight(from).0,
                    Kind::Horse => tables::horse(from, occupied),
                    _ => attacks::pawn(side, from),
                };
                reaches.push(piece, from, reach & wanted);
            });
        }
        reaches.keep_checks(self, |piece| piece % 7 == Kind::Cannon.index());
    }

    /// Moves that give check, uncovered checks among them.
    #[inline(never)]
    fn reach_with_check(&self, reaches: &mut Reaches) {
        let aim = Aim::of(self);
        let (side, occupied) = (self.side, self.occupied());
        for kind in [
            Kind::Rook,
            Kind::Cannon,
            Kind::Horse,
            Kind::Pawn,
            Kind::Elephant,
            Kind::Advisor,
            Kind::King,
        ] {
            let piece = 7 * side + kind.index();
            if !aim.concerns(kind, self.sets[piece]) {
                continue;
            }
            each_of_few(self.sets[piece], |from| {
                let reach = match kind {
                    Kind::Rook | Kind::Cannon => self.grid.straight(from).0,
                    _ => attacks::step(side, kind, from, occupied),
                };
                reaches.push(piece, from, reach & !occupied & aim.may_check(kind, from));
            });
        }
        reaches.keep_checks(self, |_| true);
    }

    /// How many pseudo-legal moves capture nothing.
    pub fn quiet_number(&self, cover: Option<&Cover>) -> usize {
        let mut number = 0;
        self.each_quiet(Quiets::All, cover, |_, _, _| number += 1);
        number
    }

    /// Appends the captures, in no particular order.
    pub fn captures(&self, list: &mut MoveList) {
        self.each_capture(None, |_, from, to| push(list, from, to));
    }

    /// Appends the moves that capture nothing.
    pub fn quiets(&self, list: &mut MoveList) {
        self.each_quiet(Quiets::All, None, |_, from, to| push(list, from, to));
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
