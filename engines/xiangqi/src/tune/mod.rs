//! The `tune` subcommand: writes self-play games to a compact file, and fits the evaluation's
//! weights to them by logistic regression on outcomes (Buro 1995; "Texel's method").

mod games;
mod print;
mod samples;
pub(crate) mod selfplay;
#[cfg(test)]
mod tests;

pub(crate) use games::{GameLog, UNKNOWN};

use crate::evaluation::{TERMS, WEIGHTS, guess};
use agon_protocol::xiangqi::XiangqiRules;
use agon_tuning::adam::{AdamSettings, fit};
use agon_tuning::cli::{FitFlags, SelfPlayFlags};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

/// The subcommands of `tune`.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Play games against itself into a file; the same seed and engine play the same games
    Play(SelfPlayFlags),
    /// Fit the weights to files of games, and print them as `src/evaluation/weights.rs`
    Fit(Fit),
    /// Print the initial weights, in the same form
    Guess,
}

/// The flags of `tune fit`.
#[derive(Debug, Args)]
pub struct Fit {
    #[command(flatten)]
    fit: FitFlags,
    /// The source file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Start from the initial weights instead of the engine's current weights
    #[arg(long)]
    afresh: bool,
}

/// Runs a subcommand of `tune`.
pub fn run(tune: Tune, rules: &XiangqiRules) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match tune {
        Tune::Play(flags) => {
            let plan =
                selfplay::SelfPlayPlan { games: flags.games, nodes: flags.nodes, seed: flags.seed };
            let mut file = flags.create()?;
            let sum = selfplay::play(plan, rules, flags.jobs, &mut file)?;
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

/// The initial weights.
fn guesses() -> Vec<(i16, i16)> {
    let round = |(middle, end): (i32, i32)| (middle as i16, end as i16);
    (0..TERMS).map(|i| round(guess(i))).collect()
}

/// The weights in the order of the fit: first endgame, then middlegame.
fn flat(weights: &[(i16, i16)]) -> Vec<f64> {
    let end = weights.iter().map(|w| f64::from(w.1));
    end.chain(weights.iter().map(|w| f64::from(w.0))).collect()
}

/// The inverse of [`flat`], rounded.
fn rounded(weights: &[f64]) -> Vec<(i16, i16)> {
    let round = |x: f64| x.round().clamp(-4000.0, 4000.0) as i16;
    let (end, middle) = weights.split_at(weights.len() / 2);
    middle.iter().zip(end).map(|(&middle, &end)| (round(middle), round(end))).collect()
}

fn fit_files(flags: &Fit, out: &mut impl Write) -> Result<()> {
    let (mut samples, mut games) = (samples::empty(), 0);
    for path in &flags.fit.files {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let result = f64::from(flags.fit.result) / 100.0;
        samples::read(&mut samples, &mut games, &mut BufReader::new(file), result)
            .with_context(|| path.display().to_string())?;
    }
    ensure!(samples.len() > 1000, "{} positions are too few to fit to", samples.len());
    let start = if flags.afresh { guesses() } else { WEIGHTS.to_vec() };
    let settings = AdamSettings { passes: flags.fit.passes, pull: flags.fit.pull };
    let fitted = fit(&samples, &flat(&start), &flat(&guesses()), settings, |pass, train, test| {
        let _ = writeln!(out, "pass {pass}: loss {train:.5}, on held-out games {test:.5}");
    });
    writeln!(
        out,
        "{} positions, {} held out; {:.1} centipawns to a factor e; held-out loss {:.5} before, \
         {:.5} after",
        samples.len(),
        samples.held_out(),
        fitted.unit,
        fitted.before,
        fitted.after
    )?;
    let how = format!(
        "fitted to {} positions; loss on held-out games {:.5}, {:.5} with the weights before",
        samples.len(),
        fitted.after,
        fitted.before
    );
    // Omit folders, which depend on the user's machine.
    let plain = |word: String| word.rsplit('/').next().unwrap_or(&word).to_string();
    let command: Vec<String> = std::env::args().skip(1).map(plain).collect();
    let command = format!("xiangqi {}", command.join(" "));
    let source = print::source(&rounded(&fitted.weights), &command, &how);
    std::fs::write(&flags.out, source).with_context(|| format!("--out {}", flags.out.display()))
}
