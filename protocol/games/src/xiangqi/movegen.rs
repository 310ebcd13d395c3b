//! Legal move generation. A position that is not in check is analysed once: the squares that would
//! become a screen for an enemy cannon, and the pieces pinned on a line or a horse's leg before the
//! king. All other moves are then legal without a test and can be counted as sets.

use super::Board;
use super::piece::Kind;
use super::square::{BOARD, Square, Squares, XiangqiMove};
use super::tables::{self, Ray};
use crate::game::Player;
use arrayvec::ArrayVec;
use std::ops::ControlFlow;

/// Upper bound on pins: three per ray (one by a rook, two by a cannon) and one per horse.
const MOST_PINS: usize = 4 * 3 + 2;

/// The restrictions on the moves of the side to move.
#[derive(Debug, Default)]
pub struct Restraints {
    /// The king is in check. The other fields are then incomplete.
    pub check: bool,
    /// Empty squares that no piece may enter: a screen there would let a cannon give check.
    pub closed: u128,
    /// Pieces that may only move to squares allowed by all of their pins.
    pub pinned: u128,
    pins: ArrayVec<(u128, u128), MOST_PINS>,
}

impl Restraints {
    /// Computes the restraints of the side to move, `us`.
    #[inline]
    pub fn new(board: &Board, us: Player) -> Restraints {
        let mut r = Restraints::default();
        r.find(board, us);
        r
    }

    /// Written in place, as it is large.
    fn find(&mut self, board: &Board, us: Player) {
        let (them, king, occupied) = (us.opponent(), board.king(us).index(), board.occupied());
        self.check = board.pieces(them, Kind::Pawn) & tables::pawns_back(them, king) != 0;
        let horses = board.pieces(them, Kind::Horse) & tables::horse_pattern(king);
        for horse in Squares(horses) {
            let leg = tables::horse_leg(horse.index(), king);
            if leg & occupied == 0 {
                self.check = true;
            } else {
                self.pin(board, us, leg, horse.bit());
            }
        }
        let straight = board.side(them) & (board.kind(Kind::Rook) | board.kind(Kind::King));
        let cannons = board.pieces(them, Kind::Cannon);
        if (straight | cannons) & tables::LINES[king] != 0 {
            for direction in 0..4 {
                self.ray(board, us, Ray::new(direction, king), straight, cannons);
            }
        }
    }

    fn ray(&mut self, board: &Board, us: Player, ray: Ray, straight: u128, cannons: u128) {
        if (straight | cannons) & ray.squares() == 0 {
            return;
        }
        let pieces = board.occupied() & ray.squares();
        let first = ray.nearest(pieces);
        let second = ray.nearest(pieces ^ first);
        let third = ray.nearest(pieces ^ first ^ second);
        self.check |= first & straight != 0 || second & cannons != 0;
        if first & cannons != 0 {
            self.closed |= ray.before(first);
        }
        if second & straight != 0 {
            self.pin(board, us, first, ray.before(second) | second);
        }
        if third & cannons != 0 {
            // Two pieces block the line, and neither may move to the other's square.
            let line = ray.before(third) | third;
            self.pin(board, us, first, line & !second);
            self.pin(board, us, second, line & !first);
        }
    }

    fn pin(&mut self, board: &Board, us: Player, piece: u128, allowed: u128) {
        if piece & board.side(us) != 0 {
            self.pinned |= piece;
            self.pins.push((piece, allowed));
        }
    }

    /// The squares that the piece on `square` may enter without exposing its king.
    #[inline]
    pub fn allowed(&self, square: u128) -> u128 {
        if self.pinned & square == 0 {
            return !self.closed;
        }
        let pins = self.pins.iter().filter(|p| p.0 == square);
        pins.fold(!self.closed, |allowed, p| allowed & p.1)
    }

    /// The squares that a piece may enter, and whether each such move must still be tested by [`leaves_king_safe`].
    #[inline(always)]
    fn targets(&self, board: &Board, us: Player, kind: Kind, from: Square) -> (u128, bool) {
        let targets = board.destinations(us, kind, from.index()) & !board.side(us);
        if self.check || kind == Kind::King {
            return (targets, true);
        }
        (targets & self.allowed(from.bit()), false)
    }
}

/// Whether `m`, a pseudo-legal move of `us`, leaves the king unattacked.
pub fn leaves_king_safe(board: &Board, us: Player, m: XiangqiMove) -> bool {
    let king = board.king(us);
    let king = if king == m.from { m.to } else { king };
    let occupied = board.occupied() & !m.from.bit() | m.to.bit();
    !board.attacked(us.opponent(), king.index(), occupied, m.to.bit())
}

/// Whether `m` is a legal move of `us`.
pub fn is_legal(board: &Board, us: Player, m: XiangqiMove) -> bool {
    match board.piece_at(m.from).split() {
        Some((side, kind)) if side == us => {
            board.destinations(us, kind, m.from.index()) & !board.side(us) & m.to.bit() != 0
                && leaves_king_safe(board, us, m)
        }
        _ => false,
    }
}

/// Visits the legal moves of `us`: kinds in a fixed order, then squares in ascending order.
pub fn visit<B>(
    board: &Board,
    us: Player,
    visit: &mut impl FnMut(XiangqiMove) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_sets(board, us, &Restraints::new(board, us), board.side(us), |from, targets, test| {
        for to in Squares(targets) {
            let m = XiangqiMove { from, to };
            if !test || leaves_king_safe(board, us, m) {
                visit(m)?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// Visits some pieces of `us` with the squares that each may enter, and whether each such move must still be tested by
/// [`leaves_king_safe`].
#[inline(always)]
fn visit_sets<B>(
    board: &Board,
    us: Player,
    restraints: &Restraints,
    pieces: u128,
    mut visit: impl FnMut(Square, u128, bool) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for kind in VISITING_ORDER {
        for from in Squares(pieces & board.kind(kind)) {
            let (targets, test) = restraints.targets(board, us, kind, from);
            visit(from, targets, test)?;
        }
    }
    ControlFlow::Continue(())
}

/// The squares of the pieces of `us` that have a legal move.
pub fn origins(board: &Board, us: Player) -> u128 {
    let restraints = Restraints::new(board, us);
    let (mut set, mut rest) = (0, board.side(us));
    if !restraints.check {
        // Most rooks and cannons can go to a neighbouring square, and pawns are seen all at once.
        let open = BOARD & !(rest | restraints.closed);
        let free = rest & !restraints.pinned;
        let pawns = free & board.kind(Kind::Pawn);
        set = tables::pawns_that_step(us, pawns, open)
            | free & board.kind(Kind::Rook) & tables::straight(open)
            | free & board.kind(Kind::Cannon) & tables::straight(open & !board.occupied());
        rest &= !(set | pawns);
    }
    let _ = visit_sets::<()>(board, us, &restraints, rest, |from, targets, test| {
        let is_legal = |to| leaves_king_safe(board, us, XiangqiMove { from, to });
        if targets != 0 && (!test || Squares(targets).any(is_legal)) {
            set |= from.bit();
        }
        ControlFlow::Continue(())
    });
    set
}

/// The squares that the piece on `from`, one of `us`, may legally move to.
pub fn targets(board: &Board, us: Player, from: Square) -> u128 {
    let Some(kind) = board.piece_at(from).kind() else { return 0 };
    let (targets, test) = Restraints::new(board, us).targets(board, us, kind, from);
    let is_legal = |to: &Square| leaves_king_safe(board, us, XiangqiMove { from, to: *to });
    if test { Squares(targets).filter(is_legal).fold(0, |set, to| set | to.bit()) } else { targets }
}

/// Strong pieces first: the rules need no order, but searches without better move ordering then
/// start with the most important moves.
const VISITING_ORDER: [Kind; 7] =
    [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn, Kind::Elephant, Kind::Advisor, Kind::King];

/// The number of legal moves of `us`, counted as sets unless a move must be tested.
pub fn count(board: &Board, us: Player) -> u64 {
    let restraints = Restraints::new(board, us);
    if restraints.check {
        return count_one_by_one(board, us);
    }
    let own = board.side(us);
    let open = !(own | restraints.closed);
    let free_pawns = board.pieces(us, Kind::Pawn) & !restraints.pinned;
    let steps = tables::pawn_steps(us, free_pawns);
    let mut total: u32 = steps.into_iter().map(|step| (step & open).count_ones()).sum();
    for kind in [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Elephant, Kind::Advisor] {
        for from in Squares(own & board.kind(kind) & !restraints.pinned) {
            total += (board.destinations(us, kind, from.index()) & open).count_ones();
        }
    }
    for from in Squares(restraints.pinned) {
        if let Some(kind) = board.piece_at(from).kind() {
            let targets = board.destinations(us, kind, from.index()) & !own;
            total += (targets & restraints.allowed(from.bit())).count_ones();
        }
    }
    let king = board.king(us);
    let steps = Squares(tables::king(king.index()) & !own);
    let safe = steps.filter(|&to| leaves_king_safe(board, us, XiangqiMove { from: king, to }));
    u64::from(total) + safe.count() as u64
}

fn count_one_by_one(board: &Board, us: Player) -> u64 {
    let mut n = 0;
    let _ = visit::<()>(board, us, &mut |_| {
        n += 1;
        ControlFlow::Continue(())
    });
    n
}

/// Whether `us` has a legal move. A forward pawn step off the king's lines is enough in almost
/// every position that is not in check.
#[inline]
pub fn can_move(board: &Board, us: Player) -> bool {
    let king = board.king(us).index();
    let kings_business = tables::LINES[king] | tables::horse_legs(king);
    let pawns = board.pieces(us, Kind::Pawn) & !kings_business;
    let [ahead, ..] = tables::pawn_steps(us, pawns);
    if ahead & !(kings_business | board.side(us)) != 0 && !board.in_check(us) {
        return true;
    }
    visit(board, us, &mut |_| ControlFlow::Break(())).is_break()
}
