//! `connect6 tune`.

use agon_connect6::play::Weights;
use agon_connect6::tune::{TuningSettings, WeightTuning};
use agon_protocol::connect6::Connect6Rules;
use agon_tuning::cli::SpsaFlags;
use anyhow::Result;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// The flags of `connect6 tune`.
#[derive(Debug, clap::Args)]
pub struct Tune {
    #[command(flatten)]
    spsa: SpsaFlags,
    /// Start from the weights set by hand (`Evaluation=rule`) instead of the tuned weights
    #[arg(long)]
    rule: bool,
    /// Start pairs from random openings in this file instead of random turns
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl Tune {
    /// Runs the tuning and prints the weights as Rust source.
    pub fn run(&self, rules: &Connect6Rules) -> Result<()> {
        self.spsa.plan()?;
        let SpsaFlags { pairs, nodes, seed, rate, ref only, ref state, .. } = self.spsa;
        let openings = match &self.openings {
            Some(path) => agon_connect6_studies::commands::read_openings(path, rules)?,
            None => Vec::new(),
        };
        let size = rules.size;
        let only = only.clone();
        let settings = TuningSettings { seed, pairs, nodes, rate, size, only, openings };
        let start = if self.rule { Weights::RULE } else { Weights::TUNED };
        let mut tuning = WeightTuning::open(settings, start, rules, state.as_deref())?;
        let mut out = stdout().lock();
        let (run, mut play) = tuning.parts();
        self.spsa.play(run, &mut out, |index, sides| Ok(play(index, sides)))?;
        drop(play);
        writeln!(out, "{}", tuning.found()[1])?;
        Ok(())
    }
}
