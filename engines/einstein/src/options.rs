//! The engine's options.

use crate::ntuple::{self, NTuple};
use crate::playout_policy::{BoardValue, PlayoutPolicy};
use crate::tablebase::EinSteinTablebase;
use agon_einstein_studies::{PaperMctsSettings, WinsOf};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use std::path::Path;
use std::sync::Arc;

/// The algorithms, as their names in `Algorithm`.
pub const ALGORITHMS: [&str; 6] = ["best", "mcts", "mcts-paper", "expectimax", "greedy", "random"];

/// The value of every option.
#[derive(Clone, Debug)]
pub struct Options {
    /// One of [`ALGORITHMS`].
    pub algorithm: String,
    /// Threads of the playout pool.
    pub threads: usize,
    /// Transposition table or tree, in MB.
    pub hash: usize,
    /// Names every random stream.
    pub seed: u64,
    /// Decisions that `expectimax` looks ahead.
    pub depth: u32,
    /// `i` of the paper; 0: 1000 for `mcts-paper`, and for `mcts` as many as the clock allows.
    pub iterations: u32,
    /// `k` of the paper.
    pub simulations: u32,
    /// `c` of UCB1.
    pub exploration: f64,
    /// Whose wins selection maximises.
    pub wins_of: WinsOf,
    /// Progressive bias with this `Cp`.
    pub progressive_bias: bool,
    /// `Cp`.
    pub bias_factor: f64,
    /// Prior knowledge with `N0`.
    pub prior_knowledge: bool,
    /// `N0`.
    pub prior_games: f64,
    /// Epsilon-greedy playouts.
    pub epsilon_greedy: bool,
    /// Epsilon.
    pub epsilon: f64,
    /// The trained network, if one is loaded.
    pub net: Option<Arc<NTuple>>,
    /// Where it was loaded from; empty for none.
    pub ntuple_path: String,
    /// The endgame table, if one is loaded.
    pub table: Option<Arc<EinSteinTablebase>>,
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
            depth: 3,
            iterations: 0,
            simulations: 10,
            exploration: std::f64::consts::SQRT_2,
            wins_of: WinsOf::Mover,
            progressive_bias: false,
            bias_factor: 10.0,
            prior_knowledge: false,
            prior_games: 175.0,
            epsilon_greedy: false,
            epsilon: 0.2,
            net: None,
            ntuple_path: String::new(),
            table: None,
            table_path: String::new(),
        }
    }
}

fn number(x: f64) -> String {
    format!("{x}")
}

impl Options {
    /// What can be set, with the current values as defaults.
    pub fn specs(&self) -> Vec<OptionSpec> {
        let wins_of = if self.wins_of == WinsOf::Mover { "mover" } else { "engine" };
        vec![
            OptionSpec::combo("Algorithm", &self.algorithm, &ALGORITHMS),
            OptionSpec::spin("Threads", self.threads as i64, 1, 64),
            OptionSpec::spin("Hash", self.hash as i64, 1, 65_536),
            OptionSpec::spin("Seed", self.seed as i64, 0, i64::MAX),
            OptionSpec::spin("Depth", self.depth.into(), 1, 40),
            OptionSpec::spin("Iterations", self.iterations.into(), 0, 100_000_000),
            OptionSpec::spin("Simulations", self.simulations.into(), 1, 1_000_000),
            OptionSpec::text("Exploration", &number(self.exploration)),
            OptionSpec::combo("WinsOf", wins_of, &["mover", "engine"]),
            OptionSpec::text("TableFile", &self.table_path),
            OptionSpec::text("NTuple", &self.ntuple_path),
            OptionSpec::check("ProgressiveBias", self.progressive_bias),
            OptionSpec::text("BiasFactor", &number(self.bias_factor)),
            OptionSpec::check("PriorKnowledge", self.prior_knowledge),
            OptionSpec::text("PriorGames", &number(self.prior_games)),
            OptionSpec::check("EpsilonGreedy", self.epsilon_greedy),
            OptionSpec::text("Epsilon", &number(self.epsilon)),
        ]
    }

    /// Sets one of [`Options::specs`] to a value that its specification has accepted.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        match value {
            OptionValue::Spin(n) => self.set_spin(name, *n),
            OptionValue::Check(on) => match name {
                "ProgressiveBias" => self.progressive_bias = *on,
                "PriorKnowledge" => self.prior_knowledge = *on,
                _ => self.epsilon_greedy = *on,
            },
            OptionValue::Text(text) => self.set_text(name, text)?,
            OptionValue::Pressed => {}
        }
        Ok(())
    }

    fn set_spin(&mut self, name: &str, n: i64) {
        match name {
            "Threads" => self.threads = n as usize,
            "Hash" => self.hash = n as usize,
            "Seed" => self.seed = n as u64,
            "Depth" => self.depth = n as u32,
            "Iterations" => self.iterations = n as u32,
            _ => self.simulations = n as u32,
        }
    }

    fn set_text(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        match name {
            "Algorithm" => self.algorithm = text.into(),
            "WinsOf" => {
                self.wins_of = if text == "engine" { WinsOf::Engine } else { WinsOf::Mover };
            }
            "Exploration" => self.exploration = decimal(name, text, 0.0, 1000.0)?,
            "BiasFactor" => self.bias_factor = decimal(name, text, 0.0, 1e6)?,
            "PriorGames" => self.prior_games = decimal(name, text, 0.0, 1e9)?,
            "Epsilon" => self.epsilon = decimal(name, text, 0.0, 1.0)?,
            "TableFile" => self.load_table(text)?,
            _ => self.load_ntuple(text)?,
        }
        Ok(())
    }

    fn load_ntuple(&mut self, path: &str) -> Result<(), OptionError> {
        let path = if path == "<empty>" { "" } else { path };
        self.net = if path.is_empty() {
            None
        } else {
            let net = ntuple::load(Path::new(path)).map_err(|error| OptionError::Refused {
                name: "NTuple".into(),
                reason: error.to_string(),
            })?;
            Some(Arc::new(net))
        };
        self.ntuple_path = path.into();
        Ok(())
    }

    fn load_table(&mut self, path: &str) -> Result<(), OptionError> {
        let path = if path == "<empty>" { "" } else { path };
        self.table = if path.is_empty() {
            None
        } else {
            let table = EinSteinTablebase::open(Path::new(path)).map_err(|error| {
                OptionError::Refused { name: "TableFile".into(), reason: error.to_string() }
            })?;
            Some(Arc::new(table))
        };
        self.table_path = path.into();
        Ok(())
    }

    /// `V(b)`: from the network if one is loaded, else from the race.
    pub fn board_value(&self) -> BoardValue {
        self.net.clone().map_or(BoardValue::Race, BoardValue::NTuple)
    }

    /// The settings of `mcts-paper`.
    pub fn paper(&self) -> PaperMctsSettings {
        PaperMctsSettings {
            iterations: if self.iterations == 0 { 1000 } else { self.iterations },
            simulations: self.simulations,
            exploration: self.exploration,
            bias: self.progressive_bias.then_some(self.bias_factor),
            prior: self.prior_knowledge.then_some(self.prior_games),
            wins_of: self.wins_of,
            seed: self.seed,
        }
    }

    /// The settings of `mcts`.
    pub fn mcts(&self) -> agon_search::mcts::MctsSettings {
        let paper = self.paper();
        agon_search::mcts::MctsSettings {
            simulations: paper.simulations,
            exploration: paper.exploration,
            bias: paper.bias,
            prior: paper.prior,
            iterations: (self.iterations > 0).then_some(self.iterations.into()),
            memory: self.hash << 20,
            seed: self.seed,
        }
    }

    /// The policy of playouts in both tree searches.
    pub fn playout_policy(&self) -> PlayoutPolicy {
        if !self.epsilon_greedy {
            return PlayoutPolicy::Random;
        }
        let epsilon = (self.epsilon * 4_294_967_296.0) as u64;
        PlayoutPolicy::EpsilonGreedy { epsilon, board_value: self.board_value() }
    }
}

fn decimal(name: &str, text: &str, min: f64, max: f64) -> Result<f64, OptionError> {
    text.parse().ok().filter(|x| (min..=max).contains(x)).ok_or_else(|| OptionError::BadValue {
        name: name.into(),
        value: agon_protocol::text::excerpt(text),
        expected: format!("a decimal number from {min} to {max}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::option::find;

    fn set(options: &mut Options, name: &str, value: &str) -> Result<(), OptionError> {
        let specs = options.specs();
        let spec = find(&specs, name)?;
        options.set(&spec.name, &spec.parse(value)?)
    }

    #[test]
    fn every_option_takes_its_own_default_and_lists_the_value_it_was_given() {
        let mut options = Options::default();
        let before = options.specs();
        for (name, value) in [
            ("Algorithm", "mcts-paper"),
            ("Threads", "3"),
            ("Hash", "7"),
            ("Seed", "9"),
            ("Depth", "5"),
            ("Iterations", "11"),
            ("Simulations", "12"),
            ("Exploration", "0.5"),
            ("WinsOf", "engine"),
            ("ProgressiveBias", "true"),
            ("BiasFactor", "2.5"),
            ("PriorKnowledge", "true"),
            ("PriorGames", "33"),
            ("EpsilonGreedy", "true"),
            ("Epsilon", "0.25"),
        ] {
            set(&mut options, name, value).unwrap();
            let after = options.specs();
            let line = find(&after, name).unwrap().to_string();
            assert!(line.contains(&format!("default {value}")), "{line}");
            assert_ne!(find(&before, name).unwrap(), find(&after, name).unwrap());
        }
    }

    #[test]
    fn numbers_that_are_none_or_out_of_range_are_refused() {
        let mut options = Options::default();
        for (name, value) in
            [("Epsilon", "1.5"), ("Exploration", "much"), ("Exploration", "NaN"), ("Threads", "65")]
        {
            let error = set(&mut options, name, value).unwrap_err().to_string();
            assert!(error.contains(value) && error.contains("expected"), "{error}");
        }
        for name in ["NTuple", "TableFile"] {
            let error = set(&mut options, name, "/nowhere/net").unwrap_err().to_string();
            assert!(error.contains("/nowhere/net"), "{error}");
            set(&mut options, name, "<empty>").unwrap();
        }
    }
}
