//! The program's own subcommands.

mod solve;
mod table;

use crate::engine::{DarkChessEngine, TABLE_FILE};
use crate::tune::{self, Tune};
use agon_darkchess_studies::cli::classes;
use agon_protocol::serve::Server;
use anyhow::Result;

/// The subcommands besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    Classes(classes::Args),
    /// Build, verify or probe the endgame tablebase
    #[command(subcommand)]
    Table(table::Command),
    Solve(solve::Args),
    /// Play games against itself, and fit the weights of the evaluation to them
    #[command(subcommand)]
    Tune(Tune),
    /// Tune the parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a subcommand.
pub fn run(extra: Extra, server: Server<DarkChessEngine>) -> Result<()> {
    let (engine, rules) = server.into_parts();
    match extra {
        Extra::Classes(args) => classes::run(&args),
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(rules), &command),
        Extra::Solve(args) => solve::run(&args),
        Extra::Tune(tune) => tune::run(&tune, &rules, engine.settings().get(&TABLE_FILE)),
        #[cfg(feature = "tune")]
        Extra::Spsa(flags) => agon_tuning::arena::tune(&flags, &engine, &rules),
    }
}
