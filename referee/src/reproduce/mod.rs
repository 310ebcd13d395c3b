//! Experiments of the papers: the match that repeats one, and the report on its log.

pub mod amazons;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
pub mod xiangqi;

use crate::matchlog::Header;
use crate::report::PaperReport;
use crate::report::aggregate::Aggregate;
use std::path::Path;

/// Digits in groups of three.
fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// The report on a log whose header names an experiment; `None` for any other match. `path` is the
/// log's, as an experiment may have others beside it; `command` is what makes it again.
pub fn report(path: &Path, header: &Header, log: &Aggregate, command: &str) -> Option<PaperReport> {
    match header.experiment.as_ref()?.name.as_str() {
        amazons::NAME => Some(amazons::report(header, log, command)),
        einstein::NAME => Some(einstein::report(path, header, log, command)),
        _ => None,
    }
}
