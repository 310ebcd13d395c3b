//! The commands for Connect6.

mod book;
mod learn;
mod letters;
mod openings;
mod problems;
mod safety;
mod sgf;

use agon_connect6::engine::Connect6Engine;
use agon_games::connect6::Connect6Rules;
use anyhow::Result;
use book::BookCommand;
use learn::LearnArgs;
use letters::LettersArgs;
use openings::OpeningsArgs;
use problems::{GamesArgs, ProblemsCommand};
use safety::SafetyArgs;
use sgf::SgfArgs;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Make and check a problem set from self-play games, as JSON lines
    #[command(subcommand)]
    Problems(ProblemsCommand),
    /// Print self-play games with several strengths and styles
    Games(GamesArgs),
    /// Print openings without an advantage in a deep search, and not won by one colour in self-play
    Openings(OpeningsArgs),
    /// Measure in self-play how often `best` plays a turn that loses by force although another does
    /// not
    Safety(SafetyArgs),
    /// Learn values of lines for the evaluation from the searches of self-play games
    Learn(LearnArgs),
    /// Solve a Double Letter Puzzle by dependency-based search, stage by stage, and by a plain search
    Letters(LettersArgs),
    /// Read a game as SGF and print it as protocol tokens or as SGF in another form
    Sgf(SgfArgs),
    /// Make, show and verify opening books, which the option `Book` plays from
    #[command(subcommand)]
    Book(BookCommand),
    /// Tune the parameters of search and evaluation by self-play matches (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// Runs a command.
///
/// # Errors
/// Bad arguments, unreadable input, or a failed check.
pub fn run(command: Command, engine: Connect6Engine, rules: &Connect6Rules) -> Result<()> {
    match command {
        Command::Problems(command) => command.run(rules),
        Command::Games(args) => args.run(rules),
        Command::Openings(args) => args.run(rules),
        Command::Safety(args) => args.run(rules),
        Command::Learn(args) => args.run(),
        Command::Letters(args) => args.run(),
        Command::Sgf(args) => args.run(),
        Command::Book(book) => book.run(engine, rules),
        #[cfg(feature = "tune")]
        Command::Spsa(flags) => agon_tuning::arena::tune(&flags, &engine, rules),
    }
}
