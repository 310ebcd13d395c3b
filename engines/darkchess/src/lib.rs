//! The Chinese dark chess engine.
//!
//! - [`engine`]: options and algorithms
//! - [`search`]: the algorithm `best`; [`playouts`]: the playouts of `mcts`; [`baseline`]: the
//!   algorithm `alphabeta`
//! - [`evaluation`]: the static evaluation; [`evaluator`]: its adapter for the generic searches
//! - [`fortress`]: what cannot be won by the capture relation; [`piece_values`]: the order of captures
//!   and flips
//! - [`tablebase`]: the endgame tablebase, by retrograde analysis; [`small_board`]: exact values of small
//!   games with hidden pieces, by visiting every position

pub mod baseline;
mod cli;
pub mod engine;
pub mod evaluation;
pub mod evaluator;
pub mod fortress;
mod levels;
pub mod piece_values;
pub mod playouts;
pub mod search;
pub mod small_board;
pub mod tablebase;

use crate::engine::DarkChessEngine;
use agon_search::program::{Bench, Command, Program};
use std::process::ExitCode;

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> DarkChessEngine> = Program {
    engine: DarkChessEngine::new,
    about: "Chinese dark chess: an engine on stdin and stdout, and its endgame tablebases",
    bench: Bench { positions: BENCH, depth: Some(6), nodes: None },
    moved: &["classes", "solve", "tune", "spsa"],
};

/// The command line of the `darkchess` program.
pub fn command() -> Command {
    PROGRAM.command::<cli::Extra>()
}

/// The `darkchess` program.
pub fn main() -> ExitCode {
    PROGRAM.main_with(cli::run)
}

/// Positions of the benchmark: an opening, two middle games and an endgame.
const BENCH: &[&str] = &[
    "startpos moves b3 =K c5 =p b4 =g",
    "fen ??k?/?P??/?g?C/R?1?/??n?/?M??/p?c?/?G?? r r KGMRNNCPPPgmmrrncpppp P 2",
    "fen ?1k?/1P2/1g1C/R1?1/2n1/?M2/p1c1/1G2 b r KNmp GMRNCPPPPgmrrncppp 7",
    "fen k2P/1c2/4/2R1/n3/1C1p/4/K1g1 r r - GGMMRNNCPPPPgmmrrncpppp 3",
];
