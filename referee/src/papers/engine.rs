//! The engine programs that the experiments run.

use anyhow::{Context, Result, bail};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The engine program is in the referee's folder.
pub fn engine_program(folder: Option<&Path>, name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("where this program stands")?;
    let folder = folder.or(own.parent()).context("where this program stands")?;
    let program = folder.join(name);
    if !program.is_file() {
        bail!(
            "there is no engine {}; build it with `cargo build --release`, or say where it is with \
             --engine-dir",
            program.display()
        );
    }
    Ok(program)
}

/// Prints the next step on a terminal; prints nothing in a pipe.
pub fn print_step(text: std::fmt::Arguments<'_>) {
    if std::io::stderr().is_terminal() {
        eprintln!("{text}");
    }
}
