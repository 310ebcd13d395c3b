//! Tapered weights, and the piece-square tables summed incrementally by the position.

use super::layout::{Group, TERMS, psqt_index};
use super::weights::WEIGHTS;
use agon_protocol::xiangqi::SQUARES;

/// A middlegame and an endgame value packed in one word: addition and multiplication by a scalar
/// work on both halves.
pub type Pair = i32;

/// Makes a pair.
pub const fn pair(middle: i32, end: i32) -> Pair {
    (end << 16) + middle
}

/// The middle-game half.
pub const fn middle(pair: Pair) -> i32 {
    pair as i16 as i32
}

/// The endgame half.
pub const fn end(pair: Pair) -> i32 {
    ((pair + 0x8000) >> 16) as i16 as i32
}

/// The phase with all pieces on the board.
pub const PHASES: i32 = 32;

/// The contribution of a piece to the phase: a rook 4, a horse or cannon 2.
#[inline]
pub const fn phase_of(piece: usize) -> u8 {
    [0, 0, 0, 0, 4, 2, 2, 0, 0, 0, 0, 4, 2, 2, 0, 0][piece & 15]
}

/// All weights as pairs.
pub(super) const PAIRS: [Pair; TERMS] = {
    let mut table = [0; TERMS];
    let mut i = 0;
    while i < TERMS {
        table[i] = pair(WEIGHTS[i].0 as i32, WEIGHTS[i].1 as i32);
        i += 1;
    }
    table
};

/// The value of each piece on each square for Red, material included.
pub static PSQT: [[Pair; SQUARES]; 14] = {
    let mut table = [[0; SQUARES]; 14];
    let mut i = 0;
    while i < 14 * SQUARES {
        let (piece, s) = (i / SQUARES, i % SQUARES);
        let w = WEIGHTS[psqt_index(piece, s)];
        let v = WEIGHTS[Group::Value.first() + piece % 7];
        let value = pair(w.0 as i32 + v.0 as i32, w.1 as i32 + v.1 as i32);
        table[piece][s] = if piece < 7 { value } else { -value };
        i += 1;
    }
    table
};
