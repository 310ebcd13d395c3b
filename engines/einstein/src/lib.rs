//! The EinStein wuerfelt nicht engine.
//!
//! - [`engine`]: options and algorithms; [`set_up_search`] and [`set_ups`]: the choice of a set-up
//! - [`race_distribution`]: exact distributions of the race to the goal; [`pairs`]: trained weights
//!   for pairs of stones; [`evaluation`]: both as evaluators for expectimax
//! - [`playout_board`]: fast random games; [`playout_policy`]: move choice in playouts;
//!   [`playout_pool`]: multithreaded playouts; [`simulator`]: playouts for the tree
//!   searches; [`tree_search`]: their options; [`paper_mcts`]: the search of a paper, with its
//!   n-tuple network [`ntuple`]
//! - [`tablebase`]: the exact value of every position of at most 6 stones

mod cli;
pub mod engine;
pub mod evaluation;
mod levels;
pub mod ntuple;
pub mod pairs;
pub mod paper_mcts;
pub mod params;
pub mod playout_board;
pub mod playout_policy;
pub mod playout_pool;
pub mod race_distribution;
pub mod set_up_search;
pub mod set_ups;
pub mod simulator;
pub mod tablebase;
pub mod tree_search;

use crate::engine::EinSteinEngine;
use agon_search::program::{Bench, Command, Program};
use std::process::ExitCode;

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> EinSteinEngine> = Program {
    engine: EinSteinEngine::new,
    about: "EinStein wuerfelt nicht: an engine on stdin and stdout, and its endgame tablebases",
    bench: Bench { positions: BENCH, depth: Some(5), nodes: None },
    moved: &["train", "learn", "loss", "set-ups"],
};

/// The command line of the `einstein` program.
pub fn command() -> Command {
    PROGRAM.command::<cli::Extra>()
}

/// The `einstein` program.
pub fn main() -> ExitCode {
    PROGRAM.main_with(cli::run)
}

/// Positions of the benchmark: four layouts and two later positions, each with a die.
const BENCH: &[&str] = &[
    "fen BFA2/CD3/E3e/3dc/2afb u 4",
    "fen ABC2/DE3/F3f/3ed/2cba u 1",
    "fen FAE2/BD3/C3d/3fb/2eca l 6",
    "fen ADC2/FE3/B3a/3cf/2bed u 3",
    "fen 1F1A1/1C2e/2D1f/b2c1/3a1 l 2",
    "fen 5/1CA1e/2f2/1b2D/3a1 u 5",
];
