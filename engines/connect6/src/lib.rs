//! The Connect6 engine: a board with incremental window counts ([`board`]), the threat-space solver
//! of Kang 2012 ([`solver`]), proofs of its wins ([`proof`]), a verifier that shares nothing else with
//! it ([`verify`]) and a diagnosis of wins that it misses ([`missed_win`]), the evaluation and
//! candidate turns of game searches ([`play`]), the tournament search ([`best`]), the opening book
//! ([`book`]), and the engine itself ([`engine`]).

pub mod best;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
mod levels;
pub mod missed_win;
pub mod params;
pub mod play;
pub mod proof;
pub mod solver;
pub mod verify;

use agon_search::program::{Bench, Command, Program};
use engine::Connect6Engine;
use std::process::ExitCode;

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
    moved: &["problems", "games", "openings", "safety", "learn", "sgf", "book", "spsa"],
};

/// The command line of the `connect6` program.
pub fn command() -> Command {
    PROGRAM.command::<cli::Extra>()
}

/// The `connect6` program.
pub fn main() -> ExitCode {
    PROGRAM.main_with(|extra, server| cli::run(&extra, &server.into_parts().1))
}
