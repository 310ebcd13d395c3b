//! Puts the engine's program in the place of this one: the same process, so signals, limits and whoever
//! waits for it find the engine.

use std::env::args_os;
use std::io::Error;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs a program instead of this one, with the same arguments; returns only if that fails.
pub fn start(program: &Path) -> Result<ExitCode, Error> {
    let mut arguments = args_os();
    let mut command = Command::new(program);
    // The name in its help.
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    Err(command.args(arguments).exec())
}
