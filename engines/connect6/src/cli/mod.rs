//! The program's own subcommand: the solver.

mod solve;

pub use solve::{SolveArgs, read_position};

use agon_games::connect6::Connect6Rules;
use anyhow::Result;

/// The subcommands besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Find a win by continuous threats for the side to move, with a verified proof
    Solve(SolveArgs),
}

/// Runs a subcommand.
///
/// # Errors
/// Bad arguments, unreadable input, or a claimed win that the verifier refutes.
pub fn run(extra: &Extra, rules: &Connect6Rules) -> Result<()> {
    match extra {
        Extra::Solve(args) => args.run(rules),
    }
}
