//! The Connect6 engine for the host: its algorithms, their options and builders.

use crate::best::{Best, SolverBudgets};
use crate::book::{BOOK, BookSearch};
use crate::params;
use crate::play::{
    Connect6Evaluator, Connect6MctsEvaluator, EVALUATION, LineValues, PositionSearch,
    SearchPosition, UNPROVED_WIN,
};
use agon_games::connect6::Connect6;
use agon_search::alphabeta::AlphaBeta;
use agon_search::host::{
    Algorithm, BELOW_FULL, Built, GameEngine, HASH, Host, Level, MCTS_OPTIONS, MULTI_PV, Options,
    Setting, THREADS, loaded,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::pvs::Pvs;
use agon_search::score::WinCurve;
use agon_search::searcher::{Searcher, Wrapped};
use std::sync::Arc;

/// The Connect6 engine.
pub type Connect6Engine = Host<Connect6Algorithms>;

/// The option that names a file of line values.
pub const LINE_VALUES: Setting<Option<Arc<LineValues>>> = Setting::file(
    "LineValues",
    LineValues::MAX_BYTES,
    |bytes| loaded(LineValues::from_bytes(bytes)),
    "File of learned values of lines, made by `lab connect6 learn`; empty for those of the program",
);

/// The algorithms of [`Connect6Engine`].
#[derive(Debug)]
pub enum Connect6Algorithms {}

impl GameEngine for Connect6Algorithms {
    type Game = Connect6;
    const NAME: &'static str = concat!("Agon Connect6 ", env!("CARGO_PKG_VERSION"));
    /// The scale of the evaluation in the tree search; a fit to 125 games gave 100. A draw needs a full
    /// board.
    const WIN_CURVE: WinCurve = WinCurve { unit: 90.0, draws: 0.0 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const UNPROVED_WIN: Option<i32> = Some(UNPROVED_WIN);
    const ALGORITHMS: &'static [Algorithm<Connect6>] = &[
        Algorithm {
            name: "best",
            about: "selective principal variation search with the threat-space solver",
            uses: &[&[
                THREADS.def,
                HASH.def,
                MULTI_PV.def,
                EVALUATION.def,
                LINE_VALUES.def,
                BOOK.def,
            ]],
            build: |options| {
                let lines = options.get(&LINE_VALUES).unwrap_or_else(LineValues::built_in);
                let budgets = SolverBudgets::default();
                let (table, threads) = (options.transposition_table()?, options.get(&THREADS));
                let best = Best::with_lines(lines, budgets, table, threads);
                let search = Wrapped(PositionSearch::new(options, true), best);
                Ok(match options.get(&BOOK) {
                    Some(book) => Box::new(Wrapped(BookSearch::new(book), search)),
                    None => Box::new(search),
                })
            },
        },
        Algorithm {
            name: "pvs",
            about: "principal variation search",
            uses: &[&[HASH.def, MULTI_PV.def, EVALUATION.def]],
            build: |options| {
                let table = options.transposition_table()?;
                with_weights(Pvs::new(Connect6Evaluator::default(), table), options)
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "alpha-beta without a table or move ordering",
            uses: &[&[MULTI_PV.def, EVALUATION.def]],
            build: |options| with_weights(AlphaBeta::new(Connect6Evaluator::default()), options),
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with the evaluation in place of playouts",
            uses: &[MCTS_OPTIONS, &[EVALUATION.def]],
            build: |options| {
                let exploration = f64::from(params::mcts_exploration()) / 100.0;
                let settings =
                    MctsSettings { simulations: 1, exploration, ..options.mcts_settings() };
                with_weights(Mcts::new(settings, Connect6MctsEvaluator), options)
            },
        },
        Algorithm { about: "any legal turn", ..Algorithm::RANDOM },
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params(), agon_search::selective::params::params()]
    }

    /// Games that last 15 turns of a side use nine tenths of its clock; longer ones live on the
    /// rest and on the increment.
    fn moves_left(game: &Connect6) -> u32 {
        // Each side places two stones a turn.
        let turns = (game.size() * game.size() - game.empty_points()) as u32 / 4;
        params::planned_turns().saturating_sub(turns).max(params::planned_turns_min())
    }
}

/// A search whose forced results are not verified, with the weights that the options name.
fn with_weights(
    search: impl Searcher<SearchPosition> + 'static,
    options: &Options,
) -> Built<Connect6> {
    Ok(Box::new(Wrapped(PositionSearch::new(options, false), search)))
}
