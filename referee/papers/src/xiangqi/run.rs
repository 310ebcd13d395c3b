//! `referee reproduce xiangqi`: runs the position count of `lab` and reports on it.

use super::{ARGUMENTS, PositionCount, report};
use crate::engine::{LAB, find_program, finished};
use crate::publish::ReportFiles;
use crate::report::PaperReport;
use anyhow::Result;
use std::process::{Command, ExitCode};

/// Runs the count and prints the report.
pub fn run(files: &ReportFiles) -> Result<ExitCode> {
    files.report(|| reproduce(files))
}

/// Runs the count, which takes a fraction of a second.
pub fn reproduce(files: &ReportFiles) -> Result<PaperReport> {
    let program = find_program(files.engine_dir.as_deref(), LAB)?;
    let output = finished(Command::new(&program).args(ARGUMENTS))?;
    let count = PositionCount::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(report(&count, "referee reproduce xiangqi")?)
}
