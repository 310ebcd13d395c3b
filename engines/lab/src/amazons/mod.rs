//! The commands for the Game of the Amazons.

mod selfplay;
mod tune;

use agon_amazons::engine::AmazonsEngine;
use agon_games::option::NoRules;
use anyhow::Result;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Play games against itself and fit the evaluation's weights to their results
    Tune(tune::Flags),
    /// Tune the search's parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a command.
///
/// # Errors
/// A wrong flag; which, and what would be right.
pub fn run(command: Command, _engine: &AmazonsEngine, _rules: &NoRules) -> Result<()> {
    match command {
        Command::Tune(flags) => tune::run(&flags),
        #[cfg(feature = "tune")]
        Command::Spsa(flags) => agon_tuning::arena::tune(&flags, _engine, _rules),
    }
}
