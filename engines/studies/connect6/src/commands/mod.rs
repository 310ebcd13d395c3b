//! The study subcommands of the `connect6` program.

mod learn;
mod openings;
mod problems;
mod safety;
mod sgf;
mod solve;

pub use learn::LearnArgs;
pub use openings::OpeningsArgs;
pub use problems::{GamesArgs, ProblemsCommand};
pub use safety::SafetyArgs;
pub use sgf::SgfArgs;
pub use solve::{SolveArgs, read_position};

use agon_protocol::connect6::Connect6Rules;
use anyhow::Result;

/// The studies, as subcommands.
#[derive(Debug, clap::Subcommand)]
pub enum StudyCommand {
    /// Find a win by continuous threats for the side to move, with a verified proof
    Solve(SolveArgs),
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
    /// Read a game as SGF and print it as protocol tokens or as SGF in another form
    Sgf(SgfArgs),
}

impl StudyCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad arguments, unreadable input, or a failed check.
    pub fn run(self, rules: &Connect6Rules) -> Result<()> {
        match self {
            StudyCommand::Solve(args) => args.run(rules),
            StudyCommand::Problems(command) => command.run(rules),
            StudyCommand::Games(args) => args.run(rules),
            StudyCommand::Openings(args) => args.run(rules),
            StudyCommand::Safety(args) => args.run(rules),
            StudyCommand::Learn(args) => args.run(),
            StudyCommand::Sgf(args) => args.run(),
        }
    }
}
