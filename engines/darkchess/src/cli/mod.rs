//! The program's own subcommands.

mod solve;
mod table;

use crate::engine::DarkChessEngine;
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
}

/// Runs a subcommand.
pub fn run(extra: Extra, server: Server<DarkChessEngine>) -> Result<()> {
    let (_, rules) = server.into_parts();
    match extra {
        Extra::Classes(args) => classes::run(&args),
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(rules), &command),
        Extra::Solve(args) => solve::run(&args),
    }
}
