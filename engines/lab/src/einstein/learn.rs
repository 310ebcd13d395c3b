//! `lab einstein learn`.

use super::pair_learning::{Learner, LearningSettings};
use agon_einstein::pairs::to_bytes;
use agon_games::einstein::EinSteinRules;
use anyhow::{Context, Result};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Flags {
    /// The file to write
    file: PathBuf,
    /// Number of self-play games
    #[arg(long, default_value_t = 1_000_000)]
    games: u64,
    /// Initial step size
    #[arg(long, default_value_t = 0.005)]
    rate: f32,
    /// Probability of a random move
    #[arg(long, default_value_t = 0.15)]
    epsilon: f64,
}

/// Learns, and prints a progress line after every 5 % of the games.
pub fn run(flags: &Flags, rules: &EinSteinRules, seed: u64) -> Result<()> {
    let mut learner = Learner::new(LearningSettings {
        games: flags.games,
        rate: flags.rate,
        epsilon: (flags.epsilon.clamp(0.0, 1.0) * 4_294_967_296.0) as u64,
        seed,
        rule: rules.missing_die,
    });
    let mut out = stdout().lock();
    let begun = Instant::now();
    let part = (flags.games / 20).max(1);
    let mut games = 0u64;
    while learner.play() {
        games += 1;
        if games.is_multiple_of(part) {
            let rate = games as f64 / begun.elapsed().as_secs_f64().max(1e-9);
            let error = learner.error();
            writeln!(out, "{games} of {} games, error {error:.5}, {rate:.0} games/s", flags.games)?;
        }
    }
    let bytes = to_bytes(learner.weights());
    std::fs::write(&flags.file, &bytes).with_context(|| flags.file.display().to_string())?;
    writeln!(out, "saved {}: {} bytes", flags.file.display(), bytes.len())?;
    Ok(())
}
