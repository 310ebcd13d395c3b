//! The engine: options turned into a searcher.

use crate::estimate::StaticEstimate;
use crate::options::Options;
use agon_protocol::Record;
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::engine::{Control, Engine};
use agon_protocol::message::{Info, Limits};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_search::clock::Pace;
use agon_search::expectimax::{Expectimax, think};
use agon_search::searcher::Searcher;
use agon_search::simple::Random;
use agon_search::table::Table;
use std::time::Duration;

/// A game has about a hundred turns, of which the last ones are quickly decided.
const PACE: Pace = Pace { overhead: Duration::from_millis(10), moves_left: 40 };

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
        match options.algorithm.as_str() {
            "random" => Box::new(Random { seed: options.seed }),
            _ => Box::new(Expectimax {
                estimator: StaticEstimate,
                table: self.hash_table(),
                max_depth: 1,
                seed: options.seed,
            }),
        }
    }

    fn hash_table(&self) -> Option<Table> {
        Table::new(self.options.hash)
            .map_err(|error| log::warn!("{error}; searching without a table"))
            .ok()
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

    fn search(
        &mut self,
        record: &Record<DarkChess>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> DarkMove {
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build());
        let m = think(searcher.as_mut(), record, limits, PACE, control, report);
        self.searcher = Some(searcher);
        m
    }
}
