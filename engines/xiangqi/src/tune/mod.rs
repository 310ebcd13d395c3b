//! The `tune` subcommand: plays games against itself into a compact file, and fits the evaluation's
//! weights to them by logistic regression on outcomes (Buro 1995; "Texel's method").

mod fit;
mod games;
mod print;
mod samples;
mod selfplay;
#[cfg(test)]
mod tests;

use crate::evaluation::{TERMS, WEIGHTS, guess};
use agon_protocol::xiangqi::XiangqiRules;
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::PathBuf;

/// The parts of tuning.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Play games against itself into a file; the same seed and engine play the same games
    Play(Play),
    /// Fit the weights to files of games, and print them as `src/evaluation/weights.rs`
    Fit(Fit),
    /// Print the weights from before any fit, in the same form
    Guess,
}

/// Which games are played.
#[derive(Debug, Args)]
pub struct Play {
    /// Where the games go; a file that is there is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 4000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Seed of the random first plies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// How weights are fitted.
#[derive(Debug, Args)]
pub struct Fit {
    /// Files that `tune play` made
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Passes over the positions
    #[arg(long, default_value_t = 40)]
    passes: u32,
    /// How much the game's result counts beside the search's value, in percent
    #[arg(long, default_value_t = 60)]
    result: u32,
    /// How strongly weights are held to the rule of thumb, in samples
    #[arg(long, default_value_t = 30.0)]
    pull: f64,
    /// Begin with the rule of thumb instead of the weights that the engine has
    #[arg(long)]
    afresh: bool,
}

/// Runs a part.
pub fn run(tune: Tune, rules: &XiangqiRules) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match tune {
        Tune::Play(flags) => {
            ensure!(flags.games > 0 && flags.nodes > 0, "--games and --nodes must not be 0");
            let plan = selfplay::Plan { games: flags.games, nodes: flags.nodes, seed: flags.seed };
            let file = std::fs::File::create(&flags.out)
                .with_context(|| format!("--out {}", flags.out.display()))?;
            let mut file = std::io::BufWriter::new(file);
            let sum = selfplay::play(plan, rules, flags.jobs.max(1), &mut file)?;
            file.flush()?;
            writeln!(
                out,
                "{} games, {} plies: {} won by Red, {} drawn, {} by Black",
                flags.games, sum.plies, sum.results[2], sum.results[1], sum.results[0]
            )?;
        }
        Tune::Fit(flags) => fit_files(&flags, &mut out)?,
        Tune::Guess => {
            let weights: Vec<(i16, i16)> = guesses();
            write!(out, "{}", print::source(&weights, "xiangqi tune guess", "by rule of thumb"))?;
        }
    }
    Ok(())
}

fn guesses() -> Vec<(i16, i16)> {
    (0..TERMS)
        .map(|i| {
            let (middle, end) = guess(i);
            (middle as i16, end as i16)
        })
        .collect()
}

fn fit_files(flags: &Fit, out: &mut impl Write) -> Result<()> {
    ensure!(flags.result <= 100, "--result {}: expected a percentage", flags.result);
    let mut samples = samples::Samples::default();
    for path in &flags.files {
        let read = || -> Result<()> {
            let mut file = std::io::BufReader::new(std::fs::File::open(path)?);
            samples.read(&mut file, f64::from(flags.result) / 100.0)
        };
        let mut read = read;
        read().with_context(|| path.display().to_string())?;
    }
    ensure!(samples.len() > 1000, "{} positions are too few to fit to", samples.len());
    let start = if flags.afresh { guesses() } else { WEIGHTS.to_vec() };
    let plan = fit::Plan { passes: flags.passes, pull: flags.pull };
    let fitted = fit::fit(&samples, &start, &guesses(), plan, |pass, train, test| {
        let _ = writeln!(out, "pass {pass}: loss {train:.5}, on held-out games {test:.5}");
    });
    writeln!(
        out,
        "{} positions, {} held out; {:.1} hundredths to a factor e; held-out loss {:.5} before, \
         {:.5} after",
        samples.len(),
        samples.held_out(),
        fitted.scale,
        fitted.before,
        fitted.after
    )?;
    let how = format!(
        "fitted to {} positions; loss on held-out games {:.5}, {:.5} with the weights before",
        samples.len(),
        fitted.after,
        fitted.before
    );
    // Folders are the business of whoever ran it.
    let plain = |word: String| word.rsplit('/').next().unwrap_or(&word).to_string();
    let command: Vec<String> = std::env::args().skip(1).map(plain).collect();
    let source = print::source(&fitted.weights, &format!("xiangqi {}", command.join(" ")), &how);
    std::fs::write(&flags.out, source).with_context(|| format!("--out {}", flags.out.display()))
}
