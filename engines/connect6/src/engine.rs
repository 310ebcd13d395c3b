//! The engine that a manager talks to: options, and the searcher that they describe.

use crate::best::Best;
use crate::play::{Connect6Evaluator, Connect6MctsEvaluator, SearchPosition, Weights};
use agon_protocol::Record;
use agon_protocol::connect6::{Connect6, Connect6Move};
use agon_protocol::engine::{Control, Engine};
use agon_protocol::message::{Info, Limits};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::Random;
use agon_search::clock::TimeManagement;
use agon_search::mcts::{self, Mcts};
use agon_search::pvs::Pvs;
use agon_search::score::MAX_DEPTH;
use agon_search::searcher::{Searcher, search_under_limits};
use agon_search::transposition::{AllocationError, TranspositionTable};
use std::time::Duration;

/// The algorithms by their names in the option `Algorithm`; the first is the default.
const ALGORITHMS: [&str; 5] = ["best", "pvs", "alphabeta", "mcts", "random"];

/// The evaluation's weights by their names in the option `Evaluation`; the first is the default.
const EVALUATIONS: [(&str, Weights); 3] =
    [("tuned", Weights::TUNED), ("rule", Weights::RULE), ("full", Weights::FULL)];

/// Turns that a side is expected to have still before it, for dividing the clock.
const MOVES_LEFT: u32 = 20;

/// What the options say.
#[derive(Clone, Debug)]
struct Settings {
    algorithm: String,
    /// An index into [`EVALUATIONS`].
    evaluation: usize,
    threads: usize,
    hash: usize,
    seed: u64,
    overhead: Duration,
}

/// The Connect6 engine.
pub struct Connect6Engine {
    settings: Settings,
    /// Built when first needed: an option may change what is built.
    searcher: Option<Built>,
}

/// A searcher: `best` is told the time of each turn.
enum Built {
    Best(Box<Best>),
    Other(Box<dyn Searcher<SearchPosition>>),
}

impl Connect6Engine {
    /// The default options.
    pub fn new() -> Connect6Engine {
        let overhead = TimeManagement::default().overhead;
        let algorithm = ALGORITHMS[0].into();
        let settings =
            Settings { algorithm, evaluation: 0, threads: 1, hash: 64, seed: 1, overhead };
        Connect6Engine { settings, searcher: None }
    }

    fn build(&self) -> Result<Built, AllocationError> {
        let (seed, hash) = (self.settings.seed, self.settings.hash);
        let evaluator = Connect6Evaluator::default();
        Ok(Built::Other(match self.settings.algorithm.as_str() {
            "best" => {
                let best = Best::new(TranspositionTable::new(hash)?, self.settings.threads);
                return Ok(Built::Best(Box::new(best)));
            }
            "alphabeta" => Box::new(AlphaBeta { evaluator, max_depth: MAX_DEPTH, deepening: true }),
            "mcts" => {
                let settings = mcts::MctsSettings {
                    simulations: 1,
                    exploration: 0.4,
                    bias: None,
                    prior: Some(1.0),
                    iterations: None,
                    memory: hash.saturating_mul(1 << 20),
                    seed,
                };
                Box::new(Mcts::new(settings, Connect6MctsEvaluator))
            }
            "random" => Box::new(Random { seed }),
            _ => Box::new(Pvs::new(evaluator, TranspositionTable::new(hash)?)),
        }))
    }

    /// [`Connect6Engine::build`] with as large a table as there is memory for.
    fn build_whatever_fits(&mut self) -> Built {
        loop {
            match self.build() {
                Ok(searcher) => return searcher,
                Err(e) => log::warn!("{e}; trying half of it"),
            }
            self.settings.hash /= 2;
        }
    }
}

impl Default for Connect6Engine {
    fn default() -> Connect6Engine {
        Connect6Engine::new()
    }
}

impl Engine for Connect6Engine {
    type Game = Connect6;

    fn name(&self) -> String {
        concat!("Agon Connect6 ", env!("CARGO_PKG_VERSION")).into()
    }

    /// `Evaluation` is what all but `random` weigh windows by; `Threads` is for `best`, `Hash` (MiB)
    /// for `best`, `pvs` and `mcts`, `Seed` for `random` and `mcts`; `MoveOverhead` is in
    /// milliseconds.
    fn options(&self) -> Vec<OptionSpec> {
        let s = &self.settings;
        vec![
            OptionSpec::combo("Algorithm", &s.algorithm, &ALGORITHMS),
            OptionSpec::combo("Evaluation", EVALUATIONS[s.evaluation].0, &EVALUATIONS.map(|e| e.0)),
            OptionSpec::spin("Threads", s.threads as i64, 1, 64),
            OptionSpec::spin("Hash", s.hash as i64, 1, 1 << 20),
            OptionSpec::spin("Seed", s.seed as i64, 0, i64::MAX),
            OptionSpec::spin("MoveOverhead", s.overhead.as_millis() as i64, 0, 60_000),
        ]
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        let before = self.settings.clone();
        let s = &mut self.settings;
        match (name, value) {
            ("Algorithm", OptionValue::Text(word)) => s.algorithm.clone_from(word),
            ("Evaluation", OptionValue::Text(word)) => {
                s.evaluation = EVALUATIONS.iter().position(|e| e.0 == word).unwrap_or(0);
            }
            ("Threads", OptionValue::Spin(n)) => s.threads = *n as usize,
            ("Hash", OptionValue::Spin(n)) => s.hash = *n as usize,
            ("Seed", OptionValue::Spin(n)) => s.seed = *n as u64,
            ("MoveOverhead", OptionValue::Spin(ms)) => {
                s.overhead = Duration::from_millis(*ms as u64);
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
        match &mut self.searcher {
            Some(Built::Best(best)) => best.new_game(),
            Some(Built::Other(other)) => other.new_game(),
            None => {}
        }
    }

    fn prepare(&mut self) {
        if self.searcher.is_none() {
            self.searcher = Some(self.build_whatever_fits());
        }
    }

    fn search(
        &mut self,
        record: &Record<Connect6>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> Connect6Move {
        let pace = TimeManagement { overhead: self.settings.overhead, moves_left: MOVES_LEFT };
        if self.settings.algorithm == "random" {
            let mut random = Random { seed: self.settings.seed };
            return search_under_limits(&mut random, record, limits, pace, control, report);
        }
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build_whatever_fits());
        let position = Record::new(SearchPosition::with_weights(
            record.current(),
            EVALUATIONS[self.settings.evaluation].1,
        ));
        let m = match &mut searcher {
            Built::Best(best) => {
                search_under_limits(&mut **best, &position, limits, pace, control, report)
            }
            Built::Other(other) => {
                search_under_limits(&mut **other, &position, limits, pace, control, report)
            }
        };
        self.searcher = Some(searcher);
        m
    }
}
