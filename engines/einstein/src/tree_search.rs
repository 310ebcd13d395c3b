//! The two Monte Carlo tree searches, `mcts` and `mcts-paper`: their options, with the paper's
//! symbols, and their construction.

use crate::ntuple::{self, NTuple};
use crate::paper_mcts::{PaperMcts, PaperMctsSettings, WinsOf};
use crate::playout_policy::{BoardValue, PlayoutPolicy};
use crate::simulator::EinSteinSimulator;
use agon_games::einstein::EinStein;
use agon_search::host::{OptionDef, Options, SEED, Setting, THREADS, loaded};
use agon_search::mcts::{Mcts, MctsSettings};
use std::sync::Arc;

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
/// Whose wins count, in `mcts-paper`.
pub const WINS_OF: Setting<&str> =
    Setting::choice("WinsOf", &["mover", "engine"], "Whose wins selection maximises");
const NTUPLE: Setting<Option<Arc<NTuple>>> = Setting::file(
    "NTuple",
    ntuple::MAX_BYTES,
    |bytes| loaded(ntuple::parse(bytes)),
    "N-tuple network for V(b): the file that `lab einstein train` writes",
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

/// The options of both searches.
pub const OPTIONS: &[OptionDef] = &[
    THREADS.def,
    SEED.def,
    ITERATIONS.def,
    SIMULATIONS.def,
    EXPLORATION.def,
    NTUPLE.def,
    PROGRESSIVE_BIAS.def,
    BIAS_FACTOR.def,
    PRIOR_KNOWLEDGE.def,
    PRIOR_GAMES.def,
    EPSILON_GREEDY.def,
    EPSILON.def,
];

/// The search with chance nodes that the options describe.
pub fn search(options: &Options) -> Mcts<EinStein, EinSteinSimulator> {
    let iterations = options.get(&ITERATIONS);
    let settings = MctsSettings {
        simulations: options.get(&SIMULATIONS),
        exploration: options.get(&EXPLORATION),
        bias: bias(options),
        prior: prior(options),
        iterations: (iterations > 0).then_some(iterations.into()),
        ..options.mcts_settings()
    };
    Mcts::new(settings, simulator(options))
}

/// The paper's search that the options describe.
pub fn paper_search(options: &Options) -> PaperMcts<EinSteinSimulator> {
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
    PaperMcts { settings, simulator: simulator(options) }
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
