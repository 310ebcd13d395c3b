//! The program's own subcommands.

mod classes;

use agon_darkchess::engine::DarkChessEngine;
use agon_protocol::serve::Server;
use anyhow::Result;

/// What the program does besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    Classes(classes::Args),
}

/// Runs a subcommand.
pub fn run(extra: Extra, _server: Server<DarkChessEngine>) -> Result<()> {
    match extra {
        Extra::Classes(args) => classes::run(&args),
    }
}
