//! The flags and the command of a training.

use crate::file::{self, NetworkHeader, NetworkShape, with_suffix};
use crate::train::{PassResult, Positions, TrainPlan, Training};
use agon_tuning::cli::progress_bar;
use agon_wire::version;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::Path;

/// Positions for each step of the training, without a flag.
pub(crate) const BATCH: u32 = 4096;

/// Flags of a training.
#[derive(Clone, Debug, clap::Args)]
pub struct TrainFlags {
    /// Passes over the positions
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub passes: u32,
    /// Positions for each step of the training; a run of few positions needs small steps
    #[arg(long, default_value_t = BATCH, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// Weight of the game result relative to the search value, in percent
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=100))]
    pub result: u32,
    /// Seed of the first weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl TrainFlags {
    /// The weight of the game result, 0 to 1.
    pub fn result_share(&self) -> f64 {
        f64::from(self.result) / 100.0
    }
}

/// The learning rate at the start.
const RATE: f32 = 0.002;
/// Too few positions to train on are a mistake.
const FEW: usize = 1000;

/// Trains a network and writes it to a file; its state is kept in `to` with `.state` added, and
/// removed at the end.
///
/// # Errors
/// Too few positions, or a file that cannot be written or belongs to another training.
pub fn train<const H: usize>(
    shape: &NetworkShape,
    positions: &Positions,
    flags: &TrainFlags,
    to: &Path,
    out: &mut impl Write,
) -> Result<()> {
    ensure!(positions.len() >= FEW, "{} positions are too few to train on", positions.len());
    let &NetworkShape { game, features, buckets, policy, active } = shape;
    let &TrainFlags { passes, batch, seed, .. } = flags;
    let batch = batch as usize;
    let plan = TrainPlan { features, buckets, policy, active, passes, batch, rate: RATE, seed };
    let state = with_suffix(to, ".state");
    let mut training: Training<H> = Training::open(plan, positions, &state)?;
    let bar = progress_bar(u64::from(passes) * training.positions() as u64, "positions")?;
    bar.set_position(u64::from(training.done()) * training.positions() as u64);
    bar.reset_eta();
    while let Some(progress) = training.pass(|trained| bar.inc(trained as u64))? {
        let PassResult { pass, loss, held_out, policy: nats } = progress;
        let nats = if policy > 0 { format!(", policy {nats:.4}") } else { String::new() };
        bar.suspend(|| writeln!(out, "pass {pass}: loss {loss:.6}, held out {held_out:.6}{nats}"))?;
    }
    bar.finish_and_clear();
    let count = format!("{} and {} held out", training.positions(), positions.numbers(true).len());
    let outputs = if policy > 0 { format!("1 and {policy}") } else { "1".to_string() };
    let made = [
        ("architecture", format!("({features} -> {H}) x 2 -> {outputs}, squared clipped ReLU")),
        ("positions", count),
        ("result", format!("{}%", flags.result)),
        ("commit", version::commit().to_string()),
        ("command", command()),
    ];
    let made = made.map(|(name, value)| (name.to_string(), value)).to_vec();
    let mut bytes = Vec::new();
    file::write(
        &mut bytes,
        &NetworkHeader { game: game.to_string(), made },
        &training.quantised(),
    )?;
    let aside = with_suffix(to, ".new");
    let name = || to.display().to_string();
    std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, to)).with_context(name)?;
    std::fs::remove_file(&state).with_context(|| state.display().to_string())
}

/// The command of this program, without the folders of this machine.
fn command() -> String {
    let plain = |word: String| word.rsplit(['/', '\\']).next().unwrap_or(&word).to_string();
    std::env::args().map(plain).collect::<Vec<String>>().join(" ")
}
