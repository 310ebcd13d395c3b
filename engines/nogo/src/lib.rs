//! The NoGo engine: tree search guided by a network, Monte Carlo tree search with rapid action values, and simpler searches.

pub mod board;
pub mod ending;
pub mod engine;
pub mod evaluator;
#[cfg(test)]
mod examples;
mod levels;
pub mod network;
pub mod params;
pub mod playout;
pub mod puct;
pub mod rave;
pub mod search;
pub mod tree;

use agon_search::program::{Bench, Command, NoExtra, Program};
use engine::NoGoEngine;
use std::process::ExitCode;

/// The start position, an opening, a middlegame and an endgame.
const BENCH: Bench = Bench {
    positions: &[
        "startpos",
        "startpos moves e5 c3 g7 c7",
        "fen 9/9/9/9/XOXOX2O1/X2OOXX1X/O1OXOX1XO/1XXX2OOO/X1O1XO2O x",
        "fen 9/3XO4/XOXO1XO1O/3O1OX2/XOXOX1XOX/X2OOXX1X/O1OXOX1XO/1XXX2OOO/X1O1XO2O x",
    ],
    depth: Some(4),
    nodes: None,
};

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> NoGoEngine> = Program {
    engine: NoGoEngine::new,
    about: "NoGo on a 9x9 board: an engine that speaks UGI and GTP on stdin and stdout",
    bench: BENCH,
    moved: &[],
};

/// The command line of the `nogo` program.
pub fn command() -> Command {
    PROGRAM.command::<NoExtra>()
}

/// The `nogo` program.
pub fn main() -> ExitCode {
    PROGRAM.main()
}
