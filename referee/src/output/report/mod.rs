//! Reports: one self-contained HTML page of a match log or of a reproduced experiment, and the
//! same in text for the terminal.
//!
//! Pages load nothing from anywhere, and everything that came from an engine is escaped.

pub mod aggregate;
pub mod effort;
mod games;
mod match_report;
mod page;
pub mod replay;
pub mod results;
mod scan;

pub use match_report::{MatchReport, ReportOptions};
pub use page::{Page, facts, html_table};
pub use scan::scan;
