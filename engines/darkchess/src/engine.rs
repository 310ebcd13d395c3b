//! The engine: its options and algorithms, and their construction.

use crate::baseline::SampledAlphaBeta;
use crate::evaluation::features::DarkChessNetwork;
use crate::evaluation::{self, Evaluator};
use crate::evaluator::DarkChessEvaluator;
use crate::playouts::DarkChessPlayouts;
use crate::search::{DarkChessSearch, SearchMode, params};
use crate::tablebase::{DarkChessIndexer, DarkChessSolver, DarkChessTablebase};
use agon_protocol::darkchess::DarkChess;
use agon_protocol::{Outcome, Record};
use agon_search::expectimax::Expectimax;
use agon_search::host::{
    Algorithm, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED, Setting, TABLE_CACHE,
    THREADS, loaded,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::wdl::WinCurve;
use agon_tablebase::{CachedTablebase, Monitor, TablebaseError, build};
use std::path::Path;
use std::sync::Arc;

/// The dark-chess engine.
pub type DarkChessEngine = Host<DarkChessOptions>;

/// The options and algorithms of [`DarkChessEngine`].
#[derive(Debug)]
pub enum DarkChessOptions {}

/// The file of the endgame tablebase.
pub const TABLE_FILE: Setting<Option<Arc<DarkChessTablebase>>> = Setting::file(
    "TableFile",
    |path| loaded(DarkChessTablebase::open(path)),
    "Endgame tablebase instead of the small one: a file that `darkchess table build` writes",
);
/// The tablebase in the user's cache folder.
static CACHED: CachedTablebase<DarkChessTablebase> =
    CachedTablebase::new("darkchess-4.table", DarkChessTablebase::open, build_cached);
const NETWORK: Setting<Option<Arc<DarkChessNetwork>>> = Setting::file(
    "Network",
    |path| loaded(evaluation::open(path)),
    "File of the evaluation network; empty for the program's own",
);
const SIMULATIONS: Setting<u32> =
    Setting::spin("Simulations", 1, 0, 1_000, "Playouts of each new node");
const EXPLORATION: Setting<u32> =
    Setting::spin("Exploration", 30, 0, 1_000, "Exploration constant c of UCB1, times 100");
const SAMPLES: Setting<u32> =
    Setting::spin("Samples", 4, 1, 100, "Outcomes searched for each flip");

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<DarkChessNetwork> {
    options.get(&NETWORK).unwrap_or_else(evaluation::built_in)
}

/// Builds the file of the cache folder.
fn build_cached(path: &Path) -> Result<(), TablebaseError> {
    let indexer = DarkChessIndexer::new(4, 4, 8).map_err(TablebaseError::Refused)?;
    build(path, &indexer, &DarkChessSolver, 0, &Monitor::hidden()).map(|_| ())
}

/// The tablebase that the options name, or that of the cache folder once it is open.
fn tablebase(options: &Options) -> Option<Arc<DarkChessTablebase>> {
    options.get(&TABLE_FILE).or_else(|| options.get(&TABLE_CACHE).then(|| CACHED.get())?)
}

impl GameEngine for DarkChessOptions {
    type Game = DarkChess;
    const NAME: &'static str = concat!("Agon Dark Chess ", env!("CARGO_PKG_VERSION"));
    const OPTIONS: &'static [OptionDef] = &[
        TABLE_FILE.def,
        TABLE_CACHE.def,
        NETWORK.def,
        SIMULATIONS.def,
        EXPLORATION.def,
        SAMPLES.def,
    ];
    /// Values are expected outcomes; the odds of a draw are fitted to 115 games of `best` against
    /// itself at 3000 nodes per move.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.2 };
    const ALGORITHMS: &'static [Algorithm<DarkChess>] = &[
        Algorithm {
            name: "best",
            about: "principal variation search with Star1 and Star2 at flips, and a tablebase",
            uses: &[
                THREADS.name(),
                HASH.name(),
                SEED.name(),
                MULTI_PV.name(),
                TABLE_FILE.name(),
                TABLE_CACHE.name(),
                NETWORK.name(),
            ],
            build: |options| {
                let tablebase = tablebase(options);
                let (tt, threads) = (options.transposition_table()?, options.get(&THREADS));
                let (seed, mode) = (options.get(&SEED), SearchMode::Play);
                let network = network(options);
                Ok(Box::new(DarkChessSearch { tt, tablebase, network, threads, seed, mode }))
            },
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with chance nodes and short playouts",
            uses: &[
                HASH.name(),
                SEED.name(),
                MULTI_PV.name(),
                TABLE_FILE.name(),
                TABLE_CACHE.name(),
                NETWORK.name(),
                SIMULATIONS.name(),
                EXPLORATION.name(),
            ],
            build: |options| {
                let settings = MctsSettings {
                    simulations: options.get(&SIMULATIONS),
                    exploration: f64::from(options.get(&EXPLORATION)) / 100.0,
                    prior: Some(params::prior_visits().into()),
                    ..options.mcts_settings()
                };
                let evaluator = Evaluator::new(network(options));
                let playouts = DarkChessPlayouts::new(evaluator, tablebase(options));
                Ok(Box::new(Mcts::new(settings, playouts)))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "the baseline: alpha-beta with fixed piece values and sampled flips",
            uses: &[SEED.name(), MULTI_PV.name(), SAMPLES.name()],
            build: |options| {
                let (samples, seed) = (options.get(&SAMPLES), options.get(&SEED));
                Ok(Box::new(SampledAlphaBeta { samples, seed }))
            },
        },
        Algorithm {
            name: "greedy",
            about: "expectimax one move deep over the static evaluation of best",
            uses: &[SEED.name(), NETWORK.name()],
            build: |options| {
                let evaluator = DarkChessEvaluator(Evaluator::new(network(options)));
                let seed = options.get(&SEED);
                Ok(Box::new(Expectimax { evaluator, table: None, max_depth: 1, seed, threads: 1 }))
            },
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params()]
    }

    /// A game has about a hundred moves, and the last ones are quickly decided.
    fn moves_left(_: &DarkChess) -> u32 {
        params::moves_left()
    }

    fn prepare(options: &Options) -> bool {
        options.get(&TABLE_FILE).is_none() && options.get(&TABLE_CACHE) && CACHED.prepare()
    }

    /// A win is not certain if `DrawPlies` might prevent it.
    fn tablebase_outcome(options: &Options, record: &Record<DarkChess>) -> Option<Outcome> {
        let game = record.current();
        let value = tablebase(options)?.probe(game)?;
        value.certain_outcome(game.mover(), game.quiet_plies(), game.draw_plies())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::game::Game;
    use agon_protocol::message::Limits;
    use agon_search::host::conformance;

    #[test]
    fn every_algorithm_searches_allowed_root_moves_only() {
        for fen in ["4/4/1gK1/4/4/2?1/1p2/k3 b r P - 0", "4/4/1kG1/4/2?1/4/1p2/K3 b r R - 0"] {
            let record = Record::new(DarkChess::parse_fen(fen, &Default::default()).unwrap());
            let limits = Limits::with_nodes(3000);
            conformance::check_root_moves(DarkChessEngine::new, &record, &limits).unwrap();
        }
    }
}
