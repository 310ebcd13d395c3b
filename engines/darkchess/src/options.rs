//! The engine's options.

use crate::tablebase::DarkChessTablebase;
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_search::mcts;
use std::path::Path;
use std::sync::Arc;

/// The algorithms, as their names in `Algorithm`.
pub const ALGORITHMS: [&str; 5] = ["best", "mcts", "alphabeta", "greedy", "random"];

/// Visits that the static value of a new node counts for.
const PRIOR: f64 = 6.0;

/// The value of every option.
#[derive(Clone, Debug)]
pub struct Options {
    /// One of [`ALGORITHMS`].
    pub algorithm: String,
    /// Threads of `best`.
    pub threads: usize,
    /// Transposition table or tree, in MB.
    pub hash: usize,
    /// Names every random stream.
    pub seed: u64,
    /// Playouts of each new node of `mcts`.
    pub simulations: u32,
    /// `c` of UCB1 in `mcts`, in hundredths.
    pub exploration: u32,
    /// Outcomes of a flip that `alphabeta` looks at.
    pub samples: u32,
    /// The endgame table, if one is loaded.
    pub table: Option<Arc<DarkChessTablebase>>,
    /// Where it was loaded from; empty for none.
    pub table_path: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: "best".into(),
            threads: 1,
            hash: 64,
            seed: 1,
            simulations: 1,
            exploration: 30,
            samples: 4,
            table: None,
            table_path: String::new(),
        }
    }
}

impl Options {
    /// What can be set, with the current values as defaults.
    pub fn specs(&self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::combo("Algorithm", &self.algorithm, &ALGORITHMS),
            OptionSpec::spin("Threads", self.threads as i64, 1, 64),
            OptionSpec::spin("Hash", self.hash as i64, 1, 65_536),
            OptionSpec::spin("Seed", self.seed as i64, 0, i64::MAX),
            OptionSpec::text("TableFile", &self.table_path),
            OptionSpec::spin("Simulations", self.simulations.into(), 0, 1_000),
            OptionSpec::spin("Exploration", self.exploration.into(), 0, 1_000),
            OptionSpec::spin("Samples", self.samples.into(), 1, 100),
        ]
    }

    /// Sets one of [`Options::specs`] to a value that its specification has accepted.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        match (name, value) {
            ("Threads", OptionValue::Spin(n)) => self.threads = *n as usize,
            ("Hash", OptionValue::Spin(n)) => self.hash = *n as usize,
            ("Seed", OptionValue::Spin(n)) => self.seed = *n as u64,
            ("Simulations", OptionValue::Spin(n)) => self.simulations = *n as u32,
            ("Exploration", OptionValue::Spin(n)) => self.exploration = *n as u32,
            ("Samples", OptionValue::Spin(n)) => self.samples = *n as u32,
            ("TableFile", OptionValue::Text(text)) => self.load_table(text)?,
            ("Algorithm", OptionValue::Text(text)) => self.algorithm.clone_from(text),
            _ => {}
        }
        Ok(())
    }

    /// The settings of `mcts`.
    pub fn mcts(&self) -> mcts::MctsSettings {
        mcts::MctsSettings {
            simulations: self.simulations,
            exploration: f64::from(self.exploration) / 100.0,
            bias: None,
            prior: Some(PRIOR),
            iterations: None,
            memory: self.hash << 20,
            seed: self.seed,
        }
    }

    fn load_table(&mut self, path: &str) -> Result<(), OptionError> {
        let path = if path == "<empty>" { "" } else { path };
        self.table = if path.is_empty() {
            None
        } else {
            let table = DarkChessTablebase::open(Path::new(path)).map_err(|error| {
                OptionError::Refused { name: "TableFile".into(), reason: error.to_string() }
            })?;
            Some(Arc::new(table))
        };
        self.table_path = path.into();
        Ok(())
    }
}
