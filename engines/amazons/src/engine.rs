//! The Amazons engine for the host: its options, its algorithms and their builders.

use crate::eval::{self, Term};
use crate::evaluator::AmazonsEvaluator;
use crate::filling_search::FillingSearch;
use crate::params;
use agon_protocol::amazons::Amazons;
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::Greedy;
use agon_search::host::{
    Algorithm, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED, Setting, THREADS,
};
use agon_search::params::Param;
use agon_search::pvs::Pvs;
use agon_search::score::MAX_DEPTH as DEEPEST;
use agon_search::selective::SelectiveSearch;
use agon_search::wdl::WinCurve;

/// The Amazons engine.
pub type AmazonsEngine = Host<AmazonsOptions>;

/// The options and algorithms of [`AmazonsEngine`].
#[derive(Debug)]
pub enum AmazonsOptions {}

const MAX_DEPTH: Setting<u32> =
    Setting::spin("MaxDepth", 11, 1, DEEPEST as i64, "Maximum search depth in plies");
const DEEPENING: Setting<bool> = Setting::check(
    "Deepening",
    true,
    "Iterative deepening; false searches straight to the maximum depth",
);
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
const SOLVER: Setting<bool> =
    Setting::check("Solver", true, "Solve positions in which the sides are separated exactly");

impl GameEngine for AmazonsOptions {
    type Game = Amazons;
    const NAME: &'static str = concat!("Agon Amazons ", env!("CARGO_PKG_VERSION"));
    /// Fitted to the scores and results of 243 games of `best` against itself at 3000 nodes per move
    /// from random openings.
    const WIN_CURVE: WinCurve = WinCurve { unit: 300.0, draws: 0.0 };
    const OPTIONS: &'static [OptionDef] =
        &[MAX_DEPTH.def, DEEPENING.def, EVALUATION.def, WITHOUT.def, SOLVER.def];
    const ALGORITHMS: &'static [Algorithm<Amazons>] = &[
        Algorithm {
            name: "best",
            about: "selective principal variation search with staged moves, killers and histories",
            uses: &[
                THREADS.name(),
                HASH.name(),
                MULTI_PV.name(),
                EVALUATION.name(),
                WITHOUT.name(),
                SOLVER.name(),
            ],
            build: |options| {
                let settings = params::settings(options.get(&THREADS));
                let table = options.transposition_table()?;
                let search = SelectiveSearch::new(evaluator(options, true), table, settings);
                let solves = options.get(&SOLVER);
                Ok(if solves { Box::new(FillingSearch::new(search)) } else { Box::new(search) })
            },
        },
        Algorithm {
            name: "pvs",
            about: "the principal variation search of Li, Li, Ran and Wang (2018)",
            uses: &[HASH.name(), MULTI_PV.name(), EVALUATION.name(), WITHOUT.name()],
            build: |options| {
                let table = options.transposition_table()?;
                Ok(Box::new(Pvs::new(evaluator(options, false), table)))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "their baseline: alpha-beta without a table or move ordering",
            uses: &[
                MULTI_PV.name(),
                MAX_DEPTH.name(),
                DEEPENING.name(),
                EVALUATION.name(),
                WITHOUT.name(),
            ],
            build: |options| {
                let (max_depth, deepening) = (options.get(&MAX_DEPTH), options.get(&DEEPENING));
                let evaluator = evaluator(options, false);
                Ok(Box::new(AlphaBeta { evaluator, max_depth, deepening }))
            },
        },
        Algorithm {
            name: "greedy",
            about: "the best move by the evaluation one ply ahead",
            uses: &[SEED.name(), EVALUATION.name(), WITHOUT.name()],
            build: |options| {
                let seed = options.get(&SEED);
                Ok(Box::new(Greedy { evaluator: evaluator(options, false), seed }))
            },
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params(), agon_search::selective::params::params()]
    }

    fn moves_left(game: &Amazons) -> u32 {
        let left = game.empty().count_ones() / params::empty_squares_per_move();
        left.max(params::moves_left_min())
    }
}

/// The evaluation that the options describe, for `best` or for another algorithm.
fn evaluator(options: &Options, is_best: bool) -> AmazonsEvaluator {
    let weights = match options.get(&EVALUATION) {
        "tuned" => eval::tuned_weights(),
        "auto" if is_best => eval::tuned_weights(),
        _ => eval::paper_weights(),
    };
    let without = Term::ALL.into_iter().find(|term| term.name() == options.get(&WITHOUT));
    let weights = without.map_or(weights.clone(), |term| weights.without(term));
    AmazonsEvaluator::new(weights, is_best && options.get(&SOLVER))
}
