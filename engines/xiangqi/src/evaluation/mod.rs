//! The evaluation of `best` and `mcts`: a sum of counted terms, each with a middlegame and an
//! endgame weight, tapered by the remaining attacking material.
//!
//! [`Position`] updates the piece-square sum incrementally. `sum` computes all other terms for
//! playing; [`terms`] counts the same terms for fitting, and a test ensures that both agree. The
//! reference searches `pvs` and `alphabeta` use the simple evaluation of [`crate::reference_eval`].

mod guess;
mod layout;
pub mod psqt;
mod sum;
mod terms;
#[cfg(test)]
mod tests;
mod weights;

pub use guess::guess;
pub use layout::{Group, TERMS};
pub use psqt::PHASES;
pub use terms::{every_term, terms};
pub use weights::WEIGHTS;

use crate::position::Position;
use agon_protocol::xiangqi::Kind;
use psqt::{PAIRS, Pair, end, middle};

/// Static evaluations are clamped to plus or minus this.
pub const EVAL_LIMIT: i32 = 20_000;

/// The static evaluation for the side to move, in centipawns (a pawn before the river is 100).
pub fn evaluate(position: &Position) -> i32 {
    let sum = position.psqt() + sum::side(position, 0) - sum::side(position, 1);
    let phase = position.phase().min(PHASES);
    let mixed = (middle(sum) * phase + end(sum) * (PHASES - phase)) / PHASES;
    let scaled = mixed * scale(position, usize::from(mixed < 0)) / FULL_SCALE;
    let value = if position.side() == 0 { scaled } else { -scaled };
    (value + tempo(phase)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// The tempo bonus.
#[inline]
fn tempo(phase: i32) -> i32 {
    const TEMPO: Pair = PAIRS[Group::Tempo.first()];
    (middle(TEMPO) * phase + end(TEMPO) * (PHASES - phase)) / PHASES
}

/// The static evaluation after a null move, given that of the position before; `None` if the latter
/// was clamped at [`EVAL_LIMIT`].
#[inline]
pub fn after_null_move(position: &Position, before: i32) -> Option<i32> {
    let tempo = tempo(position.phase().min(PHASES));
    (before.abs() < EVAL_LIMIT).then(|| (2 * tempo - before).clamp(-EVAL_LIMIT, EVAL_LIMIT))
}

const FULL_SCALE: i32 = 16;

/// The scale factor of an advantage, in sixteenths: without pieces that cross the river nobody
/// wins, and a lone horse or cannon seldom does.
#[inline]
pub fn scale(position: &Position, ahead: usize) -> i32 {
    let count = |kind| position.count(ahead, kind);
    if count(Kind::Rook) != 0 {
        return FULL_SCALE;
    }
    let minor = count(Kind::Horse) + count(Kind::Cannon);
    match (minor, count(Kind::Pawn)) {
        (0, 0) => 0,
        (0, 1) | (1, 0) => 5,
        (0, 2) | (1, 1) => 12,
        _ => FULL_SCALE,
    }
}
