//! The `connect6` program: the engine, and its studies and opening book as subcommands.

mod book;

use agon_connect6::engine::Connect6Engine;
use agon_connect6_studies::commands::StudyCommand;
use agon_search::program::{Bench, Command, Program};
use std::process::ExitCode;

/// Subcommands besides playing.
#[derive(Debug, clap::Subcommand)]
enum Extra {
    #[command(flatten)]
    Study(StudyCommand),
    /// Make, show and verify opening books, which the option `Book` plays from
    #[command(subcommand)]
    Book(book::BookCommand),
    /// Tune the parameters of search and evaluation by self-play matches (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
}

/// The first turns, a quiet middlegame and two positions with threats.
const BENCH: Bench = Bench {
    positions: &[
        "startpos",
        "startpos moves j10",
        "startpos moves j10 i11k11 i9k9",
        "startpos moves j10 k9l8 j8j11 j7j12 h10i10 g10l10",
    ],
    depth: Some(3),
    nodes: None,
};

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> Connect6Engine> = Program {
    engine: Connect6Engine::new,
    about: "Connect6: an engine that speaks UGI on stdin and stdout, and a threat-space solver \
            whose wins are verified",
    bench: BENCH,
};

/// The command line of the `connect6` program.
pub fn command() -> Command {
    PROGRAM.command::<Extra>()
}

/// The `connect6` program.
pub fn main() -> ExitCode {
    PROGRAM.main_with(|extra: Extra, server| {
        let (engine, rules) = server.into_parts();
        match extra {
            Extra::Study(study) => study.run(&rules),
            Extra::Book(book) => book.run(engine, &rules),
            #[cfg(feature = "tune")]
            Extra::Spsa(flags) => agon_tuning::arena::tune(&flags, &engine, &rules),
        }
    })
}
