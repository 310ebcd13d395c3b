//! The engine: options turned into a searcher, and the set-up.

use crate::evaluation::{PairEvaluator, RaceEvaluator};
use crate::layout_choice;
use crate::options::Options;
use crate::pairs::Network;
use crate::race_distribution::RaceDistributions;
use crate::simulator::EinSteinSimulator;
use agon_einstein_studies::PaperMcts;
use agon_protocol::einstein::{EinStein, MissingDie, Move, Stage};
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

/// An own move takes a quarter of those that a game takes, and a little more.
const PACE: TimeManagement = TimeManagement { overhead: Duration::from_millis(10), moves_left: 12 };

/// The engine program's state.
pub struct EinSteinEngine {
    options: Options,
    searcher: Option<Box<dyn Searcher<EinStein>>>,
    /// The reading of the rules that the searcher was built for.
    rule: Option<MissingDie>,
}

impl Default for EinSteinEngine {
    fn default() -> Self {
        EinSteinEngine::new()
    }
}

impl EinSteinEngine {
    /// With default options.
    pub fn new() -> EinSteinEngine {
        EinSteinEngine { options: Options::default(), searcher: None, rule: None }
    }

    /// The options as they are set.
    pub fn settings(&self) -> &Options {
        &self.options
    }

    fn build(&self, rule: MissingDie) -> Box<dyn Searcher<EinStein>> {
        let options = &self.options;
        match options.algorithm.as_str() {
            "random" => Box::new(Random { seed: options.seed }),
            "greedy" => Box::new(self.race_search(1)),
            "expectimax" => Box::new(self.race_search(options.depth)),
            "mcts-paper" => {
                let (settings, simulator) = (options.paper(), self.simulator());
                Box::new(PaperMcts { settings, simulator })
            }
            "mcts" => Box::new(Mcts::new(options.mcts(), self.simulator())),
            _ => {
                self.report_endgame_table(rule);
                Box::new(Expectimax {
                    evaluator: PairEvaluator::new(rule, options.table.clone()),
                    table: self.hash_table(),
                    max_depth: 40,
                    seed: options.seed,
                })
            }
        }
    }

    fn simulator(&self) -> EinSteinSimulator {
        let o = &self.options;
        if (o.progressive_bias || o.prior_knowledge || o.epsilon_greedy) && o.net.is_none() {
            log::warn!("no NTuple file: V(b) comes from the race distributions");
        }
        EinSteinSimulator::new(o.threads, o.playout_policy(), o.board_value())
    }

    fn report_endgame_table(&self, rule: MissingDie) {
        match &self.options.table {
            None => log::warn!("no TableFile: playing without the endgame table, a little weaker"),
            Some(table) if table.indexer().rule() != rule => log::warn!(
                "the endgame table is for the other reading of missing numbers: playing without it"
            ),
            Some(table) => log::info!("exact values up to {} stones", table.indexer().stones()),
        }
    }

    fn race_search(&self, max_depth: u32) -> Expectimax<RaceEvaluator> {
        let (table, seed) = (self.hash_table(), self.options.seed);
        Expectimax { evaluator: RaceEvaluator, table, max_depth, seed }
    }

    fn hash_table(&self) -> Option<TranspositionTable> {
        TranspositionTable::new(self.options.hash)
            .map_err(|error| log::warn!("{error}; searching without a table"))
            .ok()
    }
}

impl Engine for EinSteinEngine {
    type Game = EinStein;

    fn name(&self) -> String {
        format!("Agon EinStein {}", env!("CARGO_PKG_VERSION"))
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
        // The reading is known from the position only; a match keeps to one.
        let rule = *self.rule.get_or_insert_default();
        RaceDistributions::of(rule);
        Network::own(rule);
        if self.searcher.is_none() {
            self.searcher = Some(self.build(rule));
        }
    }

    /// Before a roll, where one side wins whatever the dice show: by a tablebase's value, which is
    /// within [`crate::tablebase::MAX_ERROR`] of the truth.
    fn tablebase_outcome(&mut self, record: &Record<EinStein>) -> Option<Outcome> {
        let state = record.current();
        let mover = state.player();
        match self.options.table.as_ref()?.probe(state)?.0 {
            u16::MAX => Some(Outcome::Win(mover)),
            0 => Some(Outcome::Win(mover.opponent())),
            _ => None,
        }
    }

    fn search(
        &mut self,
        record: &Record<EinStein>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> Move {
        if let Stage::SetUp(player) = record.current().stage() {
            return layout_choice::choose_layout(&self.options, record, player);
        }
        let rule = record.current().missing_die();
        if self.rule != Some(rule) {
            self.searcher = None;
            self.rule = Some(rule);
        }
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build(rule));
        let m = search_under_limits(searcher.as_mut(), record, limits, PACE, control, report);
        self.searcher = Some(searcher);
        m
    }
}
