//! The program's own subcommands.

use agon_darkchess::engine::DarkChessEngine;
use agon_protocol::serve::Server;
use anyhow::Result;

/// What the program does besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {}

/// Runs a subcommand.
pub fn run(extra: Extra, _server: Server<DarkChessEngine>) -> Result<()> {
    match extra {}
}
