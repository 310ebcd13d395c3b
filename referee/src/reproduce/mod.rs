//! Experiments of the papers: the match that repeats one, and the report on its log.

pub mod amazons;
pub mod xiangqi;

use crate::matchlog::Header;
use crate::report::PaperReport;
use crate::report::aggregate::Aggregate;

/// The report on a log whose header names an experiment; `None` for any other match. `command` is
/// what makes it again.
pub fn report(header: &Header, log: &Aggregate, command: &str) -> Option<PaperReport> {
    match header.experiment.as_ref()?.name.as_str() {
        amazons::NAME => Some(amazons::report(header, log, command)),
        _ => None,
    }
}
