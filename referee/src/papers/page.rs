//! The report on a log, printed and written as a page: the log of an experiment is compared with
//! its paper, any other log is reported as a match.

use super::report::PaperReport;
use super::{amazons, einstein};
use crate::matchlog::Header;
use crate::output::command_line::command_line;
use crate::output::report::aggregate::Aggregate;
use crate::output::report::{MatchReport, ReportOptions};
use anyhow::{Context, Result, bail};
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;

/// The kind of report for a log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The comparison with the paper if the log is of an experiment, otherwise the match report.
    OfTheLog,
    /// The match report in any case.
    Match,
}

/// Prints a log's tables and writes its page, if requested.
pub fn write(log: &Path, out: Option<&Path>, options: ReportOptions, kind: Kind) -> Result<()> {
    print!("{}", page(log, out, options, kind)?);
    Ok(())
}

/// Writes a log's page, if requested, and returns its tables.
pub fn page(log: &Path, out: Option<&Path>, options: ReportOptions, kind: Kind) -> Result<String> {
    if out.is_some_and(|out| same_file(out, log)) {
        bail!("{}: the page would overwrite the log; name another with --out", log.display());
    }
    let report = MatchReport::of_log(log, options)?;
    let paper = (kind == Kind::OfTheLog)
        .then(|| paper_report(log, report.header(), report.aggregate(), &command_line()))
        .flatten();
    let (mut text, html) = match &paper {
        Some(paper) => (paper.text(), paper.html()),
        None => (report.text(), report.html()),
    };
    if let Some(out) = out {
        write_page(out, &html)?;
        text.push_str(&format!("page: {}\n", out.display()));
    }
    Ok(text)
}

/// Writes a page to a temporary file and renames it: an interrupted write leaves an older page
/// intact. Anything but an ordinary file (a link, a pipe) is written in place.
pub fn write_page(path: &Path, html: &str) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
            return std::fs::write(path, html);
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Temporary files are private by default; the umask applies to these.
        let shared = Permissions::from_mode(0o666);
        let mut aside = tempfile::Builder::new().permissions(shared).tempfile_in(folder)?;
        aside.write_all(html.as_bytes())?;
        aside.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("writing the page to {}", path.display()))
}

/// Prints a report, and writes its page if requested.
pub fn publish(report: &PaperReport, out: Option<&Path>) -> Result<ExitCode> {
    print!("{}", report.text());
    if let Some(path) = out {
        write_page(path, &report.html())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The report on a log whose header names an experiment; `None` for any other match. `path` is that
/// of the log, because an experiment may have other logs beside it; `command` reproduces the
/// report.
fn paper_report(
    path: &Path,
    header: &Header,
    log: &Aggregate,
    command: &str,
) -> Option<PaperReport> {
    match header.experiment.as_ref()?.name.as_str() {
        amazons::NAME => Some(amazons::report(header, log, command)),
        einstein::NAME => Some(einstein::report(path, header, log, command)),
        _ => None,
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_page_takes_the_place_of_an_older_one_whole_or_not_at_all() {
        let folder = tempfile::TempDir::new().unwrap();
        let page = folder.path().join("page.html");
        for text in ["old", "new"] {
            write_page(&page, text).unwrap();
            assert_eq!(fs::read_to_string(&page).unwrap(), text);
        }
        assert_ne!(fs::metadata(&page).unwrap().permissions().mode() & 0o044, 0);
        let link = folder.path().join("link.html");
        std::os::unix::fs::symlink(&page, &link).unwrap();
        write_page(&link, "through").unwrap();
        assert_eq!(fs::read_to_string(&page).unwrap(), "through");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        // A folder cannot become a page, and no temporary file remains.
        assert!(write_page(folder.path(), "x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
