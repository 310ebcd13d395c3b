//! Generation of pseudo-legal moves. A move's legality is tested just before it is made; in check,
//! moves that cannot evade it are omitted here.

use super::attacks::{self, for_each_of_few, player};
use super::board::Position;
use super::check_squares::{CheckSquares, direct_check_squares};
use super::evasions::Evasions;
use super::lines::{file, line_squares, rank};
use super::moves::{Move, MoveList};
use agon_games::xiangqi::{Kind, tables};
use arrayvec::ArrayVec;

/// One piece and its targets, as bits, with the squares that the bits represent.
#[derive(Clone, Copy)]
struct PieceTargets {
    piece: usize,
    from: usize,
    bits: u64,
    squares: &'static [u8; 64],
}

/// The targets of all pieces. It is filled first, then one loop processes all of it: that needs
/// less code than one loop per kind, and the search's code already exceeds the L1 cache.
struct TargetList(ArrayVec<PieceTargets, 32>);

/// Each square at its own index: from index `s` on, the squares of bits that begin at `s`.
static SQUARE_NUMBERS: [u8; 160] = {
    let mut table = [0; 160];
    let mut s = 0;
    while s < 160 {
        table[s] = s as u8;
        s += 1;
    }
    table
};

/// The farthest leap, an elephant's: two ranks and two files.
const FARTHEST_LEAP: usize = 20;

impl TargetList {
    #[inline]
    fn new() -> TargetList {
        TargetList(ArrayVec::new())
    }

    /// Adds targets as bits, the lowest of which is the square `first`.
    #[inline]
    fn push_from(&mut self, piece: usize, from: usize, first: usize, bits: u64) {
        if bits != 0
            && let Some(squares) = SQUARE_NUMBERS.get(first..).and_then(<[u8]>::first_chunk)
        {
            let _ = self.0.try_push(PieceTargets { piece, from, bits, squares });
        }
    }

    /// Adds the targets of a piece that is neither rook nor cannon.
    #[inline]
    fn push_leap(&mut self, piece: usize, from: usize, targets: u128) {
        if targets == 0 {
            return;
        }
        let first = from.saturating_sub(FARTHEST_LEAP);
        self.push_from(piece, from, first, (targets >> first) as u64);
    }

    /// Adds targets on the rank of `from`, as bits for files, and on its file, as bits for ranks.
    #[inline]
    fn push_lines(&mut self, piece: usize, from: usize, along_rank: u16, along_file: u16) {
        let bits = u64::from(along_rank) | u64::from(along_file) << 16;
        if bits != 0 {
            let squares = line_squares(from);
            let _ = self.0.try_push(PieceTargets { piece, from, bits, squares });
        }
    }

    /// Adds targets of any piece.
    #[inline]
    fn push(&mut self, piece: usize, from: usize, targets: u128) {
        self.push_from(piece, from, 0, targets as u64);
        self.push_from(piece, from, 64, (targets >> 64) as u64);
    }

    /// Removes moves that cannot evade check.
    #[inline(never)]
    fn keep_evasions(&mut self, evasions: &Evasions) {
        let squares = evasions.targets();
        for targets in &mut self.0 {
            if evasions.may_leave(targets.from) {
                continue;
            }
            let mut left = std::mem::take(&mut targets.bits);
            while left != 0 {
                let to = usize::from(targets.squares[left.trailing_zeros() as usize & 63]);
                let bit = left & left.wrapping_neg();
                targets.bits |= if squares & attacks::bit(to) != 0 { bit } else { 0 };
                left ^= bit;
            }
        }
    }

    /// Removes moves that do not give check, of the pieces for which `doubtful` is true.
    fn keep_checks(&mut self, position: &Position, doubtful: impl Fn(usize) -> bool) {
        for targets in &mut self.0 {
            let mut left = if doubtful(targets.piece) { targets.bits } else { 0 };
            while left != 0 {
                let to = targets.squares[left.trailing_zeros() as usize & 63];
                if !position.gives_check(Move::new(targets.from, usize::from(to))) {
                    targets.bits &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }

    #[inline]
    fn for_each(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for &PieceTargets { piece, from, mut bits, squares } in &self.0 {
            while bits != 0 {
                visit(piece, from, usize::from(squares[bits.trailing_zeros() as usize & 63]));
                bits &= bits - 1;
            }
        }
    }
}

/// Selects the quiet moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiets {
    /// All.
    All,
    /// Those in which the moving piece itself gives check.
    DirectChecks,
    /// Those that give check, discovered checks included.
    Checks,
}

impl Position {
    /// Calls `visit` with piece, from and to of each capture, in no particular order. In check,
    /// captures that do not evade it may be omitted.
    #[inline]
    pub fn each_capture(
        &self,
        evasions: Option<&Evasions>,
        visit: impl FnMut(usize, usize, usize),
    ) {
        let mut list = TargetList::new();
        self.add_all(&mut list, true);
        if let Some(evasions) = evasions {
            list.keep_evasions(evasions);
        }
        list.for_each(visit);
    }

    /// Calls `visit` with piece, from and to of quiet moves. In check, moves that do not evade it
    /// may be omitted.
    #[inline]
    pub fn each_quiet(
        &self,
        which: Quiets,
        evasions: Option<&Evasions>,
        visit: impl FnMut(usize, usize, usize),
    ) {
        let mut list = TargetList::new();
        match which {
            Quiets::All => self.add_all(&mut list, false),
            Quiets::DirectChecks => self.add_direct_checks(&mut list),
            Quiets::Checks => self.add_checks(&mut list),
        }
        if let Some(evasions) = evasions {
            list.keep_evasions(evasions);
        }
        list.for_each(visit);
    }

    /// Adds all captures or all quiet moves.
    #[inline(never)]
    fn add_all(&self, list: &mut TargetList, captures: bool) {
        let (side, them) = (self.side, self.side ^ 1);
        let (occupied, theirs, player) = (self.occupied(), self.side_pieces(them), player(side));
        let lines = &self.lines;
        let rooks = self.pieces[7 * side + Kind::Rook.index()];
        let cannons = self.pieces[7 * side + Kind::Cannon.index()];
        if captures {
            self.add_slides(list, rooks, |from| {
                let x = lines.along_rank(from).slide & lines.rank_of_side(them, rank(from));
                (x, lines.along_file(from).slide & lines.file_of_side(them, file(from)))
            });
            self.add_slides(list, cannons, |from| {
                let x = lines.along_rank(from).cannon_captures;
                let y = lines.along_file(from).cannon_captures;
                let x = x & lines.rank_of_side(them, rank(from));
                (x, y & lines.file_of_side(them, file(from)))
            });
        } else {
            for pieces in [rooks, cannons] {
                self.add_slides(list, pieces, |from| {
                    let x = lines.along_rank(from).slide & !lines.rank(rank(from));
                    (x, lines.along_file(from).slide & !lines.file(file(from)))
                });
            }
        }
        let wanted = if captures { theirs } else { !occupied };
        self.add_leaps(list, Kind::Horse, wanted, |s| tables::horse(s, occupied));
        // Pawns seldom have an enemy in front, and guards almost never one beside them.
        if !captures || tables::pawns(player, self.pieces(side, Kind::Pawn)) & theirs != 0 {
            self.add_leaps(list, Kind::Pawn, wanted, |s| attacks::pawn(side, s));
        }
        if !captures || theirs & Kind::Elephant.domain(player) != 0 {
            self.add_leaps(list, Kind::Elephant, wanted, |s| tables::elephant(s, occupied));
        }
        if !captures || theirs & Kind::King.domain(player) != 0 {
            self.add_leaps(list, Kind::Advisor, wanted, tables::advisor);
            self.add_leaps(list, Kind::King, wanted, tables::king);
        }
    }

    /// Adds the targets of rooks or cannons on their rank and their file.
    #[inline]
    fn add_slides(&self, list: &mut TargetList, pieces: u128, lines: impl Fn(usize) -> (u16, u16)) {
        for_each_of_few(pieces, |from| {
            let (along_rank, along_file) = lines(from);
            list.push_lines(self.piece_at(from), from, along_rank, along_file);
        });
    }

    /// Adds the targets, within `wanted`, of a kind that is neither rook nor cannon.
    #[inline]
    fn add_leaps(
        &self,
        list: &mut TargetList,
        kind: Kind,
        wanted: u128,
        attacks: impl Fn(usize) -> u128,
    ) {
        let piece = 7 * self.side + kind.index();
        for_each_of_few(self.pieces[piece], |from| {
            list.push_leap(piece, from, attacks(from) & wanted)
        });
    }

    /// Adds quiet moves with which the moving piece itself gives check.
    #[inline(never)]
    fn add_direct_checks(&self, list: &mut TargetList) {
        let checks = direct_check_squares(self);
        let (side, occupied) = (self.side, self.occupied());
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn] {
            let piece = 7 * side + kind.index();
            let wanted = checks[kind.index()] & !occupied;
            for_each_of_few(self.pieces[piece], |from| {
                let targets = match kind {
                    Kind::Rook | Kind::Cannon => self.lines.rook_and_cannon(from).0,
                    Kind::Horse => tables::horse(from, occupied),
                    _ => attacks::pawn(side, from),
                };
                list.push(piece, from, targets & wanted);
            });
        }
        list.keep_checks(self, |piece| piece % 7 == Kind::Cannon.index());
    }

    /// Adds quiet moves that give check, discovered checks included.
    #[inline(never)]
    fn add_checks(&self, list: &mut TargetList) {
        let checks = CheckSquares::of(self);
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
            if !checks.may_give_check(kind, self.pieces[piece]) {
                continue;
            }
            for_each_of_few(self.pieces[piece], |from| {
                let targets = match kind {
                    Kind::Rook | Kind::Cannon => self.lines.rook_and_cannon(from).0,
                    _ => attacks::step(side, kind, from, occupied),
                };
                list.push(piece, from, targets & !occupied & checks.targets(kind, from));
            });
        }
        list.keep_checks(self, |_| true);
    }

    /// The number of pseudo-legal quiet moves.
    pub fn count_quiets(&self, evasions: Option<&Evasions>) -> usize {
        let mut count = 0;
        self.each_quiet(Quiets::All, evasions, |_, _, _| count += 1);
        count
    }

    /// Appends the captures, in no particular order.
    pub fn captures(&self, list: &mut MoveList) {
        self.each_capture(None, |_, from, to| push(list, from, to));
    }

    /// Appends the quiet moves.
    pub fn quiets(&self, list: &mut MoveList) {
        self.each_quiet(Quiets::All, None, |_, from, to| push(list, from, to));
    }

    /// All legal moves: captures, then quiet moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.captures(&mut list);
        self.quiets(&mut list);
        list.retain(|m| self.is_safe(*m));
        list
    }
}

#[inline]
fn push(list: &mut MoveList, from: usize, to: usize) {
    // The list has room for all moves of any position.
    let _ = list.try_push(Move::new(from, to));
}
