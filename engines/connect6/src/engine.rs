//! The engine behind the protocol: its options, its algorithms and their components.

use crate::best::Best;
use crate::book::{self, Book, BookSearch};
use crate::params;
use crate::play::{Connect6Evaluator, Connect6MctsEvaluator, PositionSearch, Weights};
use agon_protocol::connect6::{Connect6, MAX_SIZE};
use agon_search::alphabeta::AlphaBeta;
use agon_search::host::{
    Algorithm, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED, Setting, THREADS,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::pvs::Pvs;
use agon_search::score::MAX_DEPTH;
use agon_search::wdl::WinCurve;
use std::sync::Arc;

/// The Connect6 engine.
pub type Connect6Engine = Host<Connect6Options>;

/// The options and algorithms of [`Connect6Engine`].
#[derive(Debug)]
pub enum Connect6Options {}

const EVALUATION: Setting<&str> =
    Setting::choice("Evaluation", &["tuned", "rule", "full"], "Weights of the evaluation");

const BOOK: Setting<Option<Arc<Book>>> = Setting::file(
    "Book",
    |path| Ok(Arc::new(book::file::open(path, MAX_SIZE)?.1)),
    "File of an opening book for the board of 19x19, made by `connect6 book make`; empty for none",
);

impl GameEngine for Connect6Options {
    type Game = Connect6;
    const NAME: &'static str = concat!("Agon Connect6 ", env!("CARGO_PKG_VERSION"));
    const OPTIONS: &'static [OptionDef] = &[EVALUATION.def, BOOK.def];
    /// The scale of the evaluation in the tree search; a fit to 125 games gave 100. A draw needs a full
    /// board.
    const WIN_CURVE: WinCurve = WinCurve { unit: 90.0, draws: 0.0 };
    const ALGORITHMS: &'static [Algorithm<Connect6>] = &[
        Algorithm {
            name: "best",
            about: "selective principal variation search with the threat-space solver",
            uses: &[THREADS.name(), HASH.name(), MULTI_PV.name(), EVALUATION.name(), BOOK.name()],
            build: |options| {
                let best = Best::new(options.transposition_table()?, options.get(&THREADS));
                let search = PositionSearch::verified(best, weights(options));
                Ok(match options.get(&BOOK) {
                    Some(book) => Box::new(BookSearch::new(book, search)),
                    None => Box::new(search),
                })
            },
        },
        Algorithm {
            name: "pvs",
            about: "principal variation search",
            uses: &[HASH.name(), MULTI_PV.name(), EVALUATION.name()],
            build: |options| {
                let evaluator = Connect6Evaluator::default();
                let pvs = Pvs::new(evaluator, options.transposition_table()?);
                Ok(Box::new(PositionSearch::new(pvs, weights(options))))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "alpha-beta without a table or move ordering",
            uses: &[MULTI_PV.name(), EVALUATION.name()],
            build: |options| {
                let evaluator = Connect6Evaluator::default();
                let search = AlphaBeta { evaluator, max_depth: MAX_DEPTH, deepening: true };
                Ok(Box::new(PositionSearch::new(search, weights(options))))
            },
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with the evaluation in place of playouts",
            uses: &[HASH.name(), SEED.name(), MULTI_PV.name(), EVALUATION.name()],
            build: |options| {
                let exploration = f64::from(params::mcts_exploration()) / 100.0;
                let settings =
                    MctsSettings { simulations: 1, exploration, ..options.mcts_settings() };
                let mcts = Mcts::new(settings, Connect6MctsEvaluator);
                Ok(Box::new(PositionSearch::new(mcts, weights(options))))
            },
        },
        Algorithm { about: "any legal turn", ..Algorithm::RANDOM },
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params(), agon_search::selective::params::params()]
    }

    /// Games that last 15 turns of a side use four fifths of its clock; longer ones live on the
    /// rest and on the increment.
    fn moves_left(game: &Connect6) -> u32 {
        // Each side places two stones a turn.
        let turns = (game.size() * game.size() - game.empty_points()) as u32 / 4;
        params::planned_turns().saturating_sub(turns).max(params::planned_turns_min())
    }
}

fn weights(options: &Options) -> Weights {
    match options.get(&EVALUATION) {
        "rule" => Weights::RULE,
        "full" => Weights::FULL,
        _ => Weights::TUNED,
    }
}
