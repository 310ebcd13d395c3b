//! Static evaluation.
//!
//! [`Terms`] are measured once, with bitboards of both players side by side; [`Weights`] turn them
//! into a value: [`paper`] has those of the paper's two algorithms, [`tuned`] those of `best`.

pub mod distance;
pub mod lanes;
mod paper;
#[cfg(test)]
mod reference;
mod terms;
mod tuned;
mod weights;

pub use paper::{PAPER_KAPPA, paper_weights};
pub use terms::{ONE, Terms, reachable};
pub use tuned::tuned_weights;
pub use weights::{Knot, MOBILITIES, Term, Weights, bucket};

use agon_protocol::amazons::Amazons;
use std::sync::LazyLock;

static PAPER: LazyLock<Weights> = LazyLock::new(paper_weights);
static TUNED: LazyLock<Weights> = LazyLock::new(tuned_weights);

/// The paper's weights, built once.
pub fn paper() -> &'static Weights {
    &PAPER
}

/// The tuned weights, built once.
pub fn tuned() -> &'static Weights {
    &TUNED
}

/// The evaluation with some weights, from the point of view of the side to move, in 1/100 of a square.
#[inline]
pub fn evaluate(game: &Amazons, weights: &Weights) -> i32 {
    weights.value(&Terms::of(game), game.side_to_move())
}
