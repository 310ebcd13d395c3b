//! The program's own subcommands.

mod table;

use crate::engine::DarkChessEngine;
use agon_wire::serve::Server;
use anyhow::Result;

/// The subcommands besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Build, verify or probe the endgame tablebase
    #[command(subcommand)]
    Table(table::Command),
}

/// Runs a subcommand.
pub fn run(extra: Extra, server: Server<DarkChessEngine>) -> Result<()> {
    let (_, rules) = server.into_parts();
    match extra {
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(rules), &command),
    }
}
