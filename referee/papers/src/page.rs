//! The report on a log, printed and written as a page: the log of an experiment is compared with
//! its paper, any other log is reported as a match.

use super::publish::{check_page, write_page};
use super::{amazons, einstein};
use agon_claims::report::PaperReport;
use agon_matchlog::MatchHeader;
use agon_report::command_line::command_line;
use agon_report::report::aggregate::Aggregate;
use agon_report::report::{MatchReport, ReportOptions};
use anyhow::Result;
use std::path::Path;

/// The kind of report for a log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// The comparison with the paper if the log is of an experiment, otherwise the match report.
    OfTheLog,
    /// The match report in any case.
    Match,
}

/// Prints a log's tables and writes its page, if requested.
pub fn write(
    log: &Path,
    out: Option<&Path>,
    options: ReportOptions,
    kind: ReportKind,
) -> Result<()> {
    print!("{}", page(log, out, options, kind)?);
    Ok(())
}

/// Writes a log's page, if requested, and returns its tables.
pub fn page(
    log: &Path,
    out: Option<&Path>,
    options: ReportOptions,
    kind: ReportKind,
) -> Result<String> {
    if let Some(out) = out {
        check_page(out, Some(log))?;
    }
    // Only a page shows games.
    let games = if out.is_some() { options.games } else { 0 };
    let report = MatchReport::of_log(log, ReportOptions { games, ..options })?;
    let mut paper = (kind == ReportKind::OfTheLog)
        .then(|| paper_report(log, report.header(), report.aggregate(), &command_line()))
        .transpose()?
        .flatten();
    if let Some(paper) = &mut paper {
        paper.warnings.splice(..0, report.unchecked());
    }
    let mut text = paper.as_ref().map_or_else(|| report.text(), PaperReport::text);
    if let Some(out) = out {
        write_page(out, &paper.as_ref().map_or_else(|| report.html(), PaperReport::html))?;
        text.push_str(&format!("page: {}\n", out.display()));
    }
    Ok(text)
}

/// The report on a log whose header names an experiment; `None` for any other match. `path` is that
/// of the log, because an experiment may have other logs beside it; `command` reproduces the
/// report.
fn paper_report(
    path: &Path,
    header: &MatchHeader,
    log: &Aggregate,
    command: &str,
) -> Result<Option<PaperReport>> {
    let make = match header.experiment.as_ref().map_or("", |e| e.name.as_str()) {
        amazons::NAME => amazons::report,
        einstein::NAME => einstein::report,
        einstein::BUDGET_NAME => einstein::budget_report,
        _ => return Ok(None),
    };
    make(path, header, log, command).map(Some)
}
