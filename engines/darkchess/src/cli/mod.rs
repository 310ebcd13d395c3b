//! The program's own subcommands.

mod table;

use crate::engine::DarkChessEngine;
use crate::evaluation::network;
use crate::tune::DarkChessLearner;
use agon_darkchess_studies::cli::{classes, solve};
use agon_network::tune::Tune;
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
    /// Play games against itself, and train the evaluation's network on them
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
        Extra::Tune(tune) => {
            let network = || network(engine.settings());
            agon_network::tune::run(&tune, &DarkChessLearner(rules), network)
        }
        #[cfg(feature = "tune")]
        Extra::Spsa(flags) => agon_tuning::arena::tune(&flags, &engine, &rules),
    }
}
