//! The Amazons engine for the host: its algorithms, their options and builders.

use crate::eval;
use crate::evaluator::AmazonsEvaluator;
use crate::filling_search::FillingSearch;
use crate::params;
use agon_games::amazons::Amazons;
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::Greedy;
use agon_search::host::{
    Algorithm, BELOW_FULL, GameEngine, HASH, Host, Level, MULTI_PV, Options, SEED, Setting, THREADS,
};
use agon_search::params::Param;
use agon_search::pvs::Pvs;
use agon_search::score::WinCurve;
use agon_search::searcher::Wrapped;
use agon_search::selective::SelectiveSearch;

/// The Amazons engine.
pub type AmazonsEngine = Host<AmazonsAlgorithms>;

/// The algorithms of [`AmazonsEngine`].
#[derive(Debug)]
pub enum AmazonsAlgorithms {}

const MAX_DEPTH: Setting<u32> = Setting::spin(
    "MaxDepth",
    11,
    1,
    agon_search::score::MAX_DEPTH as i64,
    "Maximum search depth in plies",
);
const DEEPENING: Setting<bool> = Setting::check(
    "Deepening",
    true,
    "Iterative deepening; false searches straight to the maximum depth",
);

const SOLVER: Setting<bool> =
    Setting::check("Solver", true, "Solve positions in which the sides are separated exactly");

impl GameEngine for AmazonsAlgorithms {
    type Game = Amazons;
    const NAME: &'static str = concat!("Agon Amazons ", env!("CARGO_PKG_VERSION"));
    /// Fitted to the scores and results of 243 games of `best` against itself at 3000 nodes per move
    /// from random openings.
    const WIN_CURVE: WinCurve = WinCurve { unit: 300.0, draws: 0.0 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const ALGORITHMS: &'static [Algorithm<Amazons>] = &[
        Algorithm {
            name: "best",
            about: "selective principal variation search with staged moves, killers and histories",
            uses: &[&[THREADS.def, HASH.def, MULTI_PV.def], eval::OPTIONS, &[SOLVER.def]],
            build: |options| {
                let settings = params::settings(options.get(&THREADS));
                let (evaluator, table) = (evaluator(options, true), options.transposition_table()?);
                let search = SelectiveSearch::new(evaluator, table, settings);
                let solves = options.get(&SOLVER);
                Ok(if solves { Box::new(Wrapped(FillingSearch, search)) } else { Box::new(search) })
            },
        },
        Algorithm {
            name: "pvs",
            about: "the principal variation search of Li, Li, Ran and Wang (2018)",
            uses: &[&[HASH.def, MULTI_PV.def], eval::OPTIONS],
            build: |options| {
                let table = options.transposition_table()?;
                Ok(Box::new(Pvs::new(evaluator(options, false), table)))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "the baseline of that paper: alpha-beta without a table or move ordering",
            uses: &[&[MULTI_PV.def, MAX_DEPTH.def, DEEPENING.def], eval::OPTIONS],
            build: |options| {
                let evaluator = evaluator(options, false);
                let (max_depth, deepening) = (options.get(&MAX_DEPTH), options.get(&DEEPENING));
                Ok(Box::new(AlphaBeta { evaluator, max_depth, deepening }))
            },
        },
        Algorithm {
            name: "greedy",
            about: "the best move by the evaluation one ply ahead",
            uses: &[&[SEED.def], eval::OPTIONS],
            build: |options| {
                let evaluator = evaluator(options, false);
                Ok(Box::new(Greedy { evaluator, seed: options.get(&SEED) }))
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
    AmazonsEvaluator::new(eval::weights(options, is_best), is_best && options.get(&SOLVER))
}
