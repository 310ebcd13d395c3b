//! `referee reproduce xiangqi`: runs the engine's position count and reports on it.

use super::{ARGUMENTS, NAME, PositionCount, report};
use crate::papers::engine::{engine_program, finished};
use crate::papers::publish::ReportFlags;
use crate::papers::report::PaperReport;
use anyhow::Result;
use std::process::{Command, ExitCode};

/// The number of Xiangqi positions: the paper's tables from the engine's `count`
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    files: ReportFlags,
}

/// Runs the count and prints the report.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.files.report(|| reproduce(args))
}

/// Runs the count, which takes a fraction of a second.
pub(in crate::papers) fn reproduce(args: &Args) -> Result<PaperReport> {
    let program = engine_program(args.files.engine_dir.as_deref(), NAME)?;
    let output = finished(Command::new(&program).args(ARGUMENTS))?;
    let count = PositionCount::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(report(&count, "referee reproduce xiangqi")?)
}
