//! Attacks of the pieces that step or leap, and loops over sets of squares.

use agon_games::Player;
use agon_games::xiangqi::{Kind, SQUARES, tables};

/// The squares that a piece of a kind other than rook and cannon attacks, excluding a king's
/// capture of a facing king.
#[inline]
pub fn step(side: usize, kind: Kind, s: usize, occupied: u128) -> u128 {
    match kind {
        Kind::King => tables::king(s),
        Kind::Advisor => tables::advisor(s),
        Kind::Elephant => tables::elephant(s, occupied),
        Kind::Pawn => PAWNS[side & 1][s],
        _ => tables::horse(s, occupied),
    }
}

/// The squares to which a side's pawn on a square steps.
#[inline]
pub fn pawn(side: usize, s: usize) -> u128 {
    PAWNS[side & 1][s]
}

/// The squares from which a side's pawns attack a square.
#[inline]
pub fn pawn_origins(side: usize, s: usize) -> u128 {
    PAWN_ORIGINS[side & 1][s]
}

static PAWNS: [[u128; SQUARES]; 2] = pawn_table(false);
/// See [`pawn_origins`].
pub static PAWN_ORIGINS: [[u128; SQUARES]; 2] = pawn_table(true);

const fn pawn_table(origins: bool) -> [[u128; SQUARES]; 2] {
    let mut table = [[0u128; SQUARES]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (side, s) = (i / SQUARES, i % SQUARES);
        let (f, r) = (s % 9, s / 9);
        let crossed = if side == 0 { r >= 5 } else { r <= 4 };
        let ahead = if side == 0 { s + 9 } else { s.wrapping_sub(9) };
        let targets = [
            ahead,
            if crossed && f > 0 { s - 1 } else { SQUARES },
            if crossed && f < 8 { s + 1 } else { SQUARES },
        ];
        let mut t = 0;
        while t < 3 {
            if targets[t] < SQUARES {
                let (from, to) = if origins { (targets[t], s) } else { (s, targets[t]) };
                table[side][from] |= 1 << to;
            }
            t += 1;
        }
        i += 1;
    }
    table
}

/// Calls `visit` with each square of a set.
#[inline]
pub fn for_each(set: u128, mut visit: impl FnMut(usize)) {
    let mut low = set as u64;
    while low != 0 {
        visit(low.trailing_zeros() as usize);
        low &= low - 1;
    }
    let mut high = (set >> 64) as u64;
    while high != 0 {
        visit(64 + high.trailing_zeros() as usize);
        high &= high - 1;
    }
}

/// The same for sets of one or two squares; inlines `visit` only once.
#[inline]
pub fn for_each_of_few(mut set: u128, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// A square as a set.
#[inline]
pub fn bit(s: usize) -> u128 {
    BITS[s & 127]
}

/// A table, because shifting 128 bits takes about six instructions.
static BITS: [u128; 128] = {
    let mut table = [0; 128];
    let mut s = 0;
    while s < 128 {
        table[s] = 1 << s;
        s += 1;
    }
    table
};

/// The player with an index.
#[inline]
pub fn player(side: usize) -> Player {
    if side == 0 { Player::First } else { Player::Second }
}
