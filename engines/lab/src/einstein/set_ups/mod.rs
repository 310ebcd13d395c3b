//! `lab einstein set-ups`: the equilibrium of the free set-up. [`payoffs`] estimates the winning
//! probability for every pair of classes of layouts by the engine's own search, [`equilibrium`] finds
//! the mixed strategies that no choice of the opponent beats.

mod equilibrium;
mod payoffs;

use agon_einstein::set_ups::classes::{CLASSES, Numbers, representatives};
use agon_einstein::set_ups::mixture::{ClassLine, line};
use agon_games::einstein::EinSteinRules;
use anyhow::{Context, Result};
use equilibrium::{Equilibrium, column_values, row_values, solve};
use indicatif::ProgressBar;
use payoffs::{Payoffs, estimate};
use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};

/// The difference between what the two mixed strategies are certain of.
const GAP: f64 = 1e-4;
const ROUNDS: u32 = 200_000;

#[derive(Debug, clap::Args)]
pub struct Flags {
    /// The file to write: `engines/einstein/src/set_ups/mixture.txt`
    file: PathBuf,
    /// Decisions to look ahead after the first roll
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Also write the payoff of every pair of classes, as CSV
    #[arg(long, value_name = "FILE")]
    payoffs: Option<PathBuf>,
}

/// Estimates the payoffs, solves the game, and writes and prints the result.
pub fn run(flags: &Flags, rules: &EinSteinRules, threads: usize) -> Result<()> {
    let classes = representatives();
    let bar = ProgressBar::new(CLASSES as u64);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let payoffs =
        pool.install(|| estimate(&classes, flags.depth, rules, &|rows| bar.set_position(rows)));
    bar.finish_and_clear();
    if let Some(path) = &flags.payoffs {
        write(path, &csv(&classes, &payoffs))?;
    }
    let (text, summary) = report(&classes, &payoffs, flags.depth);
    write(&flags.file, &text)?;
    Ok(writeln!(stdout(), "{summary}\nwritten to {}", flags.file.display())?)
}

fn write(path: &Path, text: &str) -> Result<()> {
    let aside = PathBuf::from(format!("{}.part", path.display()));
    std::fs::write(&aside, text).with_context(|| aside.display().to_string())?;
    std::fs::rename(&aside, path).with_context(|| path.display().to_string())
}

/// The file, and what it says in a few lines.
fn report(classes: &[Numbers], payoffs: &Payoffs, depth: u32) -> (String, String) {
    let found = solve(payoffs, GAP, ROUNDS);
    let any = vec![1.0 / classes.len() as f64; classes.len()];
    let (as_first, as_second) = (row_values(payoffs, &any), column_values(payoffs, &any));
    let lines: Vec<ClassLine> = (0..classes.len())
        .map(|i| ClassLine {
            numbers: classes[i],
            weights: [found.rows[i], found.columns[i]].map(|p| (p * 1e4).round() as u32),
            against_random: [as_first[i], as_second[i]],
        })
        .collect();
    let summary = summary(&lines, payoffs, &found);
    let mut text = String::from(
        "# The free set-up: `lab einstein set-ups FILE`. A line is a class of four layouts, by its\n\
         # smallest in the owner's view: the numbers on the home squares, the probabilities with\n\
         # which the first and the second player choose it (in 1/10000), and the first player's\n\
         # winning probability if its owner is the first, or the second, player and the other\n\
         # layout is random.\n",
    );
    let _ = writeln!(text, "# Searched {depth} decisions deep after the first roll.");
    for l in summary.lines() {
        let _ = writeln!(text, "# {l}");
    }
    for class in &lines {
        let _ = writeln!(text, "{}", line(class));
    }
    (text, summary)
}

fn summary(lines: &[ClassLine], payoffs: &Payoffs, found: &Equilibrium) -> String {
    let mean = |strategy: &[f64], values: &[f64]| -> f64 {
        strategy.iter().zip(values).map(|(p, v)| p * v).sum()
    };
    let values = |i: usize| lines.iter().map(|l| l.against_random[i]).collect::<Vec<f64>>();
    let [first, second] = [values(0), values(1)];
    let any = first.iter().sum::<f64>() / first.len().max(1) as f64;
    let best = |values: &[f64]| values.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    let worth = |gain: f64| 50.0 + 50.0 * gain;
    // The mean of both players, relative to that of two random set-ups.
    let mixed = mean(&found.rows, &first) - mean(&found.columns, &second);
    let most = best(&first) - second.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let used = |strategy: &[f64]| strategy.iter().filter(|p| **p >= 5e-5).count();
    let all = payoffs.iter().flatten();
    let (least_cell, most_cell) =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
    format!(
        "The first player wins {:.2}% with random set-ups, {:.2} to {:.2}% in equilibrium; single \
         pairs range from {:.2} to {:.2}%.\n\
         The equilibrium has {} classes for the first player and {} for the second.\n\
         Against random set-ups, over both players: {:.2}% for the equilibrium, {:.2}% for the best \
         single class of each player.",
        100.0 * any,
        100.0 * found.low,
        100.0 * found.high,
        100.0 * least_cell,
        100.0 * most_cell,
        used(&found.rows),
        used(&found.columns),
        worth(mixed),
        worth(most),
    )
}

fn csv(classes: &[Numbers], payoffs: &Payoffs) -> String {
    let name = |numbers: &Numbers| numbers.iter().map(u8::to_string).collect::<String>();
    let mut text = String::from("first\\second");
    classes.iter().for_each(|class| text.extend([",".to_string(), name(class)]));
    for (class, row) in classes.iter().zip(payoffs) {
        let _ = write!(text, "\n{}", name(class));
        for value in row {
            let _ = write!(text, ",{value:.5}");
        }
    }
    text + "\n"
}
