//! The commands for EinStein wuerfelt nicht.

mod learn;
mod loss;
mod ntuple_training;
mod pair_learning;
mod set_ups;
mod train;

use agon_einstein::engine::EinSteinEngine;
use agon_games::einstein::EinSteinRules;
use agon_search::host::{SEED, THREADS};
use anyhow::Result;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Train an n-tuple network from random self-play and save it
    Train(train::Flags),
    /// Learn the pair weights of `best` from self-play and save them
    Learn(learn::Flags),
    /// Measure what players give away in positions of 4 to 7 stones, on the threads of --option
    /// Threads=N
    Loss(loss::Flags),
    /// Find the mixed strategies for the free set-up from the search's own payoffs, on the threads
    /// of --option Threads=N
    SetUps(set_ups::Flags),
}

/// Runs a command.
///
/// # Errors
/// A wrong flag or file; which, and what would be right.
pub fn run(command: Command, engine: &EinSteinEngine, rules: &EinSteinRules) -> Result<()> {
    let (threads, seed) = (engine.settings().get(&THREADS), engine.settings().get(&SEED));
    match command {
        Command::Train(flags) => train::run(&flags, rules, seed),
        Command::Learn(flags) => learn::run(&flags, rules, seed),
        Command::Loss(flags) => loss::run(&flags, rules, threads, seed),
        Command::SetUps(flags) => set_ups::run(&flags, rules, threads),
    }
}
