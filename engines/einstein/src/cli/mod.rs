//! The program's own subcommands.

mod learn;
mod set_ups;
mod table;
mod train;

use crate::engine::EinSteinEngine;
use crate::loss::LossSubject;
use agon_einstein_studies::loss::{self, LossFlags};
use agon_protocol::serve::Server;
use agon_search::host::{SEED, THREADS};
use anyhow::Result;

/// The subcommands besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Train an n-tuple network from random self-play and save it
    Train(train::Flags),
    /// Learn the pair weights of `best` from self-play and save them
    Learn(learn::Flags),
    /// Measure what players give away in positions of 4 to 7 stones, on the threads of --option
    /// Threads=N
    Loss(LossFlags),
    /// Find the mixed strategies for the free set-up from the search's own payoffs, on the threads
    /// of --option Threads=N
    SetUps(set_ups::Flags),
    /// Build, verify or probe the endgame tablebase
    #[command(subcommand)]
    Table(table::Command),
}

/// Runs a subcommand.
pub fn run(extra: Extra, server: Server<EinSteinEngine>) -> Result<()> {
    let (engine, rules) = server.into_parts();
    let (threads, seed) = (engine.settings().get(&THREADS), engine.settings().get(&SEED));
    match extra {
        Extra::Train(flags) => train::run(&flags, &rules, seed),
        Extra::Learn(flags) => learn::run(&flags, &rules, seed),
        Extra::Loss(flags) => loss::run(&flags, &rules, threads, seed, LossSubject::open),
        Extra::SetUps(flags) => set_ups::run(&flags, &rules, threads),
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(rules), &command),
    }
}
