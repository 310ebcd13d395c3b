//! The programs that the experiments run: engines, and `lab`.

use agon_engine::interrupted;
use agon_games::text::visible_lines;
use anyhow::{Context, Result, bail};
use std::env::consts::EXE_SUFFIX;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program of the studies: counts, training and exact losses.
pub const LAB: &str = "lab";

/// An engine or [`LAB`], in a folder or else in the referee's.
///
/// # Errors
///
/// It is not there.
pub fn find_program(folder: Option<&Path>, name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("where this program stands")?;
    let folder = folder.or(own.parent()).context("where this program stands")?;
    let program = folder.join(format!("{name}{EXE_SUFFIX}"));
    if !program.is_file() {
        bail!(
            "there is no program {}; build it with `cargo build --release`, or say where it is with \
             --engine-dir",
            program.display()
        );
    }
    Ok(program)
}

/// Runs a program to its end and returns its output.
///
/// # Errors
///
/// It cannot be started, fails, with its own message, or is interrupted.
pub fn finished(command: &mut Command) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("running {name}"))?;
    if interrupted() {
        bail!("interrupted; finished work is saved, and the same command resumes it");
    }
    if !output.status.success() {
        bail!(
            "{name}: {}: {}",
            output.status,
            visible_lines(String::from_utf8_lossy(&output.stderr).trim())
        );
    }
    Ok(output)
}

/// Prints the next step on a terminal; prints nothing in a pipe.
pub fn print_step(text: std::fmt::Arguments<'_>) {
    if std::io::stderr().is_terminal() {
        eprintln!("{text}");
    }
}

/// The core count of this machine, not the log's: the report is made where the games were played.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
