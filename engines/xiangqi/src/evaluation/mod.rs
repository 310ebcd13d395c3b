//! The tournament evaluation: a sum of counted terms, each with a weight for the middle game and
//! one for the endgame, mixed by the attacking material that is left.
//!
//! What stands where is a table that [`Position`] keeps up to date; [`terms`] counts the rest. The
//! same function counts for playing and for fitting, so that what is fitted is what plays.

mod guess;
mod layout;
mod sum;
mod terms;
#[cfg(test)]
mod tests;
mod weights;

pub use guess::guess;
pub use layout::{Group, TERMS};
pub use terms::{every_term, terms};
pub use weights::WEIGHTS;

use crate::position::{Position, split};
use agon_protocol::xiangqi::{Kind, SQUARES};
use layout::place;

/// A middle-game and an endgame value in one word: the sum of pairs is the pair of sums, and a
/// multiple of a pair is the pair of multiples.
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

/// The phase with everything on the board.
pub const PHASES: i32 = 32;

/// What a piece adds to the phase: a rook 4, a horse or cannon 2.
#[inline]
pub const fn phase_of(piece: usize) -> u8 {
    [0, 0, 0, 0, 4, 2, 2, 0, 0, 0, 0, 4, 2, 2, 0, 0][piece & 15]
}

const PAIRS: [Pair; TERMS] = {
    let mut table = [0; TERMS];
    let mut i = 0;
    while i < TERMS {
        table[i] = pair(WEIGHTS[i].0 as i32, WEIGHTS[i].1 as i32);
        i += 1;
    }
    table
};

/// The value of each piece on each square, for Red.
pub static PLACES: [[Pair; SQUARES]; 14] = {
    let mut table = [[0; SQUARES]; 14];
    let mut i = 0;
    while i < 14 * SQUARES {
        let (piece, s) = (i / SQUARES, i % SQUARES);
        let w = WEIGHTS[place(piece, s)];
        let v = WEIGHTS[Group::Value.first() + piece % 7];
        let value = pair(w.0 as i32 + v.0 as i32, w.1 as i32 + v.1 as i32);
        table[piece][s] = if piece < 7 { value } else { -value };
        i += 1;
    }
    table
};

/// Static values stay below this in size.
pub const LARGEST: i32 = 20_000;

/// The value of a position for the side to move, in hundredths of a pawn before the river.
pub fn evaluate(position: &Position) -> i32 {
    let sum = position.places() + sum::side(position, 0) - sum::side(position, 1);
    let phase = position.phase().min(PHASES);
    let mixed = (middle(sum) * phase + end(sum) * (PHASES - phase)) / PHASES;
    let scaled = mixed * scale(position, usize::from(mixed < 0)) / FULL;
    let value = if position.side() == 0 { scaled } else { -scaled };
    (value + tempo(phase)).clamp(-LARGEST, LARGEST)
}

/// What the right to move is worth.
#[inline]
fn tempo(phase: i32) -> i32 {
    const TEMPO: Pair = PAIRS[Group::Tempo.first()];
    (middle(TEMPO) * phase + end(TEMPO) * (PHASES - phase)) / PHASES
}

/// The value of a position that a pass has led to, from that of the position before; none where that says
/// too little.
#[inline]
pub fn after_pass(position: &Position, before: i32) -> Option<i32> {
    let tempo = tempo(position.phase().min(PHASES));
    (before.abs() < LARGEST).then(|| (2 * tempo - before).clamp(-LARGEST, LARGEST))
}

const FULL: i32 = 16;

/// How much of an advantage counts, in sixteenths: without pieces that cross the river nobody
/// wins, and a lone horse or cannon seldom does.
#[inline]
pub fn scale(position: &Position, ahead: usize) -> i32 {
    let number = |kind| position.count(ahead, kind);
    if number(Kind::Rook) != 0 {
        return FULL;
    }
    let light = number(Kind::Horse) + number(Kind::Cannon);
    let pawns = number(Kind::Pawn);
    match (light, pawns) {
        (0, 0) => 0,
        (0, 1) | (1, 0) => 5,
        (0, 2) | (1, 1) => 12,
        _ => FULL,
    }
}

/// The piece's kind, for tables by kind.
#[inline]
fn kind_of(piece: usize) -> usize {
    split(piece).map_or(0, |p| p.1.index())
}
