//! `referee report`: reports on a log as a self-contained page and as tables.

use agon_papers::page::{ReportKind, write};
use agon_report::plot::PieceStyle;
use agon_report::report::ReportOptions;
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a report of a match log: tables here, and a self-contained HTML page
#[derive(clap::Args)]
pub struct Args {
    /// The match log
    log: PathBuf,
    /// The output page; default: the log's name with `.html`
    #[arg(long, short, value_name = "FILE", conflicts_with = "text", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Only print the tables
    #[arg(long, help_heading = "Output")]
    text: bool,
    /// Report the games of an experiment as an ordinary match, with replays and without the paper's
    /// tables
    #[arg(long = "match", help_heading = "Output")]
    as_match: bool,
    /// Number of games that the page lists and replays; games that ended by a fault are added
    #[arg(long, value_name = "N", default_value_t = ReportOptions::default().games, help_heading = "Games")]
    games: usize,
    /// Show the pieces of Xiangqi and dark chess as letters at first; a switch on the page changes it
    #[arg(long, help_heading = "Output")]
    letters: bool,
}

/// Prints the tables and writes the page.
pub fn run(args: Args) -> Result<ExitCode> {
    let options = ReportOptions { games: args.games, pieces: PieceStyle::from_flag(args.letters) };
    let out =
        (!args.text).then(|| args.out.clone().unwrap_or_else(|| args.log.with_extension("html")));
    let kind = if args.as_match { ReportKind::Match } else { ReportKind::OfTheLog };
    write(&args.log, out.as_deref(), options, kind)?;
    Ok(ExitCode::SUCCESS)
}
