//! The program `bin/NAME` of an archive for x86-64: it starts `bin/levels/LEVEL/NAME`, the engine as
//! compiled for the highest level that the processor supports, or for the one that `AGON_CPU` names.
//!
//! Whole programs are compiled for each level because that is the only cut without loss: a function
//! with `#[target_feature]` does not pass its features on to what it calls unless that is inlined, and a
//! recursive search is not.

mod level;
mod place;
#[cfg_attr(unix, path = "start/unix.rs")]
#[cfg_attr(windows, path = "start/windows.rs")]
mod start;
mod text;

use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(status) => status,
        Err(reason) => {
            // If stderr is closed, there is nowhere to write to.
            let _ = writeln!(stderr(), "error: {}", text::visible(&reason));
            ExitCode::FAILURE
        }
    }
}

/// Starts the engine's program; where it does not replace this one, returns its exit status.
fn run() -> Result<ExitCode, String> {
    let forced = std::env::var_os(level::VARIABLE);
    let level = level::choose(forced.as_deref(), level::lacks)?;
    let own = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
    let program = place::program(&own, level);
    start::start(&program).map_err(|e| place::refusal(&program, &e))
}
