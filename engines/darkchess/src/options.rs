//! The engine's options.

use agon_protocol::option::{OptionError, OptionSpec, OptionValue};

/// The algorithms, as their names in `Algorithm`.
pub const ALGORITHMS: [&str; 2] = ["greedy", "random"];

/// The value of every option.
#[derive(Clone, Debug)]
pub struct Options {
    /// One of [`ALGORITHMS`].
    pub algorithm: String,
    /// Search threads.
    pub threads: usize,
    /// Transposition table or tree, in MB.
    pub hash: usize,
    /// Names every random stream.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { algorithm: "greedy".into(), threads: 1, hash: 64, seed: 1 }
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
        ]
    }

    /// Sets one of [`Options::specs`] to a value that its specification has accepted.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        match (name, value) {
            ("Threads", OptionValue::Spin(n)) => self.threads = *n as usize,
            ("Hash", OptionValue::Spin(n)) => self.hash = *n as usize,
            ("Seed", OptionValue::Spin(n)) => self.seed = *n as u64,
            ("Algorithm", OptionValue::Text(text)) => self.algorithm.clone_from(text),
            _ => {}
        }
        Ok(())
    }
}
