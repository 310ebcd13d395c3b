//! The `tune` subcommand: plays games against itself, fits the evaluation's weights to who won, and
//! prints the knots to paste into `eval/tuned.rs`.

mod fit;
mod selfplay;

use crate::eval::{Knot, ONE, Term, paper, tuned};
use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use fit::{Fit, Pull};
use selfplay::{Plan, Sample};
use std::io::Write;

/// The subcommands that only this engine has.
#[derive(Debug, Subcommand)]
pub enum Extra {
    /// Play games against itself and fit the evaluation's weights to their results
    Tune(Flags),
}

/// What `tune` is told.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// Games to play
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Seed of the random first plies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// How strongly weights are held to nothing; in samples
    #[arg(long, default_value_t = 4.0)]
    ridge: f64,
    /// How strongly the weights of neighbouring phases are held together; in samples
    #[arg(long, default_value_t = 200.0)]
    smooth: f64,
}

/// The phases at which weights are fitted, in squares.
const PHASES: [i32; 8] = [0, 4, 9, 16, 26, 40, 60, 85];

const TERMS: usize = Term::ALL.len();

/// Runs a subcommand.
pub fn run(extra: &Extra) -> Result<()> {
    let Extra::Tune(flags) = extra;
    ensure!(flags.games >= 8, "--games {}: at least 8 are needed", flags.games);
    let plan = Plan { games: flags.games, nodes: flags.nodes, seed: flags.seed };
    let samples = selfplay::play(plan, flags.jobs.max(1));
    let mut out = std::io::stdout().lock();
    let wins = samples.iter().filter(|s| s.won).count();
    writeln!(
        out,
        "{} positions of {} games, seed {}, {} nodes a move; the side to move won {wins}",
        samples.len(),
        flags.games,
        flags.seed,
        flags.nodes,
    )?;
    let (test, train): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|s| s.game % 8 == 0);
    ensure!(!test.is_empty() && !train.is_empty(), "no positions to fit to");
    report(&mut out, flags, &train, &test)
}

/// Prints the losses and the fitted knots.
fn report(out: &mut impl Write, flags: &Flags, train: &[&Sample], test: &[&Sample]) -> Result<()> {
    let pull = |count| Pull { ridge: flags.ridge, smooth: flags.smooth, count };
    let scaled = |s: &Sample| vec![f64::from(paper().value(&s.terms, s.side)) / 100.0];
    let paper = fit::fit(train, pull(1), scaled);
    let fitted = fit::fit(train, pull(TERMS), |s| features(s, None));
    writeln!(out, "loss on held-out games (nats a position):")?;
    writeln!(out, "  paper, scaled    {:.5}", paper.loss(test, scaled))?;
    writeln!(out, "  fitted           {:.5}", fitted.loss(test, |s| features(s, None)))?;
    for term in Term::ALL {
        let without = fit::fit(train, pull(TERMS), |s| features(s, Some(term)));
        let loss = without.loss(test, |s| features(s, Some(term)));
        writeln!(out, "  without {:<8} {loss:.5}", term.name())?;
    }
    knots(&fitted).iter().try_for_each(|k| writeln!(out, "    {k:?},"))?;
    Ok(())
}

/// Every term for the side to move, in squares, in the two knots around its phase.
fn features(s: &Sample, without: Option<Term>) -> Vec<f64> {
    let squares = |x: i32| f64::from(x) / f64::from(ONE);
    let parts = tuned().parts(&s.terms, s.side).map(squares);
    let w = squares(s.terms.w);
    let mut out = vec![0.0; PHASES.len() * TERMS];
    let after = PHASES.iter().position(|&p| f64::from(p) >= w).unwrap_or(PHASES.len() - 1).max(1);
    let (a, b) = (f64::from(PHASES[after - 1]), f64::from(PHASES[after]));
    let along = ((w - a) / (b - a)).clamp(0.0, 1.0);
    for (i, (term, x)) in Term::ALL.into_iter().zip(parts).enumerate() {
        if Some(term) != without {
            out[(after - 1) * TERMS + i] = x * (1.0 - along);
            out[after * TERMS + i] = x * along;
        }
    }
    out
}

/// Weights in 1/1024, scaled so that t1 and t2 together weigh one at a phase of 26.
fn knots(fit: &Fit) -> Vec<Knot> {
    let row = 4 * TERMS;
    let scale = f64::from(ONE) / (fit.weights[row] + fit.weights[row + 1]).max(1e-3);
    PHASES
        .iter()
        .enumerate()
        .map(|(k, &w)| Knot {
            w,
            weights: std::array::from_fn(|i| (fit.weights[k * TERMS + i] * scale).round() as i32),
        })
        .collect()
}
