//! `referee reproduce`: runs the experiment of a paper and reports on it.

mod all;
mod flags;

use agon_papers::{amazons, connect6, darkchess, einstein, xiangqi};
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
    All(all::Args),
    Amazons(flags::AmazonsArgs),
    Connect6(flags::Connect6Args),
    Darkchess(flags::DarkchessArgs),
    Einstein(flags::EinsteinArgs),
    Xiangqi(flags::XiangqiArgs),
}

/// Runs the experiment and writes its report.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.experiment {
        Experiment::All(args) => all::run(&args),
        Experiment::Amazons(args) => amazons::run::run(&args.arguments()?),
        Experiment::Connect6(args) => connect6::run::run(&args.arguments()),
        Experiment::Darkchess(args) => darkchess::run::run(&args.arguments()),
        Experiment::Einstein(args) => einstein::run::run(&args.arguments()?),
        Experiment::Xiangqi(args) => xiangqi::run(&args.files.files()),
    }
}
