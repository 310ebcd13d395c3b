//! Static evaluation.
//!
//! [`Terms`] are measured once, with bitboards of both players side by side; [`Weights`] turn them
//! into a value: [`paper`] has those of the paper's two algorithms, [`tuned`] those of `best`.

pub mod distance;
pub mod lanes;
#[cfg(test)]
mod reference;
mod terms;
mod weights;

pub use terms::{ONE, Terms, reachable};
pub use weights::{
    Knot, MOBILITIES, PAPER_KAPPA, Term, Weights, bucket, paper_weights, tuned_weights,
};

use agon_games::amazons::Amazons;
use agon_search::host::{OptionDef, Options, Setting};
use std::sync::LazyLock;

/// The options of the evaluation.
pub const OPTIONS: &[OptionDef] = &[EVALUATION.def, WITHOUT.def];
const EVALUATION: Setting<&str> = Setting::choice(
    "Evaluation",
    &["auto", "paper", "tuned"],
    "Weights of the evaluation; auto is tuned for best and paper for all others",
);
/// Omits one term; a match against the full evaluation measures its value.
const WITHOUT: Setting<&str> =
    Setting::choice("Without", &TERMS_TO_LEAVE_OUT, "A term to leave out of the evaluation");
const TERMS_TO_LEAVE_OUT: [&str; Term::ALL.len() + 1] = {
    let mut choices = ["none"; Term::ALL.len() + 1];
    let mut i = 0;
    while i < Term::ALL.len() {
        choices[i + 1] = Term::ALL[i].name();
        i += 1;
    }
    choices
};

/// The weights that the options describe, for `best` or for another algorithm.
pub fn weights(options: &Options, is_best: bool) -> Weights {
    let weights = match options.get(&EVALUATION) {
        "tuned" => tuned_weights(),
        "auto" if is_best => tuned_weights(),
        _ => paper_weights(),
    };
    let without = Term::ALL.into_iter().find(|term| term.name() == options.get(&WITHOUT));
    without.map_or(weights.clone(), |term| weights.without(term))
}

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
