//! The referee: plays engines against each other, judges every move by the rules, keeps a log
//! that is the only truth, and makes tables and reports from logs.
//!
//! It knows engines only as programs that speak text and never links one.

pub mod matchlog;
pub mod stats;
