//! The `referee` program: one module per subcommand, with its flags and its calls into the lower
//! levels.

mod audit;
mod check;
mod conduct;
mod config;
mod desk;
mod diagram;
mod events;
mod export;
mod fastchess;
mod flags;
mod help;
#[cfg(test)]
mod help_tests;
mod localize;
mod match_;
mod merge;
mod openings;
mod preflight;
mod provenance;
mod ratings;
mod replay;
mod report;
mod reproduce;
mod serve;
mod sprt;
mod stats;
mod tournament;
mod verify;
mod verify_records;

use agon_base::files;
use agon_base::language::{self, Language};
use agon_engine::{INTERRUPTED, guard, interrupted};

use agon_base::{terminal, width};
use agon_games::phrase::phrase;
use agon_games::text::{excerpt, visible_lines};
use agon_matches::games::game_names;
use agon_wire::version;
use anyhow::anyhow;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Play matches between game engines, log every game, and make tables and reports from logs.
///
/// With --config FILE a subcommand takes flags from a TOML file: a key is a flag without its
/// dashes, and `[[engine]]` tables are engines. Command-line flags override the file.
#[derive(Parser)]
#[command(name = "referee", version, long_version = version::long(), max_term_width = help::WIDTH)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(Box<match_::Args>),
    Sprt(Box<sprt::Args>),
    Tournament(Box<tournament::Args>),
    Fastchess(fastchess::Args),
    Check(check::Args),
    Openings(openings::Args),
    Replay(replay::Args),
    Diagram(diagram::Args),
    Report(report::Args),
    Merge(merge::Args),
    Verify(verify::Args),
    Audit(audit::Args),
    Ratings(ratings::Args),
    Stats(stats::Args),
    Events(events::Args),
    Export(export::Args),
    Desk(Box<desk::Args>),
    Serve(serve::Args),
    Reproduce(Box<reproduce::Args>),
}

/// The command line of the program, in English.
pub fn command() -> clap::Command {
    in_language(Language::English)
}

/// Parses the command line and runs the subcommand.
pub fn main() -> ExitCode {
    if let Some(code) = guard::run_guard() {
        return code;
    }
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            let (level, text) = (record.level(), record.args().to_string());
            let line = format!("[{level} {}] {}", record.target(), visible_lines(&text));
            let width = width::of_errors().map_or(usize::MAX, |size| size.width);
            writeln!(out, "{}", width::hang(&line, width))
        })
        .init();
    files::catch_size_limit();
    let arguments = arguments();
    let given = arguments.as_deref().unwrap_or_default();
    let language = localize::of_arguments(given, language::current(), &Cli::command());
    let run = || match arguments.as_deref().ok().and_then(fastchess::of_arguments) {
        Some((persona, words)) => fastchess::play(words, persona),
        None => parse_and_run(config::expand(arguments?, &Cli::command())?, language),
    };
    let code = match run() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("referee: {}", language.explain(&error));
            if interrupted() { ExitCode::from(INTERRUPTED) } else { ExitCode::FAILURE }
        }
    };
    match terminal::failure() {
        Some(error) => {
            eprintln!("referee: standard output: {error}");
            ExitCode::FAILURE
        }
        None => code,
    }
}

/// The command line of this program with its help in a language.
fn in_language(language: Language) -> clap::Command {
    let games = language.say(&phrase!("Games: {names}", names = game_names()));
    let command = localize::localized(Cli::command().after_help(games), language);
    help::with_examples(command, "", language)
}

/// The command line, which must be text: it is stored in logs.
fn arguments() -> anyhow::Result<Vec<String>> {
    let arguments = std::env::args_os().enumerate();
    arguments
        .map(|(i, argument)| {
            argument.into_string().map_err(|argument| {
                let text = argument.to_string_lossy();
                anyhow!("argument {i} is not UTF-8 text: `{}`", excerpt(&text))
            })
        })
        .collect()
}

/// A closed pipe, as in `referee export ... | head -1`, is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|e| e.downcast_ref::<std::io::Error>());
    causes.map(std::io::Error::kind).any(|kind| kind == ErrorKind::BrokenPipe)
}

/// Runs the subcommand, or prints why there is none and exits.
fn parse_and_run(expanded: config::Expanded, language: Language) -> anyhow::Result<ExitCode> {
    let matches = in_language(language).try_get_matches_from(&expanded.arguments);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches)).unwrap_or_else(|error| {
        if let Some(place) = expanded.place(&error) {
            eprintln!("referee: {place}:");
        }
        if language == Language::Chinese && error.use_stderr() {
            eprintln!("{}", localize::refusal(&error, language).trim_end());
            std::process::exit(error.exit_code());
        }
        error.exit()
    });
    run(cli)
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Match(args) => match_::run(*args),
        Command::Sprt(args) => sprt::run(*args),
        Command::Tournament(args) => tournament::run(*args),
        Command::Fastchess(args) => fastchess::run(&args),
        Command::Check(args) => check::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Diagram(args) => diagram::run(args),
        Command::Report(args) => report::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Verify(args) => verify::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Ratings(args) => ratings::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Events(args) => events::run(&args),
        Command::Export(args) => export::run(args),
        Command::Desk(args) => desk::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Reproduce(args) => reproduce::run(*args),
    }
}
