//! `referee report`: a log as a self-contained page and as tables.

use crate::session::command_line;
use agon_referee::report::{MatchReport, ReportOptions};
use agon_referee::reproduce;
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
    /// Report on an experiment's games as on any match, with replays and without the paper
    #[arg(long = "match")]
    as_match: bool,
    /// How many games the page lists and replays; those that ended by a fault are added
    #[arg(long, value_name = "N", default_value_t = ReportOptions::default().games)]
    games: usize,
}

/// Prints the tables and writes the page.
pub fn run(args: Args) -> Result<ExitCode> {
    let options = ReportOptions { games: args.games };
    let out =
        (!args.text).then(|| args.out.clone().unwrap_or_else(|| args.log.with_extension("html")));
    let kind = if args.as_match { Kind::Match } else { Kind::OfTheLog };
    write(&args.log, out.as_deref(), options, kind)?;
    Ok(ExitCode::SUCCESS)
}

/// Which report a log gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An experiment's log is compared with its paper, any other is a match.
    OfTheLog,
    /// The match, whatever it was played for.
    Match,
}

/// Prints a log's tables and writes its page, if one is wanted.
pub fn write(log: &Path, out: Option<&Path>, options: ReportOptions, kind: Kind) -> Result<()> {
    let text = page(log, out, options, kind)?;
    match std::io::stdout().write_all(text.as_bytes()) {
        // A reader that closed the pipe has what it wanted.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(e).context("printing the tables")
        }
        _ => Ok(()),
    }
}

/// Writes a log's page, if one is wanted, and returns its tables.
pub fn page(log: &Path, out: Option<&Path>, options: ReportOptions, kind: Kind) -> Result<String> {
    if out.is_some_and(|out| same_file(out, log)) {
        bail!("{}: the page would overwrite the log; name another with --out", log.display());
    }
    let report = MatchReport::of_log(log, options)?;
    let paper = (kind == Kind::OfTheLog)
        .then(|| reproduce::report(log, report.header(), report.aggregate(), &command_line()))
        .flatten();
    let (mut text, html) = match &paper {
        Some(paper) => (paper.text(), paper.html()),
        None => (report.text(), report.html()),
    };
    if let Some(out) = out {
        std::fs::write(out, html)
            .with_context(|| format!("writing the page to {}", out.display()))?;
        text.push_str(&format!("page: {}\n", out.display()));
    }
    Ok(text)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
