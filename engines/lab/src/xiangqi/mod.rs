//! The commands for Xiangqi.

mod numbering;
mod tactics;
mod tune;

use agon_games::xiangqi::XiangqiRules;
use agon_network::tune::Tune;
use agon_xiangqi::engine::{XiangqiEngine, search_settings};
use anyhow::Result;
use numbering::NumberingCommand;
use std::io::stdout;
use tactics::Tactics;
use tune::XiangqiLearner;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(flatten)]
    Numbering(NumberingCommand),
    /// Play games against itself, and train the evaluation's network on them
    #[command(subcommand)]
    Tune(Tune),
    /// Make tactical suites from games against itself, and measure the nodes to solve them
    #[command(subcommand)]
    Tactics(Tactics),
    /// Tune the search's parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a command.
///
/// # Errors
/// A wrong flag or file; which, and what would be right.
pub fn run(command: Command, engine: &XiangqiEngine, rules: &XiangqiRules) -> Result<()> {
    let settings = || search_settings(engine.settings());
    match command {
        Command::Numbering(command) => numbering::run(command, &mut stdout().lock()),
        Command::Tune(tune) => {
            agon_network::tune::run(&tune, &XiangqiLearner(*rules), || settings().network)
        }
        Command::Tactics(tactics) => tactics::run(tactics, rules, &settings()),
        #[cfg(feature = "tune")]
        Command::Spsa(flags) => agon_tuning::arena::tune(&flags, engine, rules),
    }
}
