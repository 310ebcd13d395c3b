//! The Amazons engine: its evaluation, its move encoding for the search, and its options and
//! algorithms.

pub mod engine;
pub mod eval;
pub mod evaluator;
pub mod filling;
pub mod filling_search;
mod levels;
pub mod params;
pub mod territory;

use agon_search::program::{Bench, Command, NoExtra, Program};
use engine::AmazonsEngine;
use std::process::ExitCode;

/// The start position, an early position, two middlegames and one that is nearly separated.
const BENCH: Bench = Bench {
    positions: &[
        "startpos",
        "startpos moves d1d7,d7g7 a7b7,b7b2",
        "fen 2q3q3/*5*1Q1/q*5Q1*/4*3q1/7*2/7*2/Q7*1/10/1*1*6/6Q3 w",
        "fen 1*2*4*/2*7/2*5*1/1q2*2*2/4*qQ**1/*2**2q2/4*1*1*1/*2q1Q1*1Q/**1*6/1*1*3Q2 w",
        "fen 1***1*2Q*/1*Q1q*4/*q**1*1*2/**1**3*1/1*1*1***2/*2*1*2*1/****2*2*/4*1**1q/4*1**1q/\
         Q2*1Q2*1 w",
    ],
    depth: Some(6),
    nodes: None,
};

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> AmazonsEngine> = Program {
    engine: AmazonsEngine::new,
    about: "The Game of the Amazons: an engine that speaks UGI and UCI on stdin and stdout",
    bench: BENCH,
    moved: &["tune", "spsa"],
};

/// The command line of the `amazons` program.
pub fn command() -> Command {
    PROGRAM.command::<NoExtra>()
}

/// The `amazons` program.
pub fn main() -> ExitCode {
    PROGRAM.main()
}
