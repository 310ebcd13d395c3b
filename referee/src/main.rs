//! The `referee` program: subcommands over the library.

mod commands;
mod config;
mod flags;
mod live;
mod session;
mod words;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Plays matches between game engines, keeps a log of every game, and makes tables and reports
/// from logs.
///
/// With --config FILE a subcommand takes flags from a TOML file: a key is a flag without its dashes,
/// `[[engine]]` tables are engines. Flags on the command line replace those of the file.
#[derive(Parser)]
#[command(name = "referee", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(Box<commands::match_::Args>),
    Sprt(Box<commands::sprt::Args>),
    Tournament(Box<commands::tournament::Args>),
    Check(commands::check::Args),
    Openings(commands::openings::Args),
    Replay(commands::replay::Args),
    Diagram(commands::diagram::Args),
    Report(commands::report::Args),
    Merge(commands::merge::Args),
    Ratings(commands::ratings::Args),
    Export(commands::export::Args),
    Reproduce(Box<commands::reproduce::Args>),
    Completions(commands::complete::CompletionsArgs),
    Man(commands::complete::ManArgs),
}

fn main() -> ExitCode {
    agon_protocol::cpu::require();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format_timestamp(None)
        .init();
    let run = || run(Cli::parse_from(config::expand(std::env::args().collect())?));
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("referee: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Match(args) => commands::match_::run(*args),
        Command::Sprt(args) => commands::sprt::run(*args),
        Command::Tournament(args) => commands::tournament::run(*args),
        Command::Check(args) => commands::check::run(args),
        Command::Openings(args) => commands::openings::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Diagram(args) => commands::diagram::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Ratings(args) => commands::ratings::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Completions(args) => commands::complete::completions(&args),
        Command::Man(args) => commands::complete::man(&args),
        Command::Reproduce(args) => commands::reproduce::run(*args),
    }
}
