//! The `amazons` program.

use agon_amazons::engine::AmazonsEngine;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    match agon_protocol::serve::serve(
        AmazonsEngine::new(),
        io::BufReader::new(io::stdin()),
        io::stdout(),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("amazons: {e}");
            ExitCode::FAILURE
        }
    }
}
