//! `referee reproduce xiangqi`: runs the engine's position count and reports on it.

use super::{ARGUMENTS, NAME, PositionCount, report};
use crate::papers::engine::{engine_program, finished};
use crate::papers::publish::ReportFiles;
use crate::papers::report::PaperReport;
use anyhow::Result;
use std::process::{Command, ExitCode};

/// Runs the count and prints the report.
pub fn run(files: &ReportFiles) -> Result<ExitCode> {
    files.report(|| reproduce(files))
}

/// Runs the count, which takes a fraction of a second.
pub fn reproduce(files: &ReportFiles) -> Result<PaperReport> {
    let program = engine_program(files.engine_dir.as_deref(), NAME)?;
    let output = finished(Command::new(&program).args(ARGUMENTS))?;
    let count = PositionCount::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(report(&count, "referee reproduce xiangqi")?)
}
