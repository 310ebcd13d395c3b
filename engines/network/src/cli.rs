//! The flags and the command of a training.

use crate::file::with_suffix;
use crate::train::{PassResult, PositionSet, TrainPlan, Trainable, Training};
use agon_games::rng;
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

/// Too few positions to train on are a mistake.
const FEW: usize = 1000;

/// Trains a network and writes it to a file; its state is kept in `to` with `.state` added, and
/// removed at the end. `previous`: the network of the generation before.
///
/// # Errors
/// Too few positions, or a file that cannot be written or belongs to another training.
pub fn train<M: Trainable>(
    shape: &M::Shape,
    previous: Option<&M::Network>,
    positions: &M::Positions,
    flags: &TrainFlags,
    to: &Path,
    out: &mut impl Write,
) -> Result<()> {
    ensure!(positions.len() >= FEW, "{} positions are too few to train on", positions.len());
    let &TrainFlags { passes, batch, seed, .. } = flags;
    let (batch, architecture) = (batch as usize, M::architecture(shape));
    let plan =
        TrainPlan { shape: architecture.clone(), start: 0, passes, batch, rate: M::RATE, seed };
    let model = M::start(shape, previous, &mut rng::stream(seed, 0, "network weights"));
    let state = with_suffix(to, ".state");
    let mut training = Training::open(plan, model, positions, &state)?;
    let bar = progress_bar(u64::from(passes) * training.positions() as u64, "positions")?;
    bar.set_position(u64::from(training.done()) * training.positions() as u64);
    bar.reset_eta();
    while let Some(progress) = training.pass(|trained| bar.inc(trained as u64))? {
        let PassResult { pass, loss, held_out, policy } = progress;
        let nats = policy.map_or(String::new(), |nats| format!(", policy {nats:.4}"));
        bar.suspend(|| writeln!(out, "pass {pass}: loss {loss:.6}, held out {held_out:.6}{nats}"))?;
    }
    bar.finish_and_clear();
    let held_out = positions.len() - training.positions();
    let made = [
        ("architecture", architecture),
        ("positions", format!("{} and {held_out} held out", training.positions())),
        ("result", format!("{}%", flags.result)),
        ("commit", version::commit().to_string()),
        ("command", command()),
    ];
    let made = made.map(|(name, value)| (name.to_string(), value)).to_vec();
    let mut bytes = Vec::new();
    M::write(&training.network(), &mut bytes, made, shape)?;
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
