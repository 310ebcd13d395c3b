//! The Xiangqi engine: its evaluation, its searches, and the endgame tablebase ([`tablebase`]).

mod cli;
pub mod engine;
pub mod evaluation;
mod levels;
pub mod mcts;
pub mod position;
pub mod reference_eval;
pub mod search;
pub mod tablebase;

use crate::engine::XiangqiEngine;
use agon_search::program::{Bench, Command, Program};
use std::process::ExitCode;

/// The start position, two middlegames, an attack and an endgame.
const BENCH: Bench = Bench {
    positions: &[
        "startpos",
        "fen r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "fen 1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
        "fen C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1",
        "fen 5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    ],
    depth: Some(12),
    nodes: None,
};

/// The engine, its description and its benchmark.
const PROGRAM: Program<fn() -> XiangqiEngine> = Program {
    engine: XiangqiEngine::new,
    about: "Xiangqi: an engine that speaks UGI, UCI and UCCI on stdin and stdout; builds \
            endgame tablebases",
    bench: BENCH,
    moved: &["count", "census", "rank", "unrank", "random", "tune", "tactics", "spsa"],
};

/// The command line of the `xiangqi` program.
pub fn command() -> Command {
    PROGRAM.command::<cli::Extra>()
}

/// The `xiangqi` program.
pub fn main() -> ExitCode {
    PROGRAM.main_with(|extra, server| cli::run(extra, &server.into_parts().1))
}
