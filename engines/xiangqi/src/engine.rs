//! The Xiangqi engine for the host: its algorithms, their options and builders.

use crate::evaluation::{NETWORK, network};
use crate::mcts::XiangqiMctsEvaluator;
use crate::reference_eval::XiangqiEvaluator;
use crate::search::{SearchSettings, SearchTablebase, XiangqiSearch, params};
use crate::tablebase::TABLE_PATH;
use agon_games::xiangqi::Xiangqi;
use agon_games::{Outcome, Record};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::Greedy;
use agon_search::host::{
    Algorithm, BELOW_FULL, GameEngine, HASH, Host, Level, MCTS_OPTIONS, MULTI_PV, Options, SEED,
    THREADS,
};
use agon_search::mcts::{Mcts, MctsSettings};
use agon_search::params::Param;
use agon_search::pvs::Pvs;
use agon_search::score::WinCurve;
use std::sync::Arc;

/// The Xiangqi engine.
pub type XiangqiEngine = Host<XiangqiAlgorithms>;

/// The algorithms of [`XiangqiEngine`].
#[derive(Debug)]
pub enum XiangqiAlgorithms {}

/// The settings of `best` that the options describe.
pub fn search_settings(options: &Options) -> SearchSettings {
    SearchSettings {
        threads: options.get(&THREADS),
        hash: options.get(&HASH),
        tablebase: options.get(&TABLE_PATH).map(|tables| tables as Arc<dyn SearchTablebase>),
        network: network(options),
    }
}

impl GameEngine for XiangqiAlgorithms {
    type Game = Xiangqi;
    const NAME: &'static str = concat!("Agon Xiangqi ", env!("CARGO_PKG_VERSION"));
    /// The slope at 0 is that of the logistic curve with which the network is trained
    /// ([`crate::evaluation::UNIT`]); that a third of the games between equals are drawn is an assumption.
    const WIN_CURVE: WinCurve = WinCurve { unit: 373.0, draws: 1.0 };
    const LEVELS: [Level; BELOW_FULL] = crate::levels::LEVELS;
    const ALGORITHMS: &'static [Algorithm<Xiangqi>] = &[
        Algorithm {
            name: "best",
            about: "principal variation search with pruning, reductions and extensions over a network",
            uses: &[&[THREADS.def, HASH.def, MULTI_PV.def, TABLE_PATH.def, NETWORK.def]],
            build: |options| Ok(Box::new(XiangqiSearch::new(search_settings(options))?)),
        },
        Algorithm {
            name: "mcts",
            about: "UCT with the network in place of playouts",
            uses: &[MCTS_OPTIONS, &[NETWORK.def]],
            build: |options| {
                let [exploration, bias] = [params::mcts_exploration(), params::mcts_bias()]
                    .map(|percent| f64::from(percent) / 100.0);
                let settings =
                    MctsSettings { exploration, bias: Some(bias), ..options.mcts_settings() };
                Ok(Box::new(Mcts::new(settings, XiangqiMctsEvaluator::new(network(options)))))
            },
        },
        Algorithm {
            name: "pvs",
            about: "plain principal variation search by material and piece-square values, a reference",
            uses: &[&[HASH.def, MULTI_PV.def]],
            build: |options| {
                Ok(Box::new(Pvs::new(XiangqiEvaluator, options.transposition_table()?)))
            },
        },
        Algorithm {
            name: "alphabeta",
            about: "alpha-beta without a table, with the evaluation of pvs",
            uses: &[&[MULTI_PV.def]],
            build: |_| Ok(Box::new(AlphaBeta::new(XiangqiEvaluator))),
        },
        Algorithm {
            name: "greedy",
            about: "the best move one ply ahead by the evaluation of pvs",
            uses: &[&[SEED.def]],
            build: |options| {
                Ok(Box::new(Greedy { evaluator: XiangqiEvaluator, seed: options.get(&SEED) }))
            },
        },
        Algorithm::RANDOM,
    ];

    fn params() -> Vec<&'static [Param]> {
        vec![params::params()]
    }

    fn moves_left(_game: &Xiangqi) -> u32 {
        params::moves_left()
    }

    /// A win that `DrawPlies` might prevent is not certain; [`crate::tablebase`] states the
    /// assumptions about repetition.
    fn tablebase_outcome(options: &Options, record: &Record<Xiangqi>) -> Option<Outcome> {
        let game = record.current();
        let (quiet, limit) = (game.quiet_plies(), game.rules().draw_plies);
        options.get(&TABLE_PATH)?.probe(game)?.certain_outcome(game.side_to_move(), quiet, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Game;
    use agon_games::option::{OptionValue, RuleSet};
    use agon_games::xiangqi::XiangqiRules;
    use agon_search::host::conformance::check_root_moves;
    use agon_wire::engine::Engine;
    use agon_wire::message::Limits;
    use std::io::Cursor;

    fn talk(lines: &str) -> String {
        let mut output = Vec::new();
        let input = Cursor::new(lines.to_string());
        agon_wire::serve::serve(XiangqiEngine::new(), input, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_forbidden_move_is_not_played_over_ucci() {
        let place = "position fen 3k5/9/4R4/9/9/9/9/9/8R/4K4 w - - 0 1";
        let free = talk(&format!("ucci\n{place}\ngo depth 3\n"));
        assert!(free.starts_with("id name Agon Xiangqi"), "{free}");
        let best = |text: &str| {
            let line = text.lines().find(|l| l.starts_with("bestmove")).unwrap();
            line.split(' ').nth(1).unwrap().to_string()
        };
        let first = best(&free);
        let banned = talk(&format!("ucci\n{place}\nbanmoves {first}\ngo depth 3\n"));
        assert_ne!(best(&banned), first, "{banned}");
    }

    #[test]
    fn every_algorithm_searches_only_the_moves_that_are_allowed() {
        let record = Record::new(Xiangqi::start(&XiangqiRules::default()));
        let limits = Limits::with_nodes(3000);
        check_root_moves(XiangqiEngine::new, &record, &limits).unwrap();
    }

    #[test]
    fn a_conversation_in_ucci_ends_politely() {
        assert!(talk("ucci\nquit\n").ends_with("ucciok\nbye\n"));
    }

    #[test]
    fn a_mate_is_found_by_the_searches() {
        for algorithm in ["best", "pvs", "alphabeta"] {
            let set = format!("setoption name Algorithm value {algorithm}");
            let place = "position fen 3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";
            let text = talk(&format!("ugi\n{set}\n{place}\ngo depth 3\n"));
            let either = ["a2d2", "b1d1"].map(|m| format!("score mate 1 pv {m}"));
            assert!(either.iter().any(|line| text.contains(line)), "{text}");
        }
    }

    #[test]
    fn a_folder_without_endgame_tables_is_refused() {
        let dir = tempfile::TempDir::new().unwrap();
        let mut engine = XiangqiEngine::new();
        let set = |path: String| OptionValue::Text(path);
        let value = set(dir.path().display().to_string());
        let refused = engine.set_option("TablePath", &value).unwrap_err();
        assert!(refused.to_string().contains("holds no tablebase"), "{refused}");
        assert!(engine.set_option("TablePath", &set("/no/such/folder".into())).is_err());
        assert_eq!(engine.set_option("TablePath", &set(String::new())), Ok(()));
    }

    #[test]
    fn the_rule_limits_are_options() {
        let text = talk("ugi\nquit\n");
        for option in XiangqiRules::options() {
            assert!(text.contains(&format!("option {option}")), "{text}");
        }
    }
}
