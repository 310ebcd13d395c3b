//! The engine: its options and algorithms, and their construction.

use crate::evaluation::EinSteinEvaluator;
use crate::params;
use crate::set_up_search::SetUpSearch;
use crate::tablebase::EinSteinTablebase;
use crate::tree_search;
use agon_protocol::einstein::EinStein;
use agon_protocol::{Outcome, Record};
use agon_search::expectimax::Expectimax;
use agon_search::host::{
    Algorithm, Built, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED, Setting, THREADS,
    loaded,
};
use agon_search::params::Param;
use agon_search::searcher::Searcher;
use agon_search::wdl::WinCurve;
use std::sync::Arc;

/// The EinStein engine.
pub type EinSteinEngine = Host<EinSteinOptions>;

/// The options and algorithms of [`EinSteinEngine`].
#[derive(Debug)]
pub enum EinSteinOptions {}

const DEPTH: Setting<u32> = Setting::spin("Depth", 3, 1, 40, "Decisions to look ahead");
const SET_UP: Setting<&str> =
    Setting::choice("SetUp", &["equilibrium", "random"], "The choice of the own set-up");
const TABLE_FILE: Setting<Option<Arc<EinSteinTablebase>>> = Setting::file(
    "TableFile",
    |path| loaded(EinSteinTablebase::open(path)),
    "Endgame tablebase: the file that `einstein table build` writes",
);

impl GameEngine for EinSteinOptions {
    type Game = EinStein;
    const NAME: &'static str = concat!("Agon EinStein ", env!("CARGO_PKG_VERSION"));
    /// Values are expected outcomes, and there are no draws: no curve is needed.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.0 };
    const OPTIONS: &'static [OptionDef] = &[
        DEPTH.def,
        tree_search::ITERATIONS.def,
        tree_search::SIMULATIONS.def,
        tree_search::EXPLORATION.def,
        tree_search::WINS_OF.def,
        SET_UP.def,
        TABLE_FILE.def,
        tree_search::NTUPLE.def,
        tree_search::PROGRESSIVE_BIAS.def,
        tree_search::BIAS_FACTOR.def,
        tree_search::PRIOR_KNOWLEDGE.def,
        tree_search::PRIOR_GAMES.def,
        tree_search::EPSILON_GREEDY.def,
        tree_search::EPSILON.def,
    ];
    const ALGORITHMS: &'static [Algorithm<EinStein>] = &[
        Algorithm {
            name: "best",
            about: "expectimax with Star1 and Star2 over trained pair weights, and a tablebase",
            uses: &[
                SET_UP.name(),
                THREADS.name(),
                HASH.name(),
                SEED.name(),
                MULTI_PV.name(),
                TABLE_FILE.name(),
            ],
            build: best,
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with chance nodes that keeps its tree between moves",
            uses: &tree_search::options_and::<3, 15>([SET_UP.name(), HASH.name(), MULTI_PV.name()]),
            build: |options| Ok(set_up_and(tree_search::search(options), options)),
        },
        Algorithm {
            name: "mcts-paper",
            about: "the search of Hsu, Hsu, Chen and Chang (2020): a dice-blind tree per root move",
            uses: &tree_search::options_and::<2, 14>([SET_UP.name(), tree_search::WINS_OF.name()]),
            build: |options| Ok(set_up_and(tree_search::paper_search(options), options)),
        },
        Algorithm {
            name: "expectimax",
            about: "expectimax over the probability of winning the race",
            uses: &[
                SET_UP.name(),
                THREADS.name(),
                HASH.name(),
                SEED.name(),
                MULTI_PV.name(),
                DEPTH.name(),
            ],
            build: |options| race_search(options, options.get(&DEPTH)),
        },
        Algorithm {
            name: "greedy",
            about: "the same, one decision ahead",
            uses: &[SET_UP.name(), THREADS.name(), HASH.name(), SEED.name()],
            build: |options| race_search(options, 1),
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params()]
    }

    fn moves_left(_: &EinStein) -> u32 {
        params::moves_left()
    }

    /// Before a roll: positions that one side wins whatever the dice, according to a tablebase
    /// value, which is exact within [`crate::tablebase::MAX_ERROR`].
    fn tablebase_outcome(options: &Options, record: &Record<EinStein>) -> Option<Outcome> {
        let state = record.current();
        let mover = state.player();
        match options.get(&TABLE_FILE)?.probe(state)?.0 {
            u16::MAX => Some(Outcome::Win(mover)),
            0 => Some(Outcome::Win(mover.opponent())),
            _ => None,
        }
    }
}

fn best(options: &Options) -> Built<EinStein> {
    let tablebase = options.get(&TABLE_FILE);
    match tablebase.as_deref().map(EinSteinTablebase::indexer) {
        None => log::warn!("no TableFile: playing without the endgame tablebase"),
        Some(indexer) => log::info!(
            "exact values up to {} stones in games with MissingDie {:?}",
            indexer.stones(),
            indexer.rule()
        ),
    }
    let seed = options.get(&SEED);
    let search = Expectimax {
        evaluator: EinSteinEvaluator::pairs(tablebase),
        table: Some(options.transposition_table()?),
        max_depth: params::max_depth(),
        seed,
        threads: options.get(&THREADS),
    };
    Ok(set_up_and(search, options))
}

fn race_search(options: &Options, max_depth: u32) -> Built<EinStein> {
    let (table, seed) = (Some(options.transposition_table()?), options.get(&SEED));
    let (evaluator, threads) = (EinSteinEvaluator::race(), options.get(&THREADS));
    let search = Expectimax { evaluator, table, max_depth, seed, threads };
    Ok(set_up_and(search, options))
}

/// A search that also chooses set-ups.
fn set_up_and(
    search: impl Searcher<EinStein> + 'static,
    options: &Options,
) -> Box<dyn Searcher<EinStein>> {
    let is_random = options.get(&SET_UP) == "random";
    Box::new(SetUpSearch::new(search, options.get(&SEED), is_random))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::engine::Engine;
    use agon_protocol::game::Game;
    use agon_protocol::message::Limits;
    use agon_protocol::option::{OptionError, find};
    use agon_search::host::conformance;

    fn set(engine: &mut EinSteinEngine, name: &str, value: &str) -> Result<(), OptionError> {
        let specs = engine.options();
        let spec = find(&specs, name)?;
        engine.set_option(&spec.name, &spec.parse(value)?)
    }

    #[test]
    fn every_algorithm_searches_allowed_root_moves_only() {
        for fen in ["BFA2/CD3/E3e/3dc/2afb u 4", "FAE2/BD3/C3d/3fb/2eca l 6"] {
            let record = Record::new(EinStein::parse_fen(fen, &Default::default()).unwrap());
            let limits = Limits::with_nodes(3000);
            conformance::check_root_moves(EinSteinEngine::new, &record, &limits).unwrap();
        }
    }

    #[test]
    fn an_option_lists_the_value_it_was_given() {
        let mut engine = EinSteinEngine::new();
        for (name, value) in [
            ("Algorithm", "mcts-paper"),
            ("Threads", "3"),
            ("Iterations", "11"),
            ("Exploration", "0.5"),
            ("WinsOf", "engine"),
            ("ProgressiveBias", "true"),
        ] {
            set(&mut engine, name, value).unwrap();
            let line = find(&engine.options(), name).unwrap().to_string();
            assert!(line.contains(&format!("default {value}")), "{line}");
        }
    }

    #[test]
    fn numbers_that_are_none_or_out_of_range_are_refused() {
        let mut engine = EinSteinEngine::new();
        for (name, value) in [("Epsilon", "1.5"), ("Exploration", "much"), ("Exploration", "NaN")] {
            let error = set(&mut engine, name, value).unwrap_err().to_string();
            assert!(error.contains(value) && error.contains("expected"), "{error}");
        }
        for name in ["NTuple", "TableFile"] {
            let error = set(&mut engine, name, "/nowhere/net").unwrap_err().to_string();
            assert!(error.contains("/nowhere/net"), "{error}");
            set(&mut engine, name, "<empty>").unwrap();
        }
    }
}
