//! The `einstein` program.

mod cli;

use agon_einstein::engine::EinSteinEngine;
use agon_search::program::{Bench, Program};
use std::process::ExitCode;

fn main() -> ExitCode {
    agon_protocol::cpu::require();
    let program = Program {
        engine: EinSteinEngine::new,
        about: "Plays EinStein wuerfelt nicht",
        version: env!("CARGO_PKG_VERSION"),
        bench: Bench { positions: BENCH, depth: Some(5), nodes: None },
    };
    program.main_with(cli::run)
}

/// Four layouts and two later positions, each with a die.
const BENCH: &[&str] = &[
    "fen BFA2/CD3/E3e/3dc/2afb u 4",
    "fen ABC2/DE3/F3f/3ed/2cba u 1",
    "fen FAE2/BD3/C3d/3fb/2eca l 6",
    "fen ADC2/FE3/B3a/3cf/2bed u 3",
    "fen 1F1A1/1C2e/2D1f/b2c1/3a1 l 2",
    "fen 5/1CA1e/2f2/1b2D/3a1 u 5",
];
