//! `referee reproduce xiangqi`: runs the engine's position count and reports on it.

use super::{ARGUMENTS, NAME, PositionCount, report};
use crate::papers::engine::engine_program;
use crate::papers::publish::{check_page, publish};
use crate::papers::report::PaperReport;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

/// The number of Xiangqi positions: the paper's tables from the engine's `census`
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the engine program; default: the referee's folder
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// Also write the report as a self-contained page
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the count and prints the report.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.out.as_deref().map_or(Ok(()), |out| check_page(out, None))?;
    publish(&reproduce(args)?, args.out.as_deref())
}

/// Runs the count, which takes a fraction of a second.
pub(in crate::papers) fn reproduce(args: &Args) -> Result<PaperReport> {
    let program = engine_program(args.engine_dir.as_deref(), NAME)?;
    let output = std::process::Command::new(&program)
        .args(ARGUMENTS)
        .output()
        .with_context(|| format!("running {}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{} {}: {}", program.display(), ARGUMENTS.join(" "), said.trim());
    }
    let count = PositionCount::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(report(&count, "referee reproduce xiangqi")?)
}
