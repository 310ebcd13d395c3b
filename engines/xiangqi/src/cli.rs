//! The `xiangqi`-specific subcommand: the tablebase.

mod table;

use agon_games::xiangqi::XiangqiRules;
use anyhow::Result;

/// The subcommands in addition to those of every engine.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Endgame tablebase of all positions in which one side has no rook, horse, cannon or pawn
    #[command(subcommand)]
    Table(table::Command),
}

/// Runs a subcommand.
pub fn run(extra: Extra, rules: &XiangqiRules) -> Result<()> {
    match extra {
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(*rules), &command),
    }
}
