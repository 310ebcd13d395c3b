//! The NoGo engine for the host: its options, its algorithms and their builders.

use crate::evaluator::NoGoEvaluator;
use agon_protocol::nogo::NoGo;
use agon_search::baseline::Random;
use agon_search::host::{
    Algorithm, Built, GameEngine, HASH, Host, MULTI_PV, OptionDef, Options, SEED,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::wdl::WinCurve;

/// The NoGo engine.
pub type NoGoEngine = Host<NoGoOptions>;

/// The options and algorithms of [`NoGoEngine`].
#[derive(Debug)]
pub enum NoGoOptions {}

impl GameEngine for NoGoOptions {
    type Game = NoGo;
    const NAME: &'static str = concat!("Agon NoGo ", env!("CARGO_PKG_VERSION"));
    const OPTIONS: &'static [OptionDef] = &[];
    /// Values are expected outcomes, and there are no draws: no curve is needed.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.0 };
    const ALGORITHMS: &'static [Algorithm<NoGo>] = &[
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search whose leaves are valued by mobility, without playouts",
            uses: &[HASH.name(), SEED.name(), MULTI_PV.name()],
            build: |options| tree_search(options, 0, 0.3, Some(1.0)),
        },
        Algorithm {
            name: "uct",
            about: "plain UCT: UCB1 and random playouts",
            uses: &[HASH.name(), SEED.name(), MULTI_PV.name()],
            build: |options| tree_search(options, 1, 0.7, None),
        },
        Algorithm {
            name: "random",
            about: "any legal move",
            uses: &[SEED.name()],
            build: |options| Ok(Box::new(Random { seed: options.get(&SEED) })),
        },
    ];

    /// A game lasts about 60 moves.
    fn moves_left(game: &NoGo) -> u32 {
        (game.empty().count_ones() / 3).max(4)
    }
}

fn tree_search(
    options: &Options,
    simulations: u32,
    exploration: f64,
    prior: Option<f64>,
) -> Built<NoGo> {
    let (seed, memory) = (options.get(&SEED), options.get(&HASH) << 20);
    let settings = MctsSettings {
        simulations,
        exploration,
        bias: None,
        prior,
        iterations: None,
        memory,
        seed,
    };
    Ok(Box::new(Mcts::new(settings, NoGoEvaluator)))
}
