//! Reports: one self-contained HTML page for a match log or a reproduced experiment, and a text
//! version for the terminal.
//!
//! Pages load no external resources, and all text from engines is escaped.

pub mod aggregate;
mod games;
mod match_report;
pub mod match_totals;
mod page;
pub mod replay;
pub mod results;
mod scan;
pub mod search_statistics;
mod sections;
mod summary;

pub use match_report::{MatchReport, ReportOptions};
pub use page::{Page, Text, bilingual, facts, html_table};
pub use scan::scan;
