//! `lab amazons tune`: plays games against itself, fits the evaluation's weights to the results,
//! and prints the knots for `eval/weights.rs`.

use super::selfplay::{self, FitPosition};
use agon_amazons::engine::AmazonsEngine;
use agon_amazons::eval::{Knot, ONE, Term, paper, tuned};
use agon_tuning::newton::{Regularization, fit};
use agon_tuning::samples::{Sample, Samples};
use agon_tuning::selfplay::play_games;
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::io::Write;

/// The flags of `tune`.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// Games to play
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Seed of the random opening moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played in parallel
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Ridge regularisation of the weights, in samples
    #[arg(long, default_value_t = 4.0)]
    ridge: f64,
    /// Smoothing penalty between the weights of neighbouring phases, in samples
    #[arg(long, default_value_t = 200.0)]
    smooth: f64,
}

/// The phases at which weights are fitted, in squares.
const PHASES: [i32; 8] = [0, 4, 9, 16, 26, 40, 60, 85];

const TERMS: usize = Term::ALL.len();
/// One in this many games is held out.
const HELD_OUT: u64 = 8;

/// Plays, fits and prints.
///
/// # Errors
/// Too few games, or games that do not determine the weights.
pub fn run(flags: &Flags) -> Result<()> {
    let &Flags { games, nodes, seed, jobs, .. } = flags;
    ensure!(games >= HELD_OUT, "--games {games}: at least {HELD_OUT} are needed");
    let mut positions = Vec::new();
    play_games(
        games,
        jobs,
        || Ok(AmazonsEngine::new()),
        |engine, index| selfplay::play(seed, nodes, index, engine),
        |game| {
            positions.extend(game);
            Ok(())
        },
    )?;
    let mut out = std::io::stdout().lock();
    let wins = positions.iter().filter(|p| p.won).count();
    writeln!(
        out,
        "{} positions of {games} games, seed {seed}, {nodes} nodes per move; the side to move won {wins}",
        positions.len(),
    )?;
    report(&mut out, flags, &positions)
}

/// Prints the losses and the fitted knots.
fn report(out: &mut impl Write, flags: &Flags, positions: &[FitPosition]) -> Result<()> {
    let regularization = Regularization { ridge: flags.ridge, smoothing: flags.smooth };
    let mut by_paper = Samples::new(1, 1);
    let mut samples = Samples::new(TERMS, PHASES.len());
    for position in positions {
        let (sample, terms) = features(position);
        let paper = paper().value(&position.terms, position.side) as f32 / 100.0;
        by_paper.push(Sample { knot: 0, share: 0.0, ..sample }, [(0, paper)]);
        samples.push(sample, terms.into_iter().enumerate());
    }
    let held_out = samples.held_out();
    ensure!(held_out > 0 && held_out < samples.len(), "no positions to fit to");
    let fitted = |samples: &Samples| -> Result<(Vec<f64>, f64)> {
        let weights = fit(samples, regularization)
            .context("the games do not determine the weights: --ridge must be greater than 0")?;
        let loss = samples.loss(&weights, 1.0, true);
        Ok((weights, loss))
    };
    writeln!(out, "loss on held-out games (nats per position):")?;
    writeln!(out, "  paper, scaled    {:.5}", fitted(&by_paper)?.1)?;
    let (weights, loss) = fitted(&samples)?;
    writeln!(out, "  fitted           {loss:.5}")?;
    for (i, term) in Term::ALL.into_iter().enumerate() {
        let loss = fitted(&samples.without(i))?.1;
        writeln!(out, "  without {:<8} {loss:.5}", term.name())?;
    }
    knots(&weights).iter().try_for_each(|k| writeln!(out, "    {k:?},"))?;
    Ok(())
}

/// A position as a sample, and its terms for the side to move in squares.
fn features(position: &FitPosition) -> (Sample, [f32; TERMS]) {
    let squares = |x: i32| f64::from(x) / f64::from(ONE);
    let w = squares(position.terms.w);
    let after = PHASES.iter().position(|&p| f64::from(p) >= w).unwrap_or(PHASES.len() - 1).max(1);
    let (a, b) = (f64::from(PHASES[after - 1]), f64::from(PHASES[after]));
    let sample = Sample {
        knot: (after - 1) as u16,
        share: ((w - a) / (b - a)).clamp(0.0, 1.0),
        target: f32::from(u8::from(position.won)),
        held_out: position.game.is_multiple_of(HELD_OUT),
    };
    let terms = tuned().parts(&position.terms, position.side);
    (sample, terms.map(|x| squares(x) as f32))
}

/// Weights in 1/1024, scaled so that t1 and t2 together weigh one at a phase of 26.
fn knots(weights: &[f64]) -> Vec<Knot> {
    let row = 4 * TERMS;
    let scale = f64::from(ONE) / (weights[row] + weights[row + 1]).max(1e-3);
    PHASES
        .iter()
        .zip(weights.chunks(TERMS))
        .map(|(&w, row)| Knot {
            w,
            weights: std::array::from_fn(|i| (row[i] * scale).round() as i32),
        })
        .collect()
}
