//! The commands for Chinese dark chess.

mod classes;
mod solve;
mod tune;

use agon_darkchess::engine::DarkChessEngine;
use agon_darkchess::evaluation::network;
use agon_games::darkchess::DarkRules;
use agon_network::tune::Tune;
use anyhow::Result;
use tune::DarkChessLearner;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Classes(classes::Args),
    Solve(solve::Args),
    /// Play games against itself, and train the evaluation's network on them
    #[command(subcommand)]
    Tune(Tune),
    /// Tune the parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a command.
///
/// # Errors
/// A wrong flag or file; which, and what would be right.
pub fn run(command: Command, engine: &DarkChessEngine, rules: &DarkRules) -> Result<()> {
    match command {
        Command::Classes(args) => classes::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Tune(tune) => {
            let network = || network(engine.settings());
            agon_network::tune::run(&tune, &DarkChessLearner(*rules), network)
        }
        #[cfg(feature = "tune")]
        Command::Spsa(flags) => agon_tuning::arena::tune(&flags, engine, rules),
    }
}
