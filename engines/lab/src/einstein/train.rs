//! `lab einstein train`.

use super::ntuple_training::Trainer;
use agon_einstein::ntuple::{Counts, load_counts, save};
use agon_games::einstein::EinSteinRules;
use anyhow::{Result, ensure};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Flags {
    /// The file to write
    file: PathBuf,
    /// Total number of random games, including those of a resumed file
    #[arg(long, default_value_t = 1_000_000)]
    games: u64,
    /// Games between checkpoints
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,
    /// Resume from the file, if it exists, using its seed
    #[arg(long)]
    resume: bool,
}

/// Trains, and prints a progress line after every 10 % of the games and every checkpoint.
pub fn run(flags: &Flags, rules: &EinSteinRules, seed: u64) -> Result<()> {
    let counts = if flags.resume && flags.file.exists() {
        load_counts(&flags.file)?
    } else {
        Counts::new(rules.missing_die, seed)
    };
    ensure!(
        counts.rule == rules.missing_die,
        "{}: trained under the other reading of missing numbers; set MissingDie accordingly",
        flags.file.display()
    );
    let mut out = stdout().lock();
    let mut trainer = Trainer::new(counts);
    let begun = (Instant::now(), trainer.counts().games);
    let tenth = (flags.games / 10).max(1);
    let mut moves = 0u64;
    while trainer.counts().games < flags.games {
        moves += u64::from(trainer.play());
        let games = trainer.counts().games;
        if games.is_multiple_of(tenth) {
            let seconds = begun.0.elapsed().as_secs_f64();
            let rate = (games - begun.1) as f64 / seconds.max(1e-9);
            writeln!(out, "{games} of {} games, {rate:.0} games/s", flags.games)?;
        }
        if games.is_multiple_of(flags.checkpoint) && games < flags.games {
            checkpoint(&trainer, flags, &mut out)?;
        }
    }
    checkpoint(&trainer, flags, &mut out)?;
    writeln!(out, "{moves} moves in {:.1} s", begun.0.elapsed().as_secs_f64())?;
    Ok(())
}

fn checkpoint(trainer: &Trainer, flags: &Flags, out: &mut impl Write) -> Result<()> {
    let bytes = save(trainer.counts(), &flags.file)?;
    let patterns = trainer.counts().table().iter().filter(|e| e[1] > 0).count();
    writeln!(
        out,
        "saved {}: {} games, {patterns} patterns, {bytes} bytes",
        flags.file.display(),
        trainer.counts().games
    )?;
    Ok(())
}
