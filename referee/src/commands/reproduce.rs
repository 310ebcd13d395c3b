//! `referee reproduce`: runs the experiment of a paper and reports on it.

use crate::papers::{all, amazons, connect6, darkchess, einstein, xiangqi};
use anyhow::Result;
use std::process::ExitCode;

/// Reproduce the experiment of a paper and report on it
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    All(all::run::Args),
    Amazons(amazons::run::Args),
    Connect6(connect6::run::Args),
    Darkchess(darkchess::run::Args),
    Einstein(einstein::run::Args),
    Xiangqi(xiangqi::run::Args),
}

/// Runs the experiment and writes its report.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.experiment {
        Experiment::All(args) => all::run::run(&args),
        Experiment::Amazons(args) => amazons::run::run(&args),
        Experiment::Connect6(args) => connect6::run::run(&args),
        Experiment::Darkchess(args) => darkchess::run::run(&args),
        Experiment::Einstein(args) => einstein::run::run(&args),
        Experiment::Xiangqi(args) => xiangqi::run::run(&args),
    }
}
