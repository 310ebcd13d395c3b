//! The engine that a manager talks to: options, and the searcher that they describe.

use crate::mcts;
use crate::reference_eval::XiangqiEvaluator;
use crate::search::{self, XiangqiSearch};
use crate::tablebase::XiangqiTablebase;
use agon_protocol::engine::{Control, Engine};
use agon_protocol::message::{Info, Limits};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_protocol::xiangqi::{Xiangqi, XiangqiMove};
use agon_protocol::{Outcome, Record};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::{Greedy, Random};
use agon_search::clock::TimeManagement;
use agon_search::mcts::Mcts;
use agon_search::pvs::Pvs;
use agon_search::score::MAX_DEPTH;
use agon_search::searcher::{Searcher, search_under_limits};
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_tablebase::Wdl;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The algorithms by their names in the option `Algorithm`; the first is the default.
const ALGORITHMS: [&str; 6] = ["best", "mcts", "pvs", "alphabeta", "greedy", "random"];

/// Moves that a side is expected to have still before it, for dividing the clock.
const MOVES_LEFT: u32 = 40;

/// More threads than any machine has that this runs on.
const MOST_THREADS: i64 = 512;

/// What the options say.
#[derive(Clone, Debug, Default)]
struct Settings {
    algorithm: String,
    threads: usize,
    hash: usize,
    seed: u64,
    overhead: Duration,
    table_path: String,
    tables: Option<Arc<XiangqiTablebase>>,
}

impl Settings {
    /// The endgame tables for the search, if there are any.
    fn tablebase(&self) -> Option<Arc<dyn search::Tablebase>> {
        self.tables.clone().map(|tables| tables as Arc<dyn search::Tablebase>)
    }

    /// Opens the folder of endgame tables; an empty path closes it.
    fn open_tables(&mut self, path: &str) -> Result<(), String> {
        let tables = match path {
            // Some managers write an empty string so.
            "" | "<empty>" => None,
            _ => Some(XiangqiTablebase::open(Path::new(path)).map_err(|e| e.to_string())?),
        };
        if tables.as_ref().is_some_and(XiangqiTablebase::is_empty) {
            return Err(format!("{path} holds no tablebase; `xiangqi table build` makes them"));
        }
        self.tables = tables.map(Arc::new);
        self.table_path = if self.tables.is_some() { path.into() } else { String::new() };
        Ok(())
    }
}

/// The Xiangqi engine.
pub struct XiangqiEngine {
    settings: Settings,
    /// Built when first needed: an option may change what is built.
    searcher: Option<Box<dyn Searcher<Xiangqi>>>,
}

impl XiangqiEngine {
    /// The default options.
    pub fn new() -> XiangqiEngine {
        let overhead = TimeManagement::default().overhead;
        let algorithm = ALGORITHMS[0].into();
        let settings =
            Settings { algorithm, threads: 1, hash: 64, seed: 1, overhead, ..Settings::default() };
        XiangqiEngine { settings, searcher: None }
    }

    /// What the option `Hash` says: how large the searches' tables are, in units of 2^20 bytes.
    pub fn hash(&self) -> usize {
        self.settings.hash
    }

    fn build(&self) -> Result<Box<dyn Searcher<Xiangqi>>, AllocationError> {
        let (seed, evaluator) = (self.settings.seed, XiangqiEvaluator);
        Ok(match self.settings.algorithm.as_str() {
            "random" => Box::new(Random { seed }),
            "greedy" => Box::new(Greedy { evaluator, seed }),
            "alphabeta" => Box::new(AlphaBeta { evaluator, max_depth: MAX_DEPTH, deepening: true }),
            "pvs" => Box::new(Pvs::new(evaluator, TranspositionTable::new(self.settings.hash)?)),
            "mcts" => Box::new(Mcts::new(
                mcts::settings(seed, self.settings.hash),
                mcts::XiangqiMctsEvaluator,
            )),
            _ => {
                let &Settings { threads, hash, .. } = &self.settings;
                let tablebase = self.settings.tablebase();
                let settings = search::SearchSettings { threads, hash, tablebase };
                Box::new(XiangqiSearch::new(settings)?)
            }
        })
    }

    /// [`XiangqiEngine::build`] with as large a table as there is memory for.
    fn build_whatever_fits(&mut self) -> Box<dyn Searcher<Xiangqi>> {
        loop {
            match self.build() {
                Ok(searcher) => return searcher,
                Err(e) => log::warn!("{e}; trying half of it"),
            }
            self.settings.hash /= 2;
        }
    }
}

impl Default for XiangqiEngine {
    fn default() -> XiangqiEngine {
        XiangqiEngine::new()
    }
}

impl Engine for XiangqiEngine {
    type Game = Xiangqi;

    fn name(&self) -> String {
        concat!("Agon Xiangqi ", env!("CARGO_PKG_VERSION")).into()
    }

    /// `Threads` is for `best`; `Hash` (MiB) for `best`, `mcts` and `pvs`; `Seed` for `mcts`,
    /// `random` and `greedy`; `MoveOverhead` is in milliseconds;
    /// `TablePath` is a folder of endgame tables for `best`.
    fn options(&self) -> Vec<OptionSpec> {
        let s = &self.settings;
        vec![
            OptionSpec::combo("Algorithm", &s.algorithm, &ALGORITHMS),
            OptionSpec::spin("Threads", s.threads as i64, 1, MOST_THREADS),
            OptionSpec::spin("Hash", s.hash as i64, 1, 1 << 20),
            OptionSpec::spin("Seed", s.seed as i64, 0, i64::MAX),
            OptionSpec::spin("MoveOverhead", s.overhead.as_millis() as i64, 0, 60_000),
            OptionSpec::text("TablePath", &s.table_path),
        ]
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        let before = self.settings.clone();
        let s = &mut self.settings;
        match (name, value) {
            ("Algorithm", OptionValue::Text(word)) => s.algorithm.clone_from(word),
            ("Threads", OptionValue::Spin(n)) => s.threads = *n as usize,
            ("Hash", OptionValue::Spin(n)) => s.hash = *n as usize,
            ("Seed", OptionValue::Spin(n)) => s.seed = *n as u64,
            ("MoveOverhead", OptionValue::Spin(ms)) => {
                s.overhead = Duration::from_millis(*ms as u64);
            }
            ("TablePath", OptionValue::Text(path)) => {
                let opened = s.open_tables(path);
                opened.map_err(|reason| OptionError::Refused { name: name.into(), reason })?;
            }
            _ => {
                let reason = "not an option of this engine, or not its kind of value".into();
                return Err(OptionError::Refused { name: name.into(), reason });
            }
        }
        // The old table is given back before the new one is asked for.
        self.searcher = None;
        if name == "Hash" {
            match self.build() {
                Ok(searcher) => self.searcher = Some(searcher),
                Err(e) => {
                    self.settings = before;
                    return Err(OptionError::Refused { name: name.into(), reason: e.to_string() });
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn prepare(&mut self) {
        if self.searcher.is_none() {
            self.searcher = Some(self.build_whatever_fits());
        }
    }

    /// A win that `DrawPlies` might forestall is not certain; see [`crate::tablebase`] for what is
    /// assumed about repetition.
    fn tablebase_outcome(&mut self, record: &Record<Xiangqi>) -> Option<Outcome> {
        let game = record.current();
        let value = self.settings.tables.as_ref()?.probe(game)?;
        let mover = game.side_to_move();
        let certain = value.certain_within(game.quiet_plies(), game.rules().draw_plies);
        certain.then_some(match value.wdl() {
            Wdl::Draw => Outcome::Draw,
            Wdl::Win => Outcome::Win(mover),
            Wdl::Loss => Outcome::Win(mover.opponent()),
        })
    }

    fn search(
        &mut self,
        record: &Record<Xiangqi>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> XiangqiMove {
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build_whatever_fits());
        let pace = TimeManagement { overhead: self.settings.overhead, moves_left: MOVES_LEFT };
        let m = search_under_limits(&mut *searcher, record, limits, pace, control, report);
        self.searcher = Some(searcher);
        m
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::option::RuleSet;
    use agon_protocol::xiangqi::XiangqiRules;
    use std::io::Cursor;

    fn talk(lines: &str) -> String {
        let mut output = Vec::new();
        let input = Cursor::new(lines.to_string());
        agon_protocol::serve::serve(XiangqiEngine::new(), input, &mut output).unwrap();
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
