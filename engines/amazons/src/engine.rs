//! The engine that a manager talks to: options, and the searcher that they describe.

use crate::eval::{self, Term};
use crate::filling::Filler;
use crate::judge::Judge;
use crate::params;
use crate::territory::settle;
use agon_protocol::Record;
use agon_protocol::amazons::{Amazons, AmazonsMove};
use agon_protocol::engine::{Control, Engine};
use agon_protocol::game::Game;
use agon_protocol::message::{Info, Limits, Score};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::{Greedy, Random};
use agon_search::clock::TimeManagement;
use agon_search::pvs::Pvs;
use agon_search::score::MAX_DEPTH;
use agon_search::searcher::{Searcher, search_under_limits};
use agon_search::selective::SelectiveSearch;
use agon_search::transposition::{AllocationError, TranspositionTable};
use std::iter;
use std::time::{Duration, Instant};

/// The algorithms by their names in the option `Algorithm`; the first is the default.
const ALGORITHMS: [&str; 5] = ["best", "pvs", "alphabeta", "greedy", "random"];

/// The evaluations by their names in the option `Evaluation`; `auto` is `tuned` for `best` and
/// `paper` for all others.
const EVALUATIONS: [&str; 3] = ["auto", "paper", "tuned"];

/// The value of `Without` that leaves nothing out.
const NOTHING: &str = "none";

/// Positions of fillings that playing a separated position out may cost each move: some milliseconds.
const SETTLE_BUDGET: u64 = 1000;

/// What the options say.
#[derive(Clone, Debug)]
struct Settings {
    algorithm: String,
    threads: usize,
    hash: usize,
    seed: u64,
    max_depth: u32,
    deepening: bool,
    overhead: Duration,
    evaluation: String,
    /// The term that is left out of the evaluation, if any.
    without: Option<Term>,
    solver: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: ALGORITHMS[0].into(),
            threads: 1,
            hash: 64,
            seed: 1,
            max_depth: 11,
            deepening: true,
            overhead: TimeManagement::default().overhead,
            evaluation: EVALUATIONS[0].into(),
            without: None,
            solver: true,
        }
    }
}

/// The Amazons engine.
#[derive(Default)]
pub struct AmazonsEngine {
    settings: Settings,
    /// Built when first needed: an option may change what is built.
    searcher: Option<Box<dyn Searcher<Amazons>>>,
}

impl AmazonsEngine {
    /// The default options.
    pub fn new() -> AmazonsEngine {
        AmazonsEngine::default()
    }

    fn judge(&self) -> Judge {
        let s = &self.settings;
        let is_best = s.algorithm == "best";
        let weights = match s.evaluation.as_str() {
            "tuned" => eval::tuned_weights(),
            "auto" if is_best => eval::tuned_weights(),
            _ => eval::paper_weights(),
        };
        let weights = match s.without {
            Some(term) => weights.without(term),
            None => weights,
        };
        Judge::new(weights, s.solver && is_best)
    }

    fn build(&self) -> Result<Box<dyn Searcher<Amazons>>, AllocationError> {
        let Settings { seed, max_depth, deepening, hash, threads, .. } = self.settings;
        let evaluator = self.judge();
        Ok(match self.settings.algorithm.as_str() {
            "random" => Box::new(Random { seed }),
            "greedy" => Box::new(Greedy { evaluator, seed }),
            "alphabeta" => Box::new(AlphaBeta { evaluator, max_depth, deepening }),
            "pvs" => Box::new(Pvs::new(evaluator, TranspositionTable::new(hash)?)),
            _ => {
                let settings = params::settings(threads);
                Box::new(SelectiveSearch::new(evaluator, TranspositionTable::new(hash)?, settings))
            }
        })
    }

    /// Plays a separated position out, where `best` may and its solver settles it quickly: no
    /// search finds anything better.
    fn settle(
        &self,
        game: &Amazons,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> Option<AmazonsMove> {
        let s = &self.settings;
        if s.algorithm != "best" || !s.solver || limits.infinite || limits.ponder {
            return None;
        }
        let started = Instant::now();
        let stop = || control.stopped();
        let (m, settled) = settle(&mut Filler::default(), game, SETTLE_BUDGET, stop)?;
        let side = game.side_to_move();
        let plies = settled.plies(side)? as i32;
        let mate = if settled.winner(side)? == side { plies } else { -plies };
        report(Info {
            depth: Some(1),
            nodes: Some(1),
            time: Some(started.elapsed()),
            score: Some(Score::Mate(mate)),
            pv: vec![game.move_token(m)],
            ..Info::default()
        });
        Some(m)
    }

    /// [`AmazonsEngine::build`] with as large a table as there is memory for.
    fn build_whatever_fits(&mut self) -> Box<dyn Searcher<Amazons>> {
        loop {
            match self.build() {
                Ok(searcher) => return searcher,
                Err(e) => log::warn!("{e}; trying half of it"),
            }
            self.settings.hash /= 2;
        }
    }
}

impl Engine for AmazonsEngine {
    type Game = Amazons;

    fn name(&self) -> String {
        concat!("Agon Amazons ", env!("CARGO_PKG_VERSION")).into()
    }

    /// `MaxDepth` and `Deepening` are for `alphabeta`, `Hash` for `pvs` and `best`, `Seed` for
    /// `random` and `greedy`, `Threads` and `Solver` for `best`. `MoveOverhead` is in
    /// milliseconds. `Without` leaves one term out of the evaluation: a match against the whole
    /// one shows what the term is worth.
    fn options(&self) -> Vec<OptionSpec> {
        let s = &self.settings;
        let without = s.without.map_or(NOTHING, Term::name);
        let terms: Vec<&str> = iter::once(NOTHING).chain(Term::ALL.map(Term::name)).collect();
        vec![
            OptionSpec::combo("Algorithm", &s.algorithm, &ALGORITHMS),
            OptionSpec::spin("Threads", s.threads as i64, 1, 64),
            OptionSpec::spin("Hash", s.hash as i64, 1, 1 << 20),
            OptionSpec::spin("Seed", s.seed as i64, 0, i64::MAX),
            OptionSpec::spin("MaxDepth", i64::from(s.max_depth), 1, i64::from(MAX_DEPTH)),
            OptionSpec::check("Deepening", s.deepening),
            OptionSpec::spin("MoveOverhead", s.overhead.as_millis() as i64, 0, 60_000),
            OptionSpec::combo("Evaluation", &s.evaluation, &EVALUATIONS),
            OptionSpec::combo("Without", without, &terms),
            OptionSpec::check("Solver", s.solver),
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
            ("MaxDepth", OptionValue::Spin(n)) => s.max_depth = *n as u32,
            ("Deepening", OptionValue::Check(on)) => s.deepening = *on,
            ("MoveOverhead", OptionValue::Spin(ms)) => {
                s.overhead = Duration::from_millis(*ms as u64);
            }
            ("Evaluation", OptionValue::Text(word)) => s.evaluation.clone_from(word),
            ("Without", OptionValue::Text(word)) => {
                s.without = Term::ALL.into_iter().find(|t| t.name() == word);
            }
            ("Solver", OptionValue::Check(on)) => s.solver = *on,
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

    /// Clearing a gigabyte of table takes longer than many a search.
    fn prepare(&mut self) {
        if self.searcher.is_none() {
            self.searcher = Some(self.build_whatever_fits());
        }
    }

    fn search(
        &mut self,
        record: &Record<Amazons>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> AmazonsMove {
        if let Some(m) = self.settle(record.current(), limits, control, report) {
            return m;
        }
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.build_whatever_fits());
        let pace = TimeManagement {
            overhead: self.settings.overhead,
            moves_left: moves_left(record.current()),
        };
        let m = search_under_limits(&mut *searcher, record, limits, pace, control, report);
        self.searcher = Some(searcher);
        m
    }
}

/// Every turn fills a square, so at most half of the empty ones are left to each side; the game is
/// decided, and then cheap, well before the board is full.
fn moves_left(game: &Amazons) -> u32 {
    (game.empty().count_ones() / 3).max(4)
}
