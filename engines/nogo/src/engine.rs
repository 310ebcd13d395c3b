//! The NoGo engine for the host: its algorithms, their options and builders.

use crate::evaluator::NoGoEvaluator;
use crate::network::{NETWORK, network};
use crate::params;
use crate::rave::{TreeSearch, TreeSettings};
use agon_games::nogo::NoGo;
use agon_network::convolution::network::BoardNetwork;
use agon_search::host::{
    Algorithm, BELOW_FULL, GameEngine, HASH, Host, Level, MCTS_OPTIONS, Options, SEED, THREADS,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::score::WinCurve;
use agon_search::searcher::Searcher;
use std::sync::Arc;

/// The NoGo engine.
pub type NoGoEngine = Host<NoGoAlgorithms>;

/// The algorithms of [`NoGoEngine`].
#[derive(Debug)]
pub enum NoGoAlgorithms {}

/// The search of `rave`, or with a network that of `puct`.
fn tree_search(options: &Options, network: Option<Arc<BoardNetwork>>) -> Box<dyn Searcher<NoGo>> {
    Box::new(TreeSearch::new(TreeSettings {
        network,
        memory: options.get(&HASH) << 20,
        threads: options.get(&THREADS),
        seed: options.get(&SEED),
    }))
}

impl GameEngine for NoGoAlgorithms {
    type Game = NoGo;
    const NAME: &'static str = concat!("Agon NoGo ", env!("CARGO_PKG_VERSION"));
    /// Values are expected outcomes, and there are no draws: no curve is needed.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.0 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const ALGORITHMS: &'static [Algorithm<NoGo>] = &[
        Algorithm {
            name: "puct",
            about: "Monte Carlo tree search guided by a network that was trained by self-play, with exact ends",
            uses: &[MCTS_OPTIONS, &[THREADS.def, NETWORK.def]],
            build: |options| Ok(tree_search(options, Some(network(options)))),
        },
        Algorithm {
            name: "rave",
            about: "Monte Carlo tree search with playouts, rapid action values and exact ends",
            uses: &[MCTS_OPTIONS, &[THREADS.def]],
            build: |options| Ok(tree_search(options, None)),
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search whose leaves are valued by mobility, without playouts",
            uses: &[MCTS_OPTIONS],
            build: |options| {
                let settings = MctsSettings {
                    exploration: f64::from(params::exploration()) / 100.0,
                    ..options.mcts_settings()
                };
                Ok(Box::new(Mcts::new(settings, NoGoEvaluator)))
            },
        },
        Algorithm {
            name: "uct",
            about: "plain UCT: UCB1 and random playouts",
            uses: &[MCTS_OPTIONS],
            build: |options| {
                let plain = MctsSettings { simulations: 1, prior: None, ..options.mcts_settings() };
                let settings = MctsSettings {
                    exploration: f64::from(params::uct_exploration()) / 100.0,
                    ..plain
                };
                Ok(Box::new(Mcts::new(settings, NoGoEvaluator)))
            },
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params()]
    }

    /// A game lasts about 60 moves.
    fn moves_left(game: &NoGo) -> u32 {
        let left = game.empty().count_ones() / params::empty_points_per_move();
        left.max(params::moves_left_min())
    }
}
