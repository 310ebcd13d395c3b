//! The dark-chess engine for the host: its algorithms, their options and builders.

use crate::baseline::SampledAlphaBeta;
use crate::evaluation::{DarkChessNetworkEvaluator, NETWORK, network};
use crate::evaluator::DarkChessEvaluator;
use crate::playouts::DarkChessPlayouts;
use crate::search::{DarkChessSearch, SearchMode, params};
use crate::tablebase;
use agon_games::darkchess::DarkChess;
use agon_games::{Outcome, Record};
use agon_search::expectimax::Expectimax;
use agon_search::host::{
    Algorithm, BELOW_FULL, GameEngine, HASH, Host, Level, MCTS_OPTIONS, MULTI_PV, Options, SEED,
    Setting, THREADS,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::score::WinCurve;
use agon_wire::engine::Control;

/// The dark-chess engine.
pub type DarkChessEngine = Host<DarkChessAlgorithms>;

/// The algorithms of [`DarkChessEngine`].
#[derive(Debug)]
pub enum DarkChessAlgorithms {}

const SIMULATIONS: Setting<u32> =
    Setting::spin("Simulations", 1, 0, 1_000, "Playouts of each new node");
const EXPLORATION: Setting<u32> =
    Setting::spin("Exploration", 30, 0, 1_000, "Exploration constant c of UCB1, times 100");
const SAMPLES: Setting<u32> =
    Setting::spin("Samples", 4, 1, 100, "Outcomes searched for each flip");

impl GameEngine for DarkChessAlgorithms {
    type Game = DarkChess;
    const NAME: &'static str = concat!("Agon Dark Chess ", env!("CARGO_PKG_VERSION"));
    /// Values are expected outcomes; the odds of a draw are fitted to 115 games of `best` against
    /// itself at 3000 nodes per move.
    const WIN_CURVE: WinCurve = WinCurve { unit: 100.0, draws: 0.2 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const ALGORITHMS: &'static [Algorithm<DarkChess>] = &[
        Algorithm {
            name: "best",
            about: "principal variation search with Star1 and Star2 at flips, and a tablebase",
            uses: &[
                &[THREADS.def, HASH.def, SEED.def, MULTI_PV.def],
                tablebase::OPTIONS,
                &[NETWORK.def],
            ],
            build: |options| {
                Ok(Box::new(DarkChessSearch {
                    tt: options.transposition_table()?,
                    tablebase: tablebase::chosen(options),
                    network: network(options),
                    threads: options.get(&THREADS),
                    seed: options.get(&SEED),
                    mode: SearchMode::Play,
                }))
            },
        },
        Algorithm {
            name: "mcts",
            about: "Monte Carlo tree search with chance nodes and short playouts",
            uses: &[
                MCTS_OPTIONS,
                tablebase::OPTIONS,
                &[NETWORK.def, SIMULATIONS.def, EXPLORATION.def],
            ],
            build: |options| {
                let settings = MctsSettings {
                    simulations: options.get(&SIMULATIONS),
                    exploration: f64::from(options.get(&EXPLORATION)) / 100.0,
                    prior: Some(params::prior_visits().into()),
                    ..options.mcts_settings()
                };
                let evaluator = DarkChessNetworkEvaluator::new(network(options));
                let playouts = DarkChessPlayouts::new(evaluator, tablebase::chosen(options));
                Ok(Box::new(Mcts::new(settings, playouts)))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "the baseline: alpha-beta with fixed piece values and sampled flips",
            uses: &[&[SEED.def, MULTI_PV.def, SAMPLES.def]],
            build: |options| {
                let (samples, seed) = (options.get(&SAMPLES), options.get(&SEED));
                Ok(Box::new(SampledAlphaBeta { samples, seed }))
            },
        },
        Algorithm {
            name: "greedy",
            about: "expectimax one move deep over the static evaluation of best",
            uses: &[&[SEED.def, NETWORK.def]],
            build: |options| {
                let evaluator =
                    DarkChessEvaluator(DarkChessNetworkEvaluator::new(network(options)));
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

    fn prepare(options: &Options, control: &Control) -> bool {
        tablebase::prepare(options, control)
    }

    /// A win is not certain if `DrawPlies` might prevent it.
    fn tablebase_outcome(options: &Options, record: &Record<DarkChess>) -> Option<Outcome> {
        let game = record.current();
        let value = tablebase::chosen(options)?.probe(game)?;
        value.certain_outcome(game.mover(), game.quiet_plies(), game.draw_plies())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::game::Game;
    use agon_search::host::conformance;
    use agon_wire::message::Limits;

    #[test]
    fn every_algorithm_searches_allowed_root_moves_only() {
        for fen in ["4/4/1gK1/4/4/2?1/1p2/k3 b r P - 0", "4/4/1kG1/4/2?1/4/1p2/K3 b r R - 0"] {
            let record = Record::new(DarkChess::parse_fen(fen, &Default::default()).unwrap());
            let limits = Limits::with_nodes(3000);
            conformance::check_root_moves(DarkChessEngine::new, &record, &limits).unwrap();
        }
    }
}
