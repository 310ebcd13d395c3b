//! The engine: its options and algorithms, and their construction.

use crate::evaluation::EinSteinEvaluator;
use crate::params;
use crate::playout_policy::{BoardValue, PlayoutPolicy};
use crate::set_up_search::SetUpSearch;
use crate::simulator::EinSteinSimulator;
use crate::tablebase::EinSteinTablebase;
use agon_einstein_studies::ntuple::{self, NTuple};
use agon_einstein_studies::{PaperMcts, PaperMctsSettings, WinsOf};
use agon_protocol::einstein::EinStein;
use agon_protocol::{Outcome, Record};
use agon_search::expectimax::Expectimax;
use agon_search::host::{
    Algorithm, Built, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED, Setting, THREADS,
};
use agon_search::mcts::{Mcts, MctsSettings};
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
const ITERATIONS: Setting<u32> = Setting::spin(
    "Iterations",
    0,
    0,
    100_000_000,
    "The paper's i; 0 is 1000 for mcts-paper and no limit for mcts",
);
const SIMULATIONS: Setting<u32> =
    Setting::spin("Simulations", 10, 1, 1_000_000, "The paper's k: playouts of each new node");
const EXPLORATION: Setting<f64> = Setting::decimal(
    "Exploration",
    std::f64::consts::SQRT_2,
    0.0,
    1000.0,
    "The paper's c: exploration constant of UCB1",
);
const WINS_OF: Setting<&str> =
    Setting::choice("WinsOf", &["mover", "engine"], "Whose wins selection maximises");
const SET_UP: Setting<&str> =
    Setting::choice("SetUp", &["equilibrium", "random"], "The choice of the own set-up");
const TABLE_FILE: Setting<Option<Arc<EinSteinTablebase>>> = Setting::file(
    "TableFile",
    |path| Ok(Arc::new(EinSteinTablebase::open(path).map_err(|error| error.to_string())?)),
    "Endgame tablebase: the file that `einstein table build` writes",
);
const NTUPLE: Setting<Option<Arc<NTuple>>> = Setting::file(
    "NTuple",
    |path| Ok(Arc::new(ntuple::load(path).map_err(|error| error.to_string())?)),
    "N-tuple network for V(b): the file that `einstein train` writes",
);
const PROGRESSIVE_BIAS: Setting<bool> =
    Setting::check("ProgressiveBias", false, "Add Cp V(b) / losses to a move's bound");
const BIAS_FACTOR: Setting<f64> =
    Setting::decimal("BiasFactor", 10.0, 0.0, 1e6, "The paper's Cp, of ProgressiveBias");
const PRIOR_KNOWLEDGE: Setting<bool> =
    Setting::check("PriorKnowledge", false, "Start each new node with N0 visits of V(b)");
const PRIOR_GAMES: Setting<f64> =
    Setting::decimal("PriorGames", 175.0, 0.0, 1e9, "The paper's N0, of PriorKnowledge");
const EPSILON_GREEDY: Setting<bool> =
    Setting::check("EpsilonGreedy", false, "Playouts choose the best move by V(b)");
const EPSILON: Setting<f64> =
    Setting::decimal("Epsilon", 0.2, 0.0, 1.0, "Probability of a random move, of EpsilonGreedy");

/// The number of rounds of `mcts-paper` without the option `Iterations`.
const PAPER_ITERATIONS: u32 = 1000;

/// The options of both tree searches, except `Hash` and `WinsOf`.
const MCTS_OPTIONS: [&str; 13] = [
    SET_UP.name(),
    THREADS.name(),
    SEED.name(),
    ITERATIONS.name(),
    SIMULATIONS.name(),
    EXPLORATION.name(),
    NTUPLE.name(),
    PROGRESSIVE_BIAS.name(),
    BIAS_FACTOR.name(),
    PRIOR_KNOWLEDGE.name(),
    PRIOR_GAMES.name(),
    EPSILON_GREEDY.name(),
    EPSILON.name(),
];

/// [`MCTS_OPTIONS`] and two more.
const fn mcts_options_and(others: [&'static str; 2]) -> [&'static str; 15] {
    let mut all = [others[0]; 15];
    all[14] = others[1];
    let mut i = 0;
    while i < MCTS_OPTIONS.len() {
        all[i] = MCTS_OPTIONS[i];
        i += 1;
    }
    all
}

impl GameEngine for EinSteinOptions {
    type Game = EinStein;
    const NAME: &'static str = concat!("Agon EinStein ", env!("CARGO_PKG_VERSION"));
    /// Values are expected outcomes, and there are no draws: no curve is needed.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.0 };
    const OPTIONS: &'static [OptionDef] = &[
        DEPTH.def,
        ITERATIONS.def,
        SIMULATIONS.def,
        EXPLORATION.def,
        WINS_OF.def,
        SET_UP.def,
        TABLE_FILE.def,
        NTUPLE.def,
        PROGRESSIVE_BIAS.def,
        BIAS_FACTOR.def,
        PRIOR_KNOWLEDGE.def,
        PRIOR_GAMES.def,
        EPSILON_GREEDY.def,
        EPSILON.def,
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
            uses: &mcts_options_and([HASH.name(), MULTI_PV.name()]),
            build: |options| {
                let iterations = options.get(&ITERATIONS);
                let settings = MctsSettings {
                    simulations: options.get(&SIMULATIONS),
                    exploration: options.get(&EXPLORATION),
                    bias: bias(options),
                    prior: prior(options),
                    iterations: (iterations > 0).then_some(iterations.into()),
                    ..options.mcts_settings()
                };
                let search = Mcts::new(settings, simulator(options));
                Ok(set_up_and(search, options))
            },
        },
        Algorithm {
            name: "mcts-paper",
            about: "the search of Hsu, Hsu, Chen and Chang (2020): a dice-blind tree per root move",
            uses: &mcts_options_and([WINS_OF.name(); 2]),
            build: |options| {
                let iterations = options.get(&ITERATIONS);
                let settings = PaperMctsSettings {
                    iterations: if iterations == 0 { PAPER_ITERATIONS } else { iterations },
                    simulations: options.get(&SIMULATIONS),
                    exploration: options.get(&EXPLORATION),
                    bias: bias(options),
                    prior: prior(options),
                    wins_of: match options.get(&WINS_OF) {
                        "engine" => WinsOf::Engine,
                        _ => WinsOf::Mover,
                    },
                    seed: options.get(&SEED),
                };
                let search = PaperMcts { settings, simulator: simulator(options) };
                Ok(set_up_and(search, options))
            },
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

fn bias(options: &Options) -> Option<f64> {
    options.get(&PROGRESSIVE_BIAS).then(|| options.get(&BIAS_FACTOR))
}

fn prior(options: &Options) -> Option<f64> {
    options.get(&PRIOR_KNOWLEDGE).then(|| options.get(&PRIOR_GAMES))
}

/// The playouts and board values `V(b)` of both tree searches.
fn simulator(options: &Options) -> EinSteinSimulator {
    let is_greedy = options.get(&EPSILON_GREEDY);
    let network = options.get(&NTUPLE);
    if network.is_none() && (is_greedy || bias(options).is_some() || prior(options).is_some()) {
        log::warn!("no NTuple file: V(b) comes from the race distributions");
    }
    let board_value = network.map_or(BoardValue::Race, BoardValue::NTuple);
    let policy = match is_greedy {
        true => PlayoutPolicy::epsilon_greedy(options.get(&EPSILON), board_value.clone()),
        false => PlayoutPolicy::Random,
    };
    EinSteinSimulator::new(options.get(&THREADS), policy, board_value)
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
