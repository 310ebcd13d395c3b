//! The `xiangqi`-specific subcommands: studies, tablebase and tuning.

mod table;

use crate::engine::{XiangqiEngine, search_settings};
use crate::tactics::Tactics;
use crate::tune::XiangqiLearner;
use agon_network::tune::Tune;
use agon_protocol::xiangqi::XiangqiRules;
use agon_xiangqi_studies::cli::{self as studies, StudyCommand};
use anyhow::Result;
use std::io::stdout;

/// The subcommands in addition to those of every engine.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    #[command(flatten)]
    Study(StudyCommand),
    /// Play games against itself, and train the evaluation's network on them
    #[command(subcommand)]
    Tune(Tune),
    /// Make tactical suites from games against itself, and measure the nodes to solve them
    #[command(subcommand)]
    Tactics(Tactics),
    /// Endgame tablebase of all positions in which one side has no rook, horse, cannon or pawn
    #[command(subcommand)]
    Table(table::Command),
    /// Tune the search's parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a subcommand.
pub fn run(extra: Extra, engine: &XiangqiEngine, rules: &XiangqiRules) -> Result<()> {
    let settings = || search_settings(engine.settings());
    match extra {
        Extra::Study(command) => studies::run(command, &mut stdout().lock()),
        Extra::Tune(tune) => {
            agon_network::tune::run(&tune, &XiangqiLearner(*rules), || settings().network)
        }
        Extra::Tactics(tactics) => crate::tactics::run(tactics, rules, &settings()),
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(*rules), &command),
        #[cfg(feature = "tune")]
        Extra::Spsa(flags) => agon_tuning::arena::tune(&flags, engine, rules),
    }
}
