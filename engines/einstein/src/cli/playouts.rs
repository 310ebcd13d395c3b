//! `einstein playouts`: the speed of random games.

use crate::playout_board::PlayoutBoard;
use crate::playout_policy::PlayoutPolicy;
use crate::playout_pool::{Leaf, PlayoutPool};
use agon_protocol::einstein::EinSteinRules;
use agon_protocol::rng;
use anyhow::Result;
use std::io::{Write, stdout};
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Flags {
    /// Playouts for each of 18 leaves per round, as in an expansion with `Simulations` of this
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    simulations: u32,
    /// Total number of playouts
    #[arg(long, default_value_t = 4_000_000)]
    playouts: u64,
}

/// Prints the speeds and the first player's wins, which do not depend on the number of threads.
pub fn run(flags: &Flags, rules: &EinSteinRules, threads: usize, seed: u64) -> Result<()> {
    let mut out = stdout().lock();
    let starts: Vec<PlayoutBoard> = (0..18)
        .map(|i| {
            PlayoutBoard::random_start(rules.missing_die, &mut rng::stream(seed, i, "playouts"))
        })
        .collect();
    let mut stream = rng::stream(seed, 18, "playouts");
    let (begun, single) = (Instant::now(), flags.playouts / 8);
    let mut moves = 0u64;
    for i in 0..single {
        moves += u64::from(starts[i as usize % 18].playout(&mut stream).moves);
    }
    let seconds = begun.elapsed().as_secs_f64().max(1e-9);
    writeln!(out, "one thread, no pool: {:.2} million moves/s", moves as f64 / seconds / 1e6)?;
    let pool = PlayoutPool::new(threads);
    let per_round = 18 * u64::from(flags.simulations);
    let rounds = flags.playouts.div_ceil(per_round);
    let (mut wins, mut total) = (Vec::new(), 0u64);
    let begun = Instant::now();
    for round in 0..rounds {
        let leaves: Vec<Leaf> =
            (0u64..).zip(&starts).map(|(i, board)| (*board, round * 18 + i)).collect();
        pool.run(&leaves, flags.simulations, &PlayoutPolicy::Random, &mut wins, &|| false);
        total += wins.iter().map(|&w| u64::from(w)).sum::<u64>();
    }
    let seconds = begun.elapsed().as_secs_f64().max(1e-9);
    let rate = (rounds * per_round) as f64 / seconds / 1e6;
    writeln!(
        out,
        "{} threads, {} playouts: {rate:.3} million playouts/s, {total} won by the first player",
        pool.threads(),
        rounds * per_round
    )?;
    Ok(())
}
