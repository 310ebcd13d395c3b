//! `referee report`: a log as a self-contained page and as tables.

use agon_referee::report::{MatchReport, ReportOptions};
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a report of a match log: tables here, and a self-contained HTML page
#[derive(clap::Args)]
pub struct Args {
    /// The match log
    log: PathBuf,
    /// The page; default: the log's name with `.html`
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    out: Option<PathBuf>,
    /// Only print the tables
    #[arg(long)]
    text: bool,
    /// How many games the page lists and replays; those that ended by a fault are added
    #[arg(long, value_name = "N", default_value_t = ReportOptions::default().games)]
    games: usize,
}

/// Prints the tables and writes the page.
pub fn run(args: Args) -> Result<ExitCode> {
    let out = args.out.unwrap_or_else(|| args.log.with_extension("html"));
    if !args.text && same_file(&out, &args.log) {
        bail!("{}: the page would overwrite the log; name another file with --out", out.display());
    }
    let report = MatchReport::of_log(&args.log, ReportOptions { games: args.games })?;
    let mut text = report.text();
    if !args.text {
        std::fs::write(&out, report.html())
            .with_context(|| format!("writing the page to {}", out.display()))?;
        text.push_str(&format!("page: {}\n", out.display()));
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        // A reader that closed the pipe has what it wanted.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(e).context("printing the tables")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
