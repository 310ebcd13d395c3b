//! The EinStein engine for the host: its algorithms, their options and builders.

use crate::evaluation::EinSteinEvaluator;
use crate::params;
use crate::set_up_search::{SET_UP, SetUpSearch};
use crate::tablebase::{self, TABLE_FILE};
use crate::tree_search::{self, WINS_OF};
use agon_games::einstein::EinStein;
use agon_games::{Outcome, Record};
use agon_search::expectimax::Expectimax;
use agon_search::host::{
    Algorithm, BELOW_FULL, Built, GameEngine, HASH, Host, Level, MULTI_PV, OptionDef, Options,
    SEED, Setting, THREADS,
};
use agon_search::params::Param;
use agon_search::score::WinCurve;
use agon_search::searcher::{Searcher, Wrapped};

/// The EinStein engine.
pub type EinSteinEngine = Host<EinSteinAlgorithms>;

/// The algorithms of [`EinSteinEngine`].
#[derive(Debug)]
pub enum EinSteinAlgorithms {}

const DEPTH: Setting<u32> = Setting::spin("Depth", 3, 1, 40, "Decisions to look ahead");
/// The options of every expectimax search.
const EXPECTIMAX: &[OptionDef] = &[SET_UP.def, THREADS.def, HASH.def, SEED.def];

impl GameEngine for EinSteinAlgorithms {
    type Game = EinStein;
    const NAME: &'static str = concat!("Agon EinStein ", env!("CARGO_PKG_VERSION"));
    /// Values are expected outcomes, and there are no draws: no curve is needed.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.0 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const ALGORITHMS: &'static [Algorithm<EinStein>] = &[
        Algorithm {
            name: "best",
            about: "expectimax with Star1 and Star2 over trained pair weights, and a tablebase",
            uses: &[EXPECTIMAX, &[MULTI_PV.def, TABLE_FILE.def]],
            build: |options| {
                let evaluator = EinSteinEvaluator::pairs(tablebase::chosen(options));
                expectimax(evaluator, params::max_depth(), options)
            },
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with chance nodes that keeps its tree between moves",
            uses: &[&[SET_UP.def, HASH.def, MULTI_PV.def], tree_search::OPTIONS],
            build: |options| with_set_up(tree_search::search(options), options),
        },
        Algorithm {
            name: "mcts-paper",
            about: "the search of Hsu, Hsu, Chen and Chang (2020): a dice-blind tree per root move",
            uses: &[&[SET_UP.def, WINS_OF.def], tree_search::OPTIONS],
            build: |options| with_set_up(tree_search::paper_search(options), options),
        },
        Algorithm {
            name: "expectimax",
            about: "expectimax over the probability of winning the race",
            uses: &[EXPECTIMAX, &[MULTI_PV.def, DEPTH.def]],
            build: |options| expectimax(EinSteinEvaluator::race(), options.get(&DEPTH), options),
        },
        Algorithm {
            name: "greedy",
            about: "expectimax one decision deep over the same",
            uses: &[EXPECTIMAX],
            build: |options| expectimax(EinSteinEvaluator::race(), 1, options),
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params()]
    }

    fn moves_left(_: &EinStein) -> u32 {
        params::moves_left()
    }

    fn tablebase_outcome(options: &Options, record: &Record<EinStein>) -> Option<Outcome> {
        options.get(&TABLE_FILE)?.probe(record.current())?.outcome(record.current().player())
    }
}

fn expectimax(evaluator: EinSteinEvaluator, max_depth: u32, options: &Options) -> Built<EinStein> {
    let (table, seed) = (Some(options.transposition_table()?), options.get(&SEED));
    let threads = options.get(&THREADS);
    with_set_up(Expectimax { evaluator, table, max_depth, seed, threads }, options)
}

/// A search that also chooses set-ups.
fn with_set_up(search: impl Searcher<EinStein> + 'static, options: &Options) -> Built<EinStein> {
    Ok(Box::new(Wrapped(SetUpSearch::new(options), search)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::game::Game;
    use agon_games::option::{OptionError, find};
    use agon_search::host::conformance;
    use agon_wire::engine::Engine;
    use agon_wire::message::Limits;

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
