//! The engine: options turned into a searcher.

use crate::baseline::SampledAlphaBeta;
use crate::evaluator::DarkChessEvaluator;
use crate::options::Options;
use crate::playouts::DarkChessPlayouts;
use crate::search::{DarkChessSearch, SearchMode};
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::engine::{Control, Engine};
use agon_protocol::message::{Info, Limits};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_protocol::{Outcome, Record};
use agon_search::baseline::Random;
use agon_search::clock::TimeManagement;
use agon_search::expectimax::{Expectimax, search_under_limits};
use agon_search::mcts::Mcts;
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use std::time::Duration;

/// A game has about a hundred turns, of which the last ones are quickly decided.
const PACE: TimeManagement = TimeManagement { overhead: Duration::from_millis(10), moves_left: 40 };

/// The engine program's state.
#[derive(Default)]
pub struct DarkChessEngine {
    options: Options,
    searcher: Option<Box<dyn Searcher<DarkChess>>>,
}

impl DarkChessEngine {
    /// With default options.
    pub fn new() -> DarkChessEngine {
        DarkChessEngine::default()
    }

    /// The options as they are set.
    pub fn settings(&self) -> &Options {
        &self.options
    }

    fn build(&self) -> Box<dyn Searcher<DarkChess>> {
        let options = &self.options;
        let (seed, tablebase) = (options.seed, options.table.clone());
        match options.algorithm.as_str() {
            "random" => Box::new(Random { seed }),
            "greedy" => {
                let table = None;
                Box::new(Expectimax { evaluator: DarkChessEvaluator, table, max_depth: 1, seed })
            }
            "alphabeta" => Box::new(SampledAlphaBeta { samples: options.samples, seed }),
            "mcts" => Box::new(Mcts::new(options.mcts(), DarkChessPlayouts::new(tablebase))),
            _ => {
                if tablebase.is_none() {
                    log::warn!("no TableFile: playing without the endgame table, a little weaker");
                }
                let (threads, mode) = (options.threads, SearchMode::Play);
                Box::new(DarkChessSearch { tt: self.hash_table(), tablebase, threads, seed, mode })
            }
        }
    }

    /// As large as the option says, or as memory allows.
    fn hash_table(&self) -> TranspositionTable {
        let mut megabytes = self.options.hash;
        loop {
            match TranspositionTable::new(megabytes) {
                Ok(table) => return table,
                Err(error) if megabytes > 0 => {
                    log::warn!("{error}");
                    megabytes /= 2;
                }
                Err(error) => panic!("{error}: not even the smallest table fits"),
            }
        }
    }
}

impl Engine for DarkChessEngine {
    type Game = DarkChess;

    fn name(&self) -> String {
        format!("Agon Dark Chess {}", env!("CARGO_PKG_VERSION"))
    }

    fn options(&self) -> Vec<OptionSpec> {
        self.options.specs()
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        self.options.set(name, value)?;
        self.searcher = None;
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn prepare(&mut self) {
        if self.searcher.is_none() {
            self.searcher = Some(self.build());
        }
    }

    /// A win that `DrawPlies` might forestall is not certain.
    fn tablebase_outcome(&mut self, record: &Record<DarkChess>) -> Option<Outcome> {
        let game = record.current();
        let value = self.options.table.as_ref()?.probe(game)?;
        let Some(plies) = value.plies() else { return Some(Outcome::Draw) };
        let limit = game.draw_plies();
        let in_time = limit == 0 || game.quiet_plies() + u16::from(plies) <= limit;
        let winner = if value.is_win() { game.mover() } else { game.mover().opponent() };
        in_time.then_some(Outcome::Win(winner))
    }

    fn search(
        &mut self,
        record: &Record<DarkChess>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> DarkMove {
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build());
        let m = search_under_limits(searcher.as_mut(), record, limits, PACE, control, report);
        self.searcher = Some(searcher);
        m
    }
}
