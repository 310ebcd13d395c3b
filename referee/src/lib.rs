//! The referee: plays engines against each other, judges every move by the rules, keeps a log
//! that is the only truth, and makes tables and reports from logs.
//!
//! It knows engines only as programs that speak text and never links one.

pub mod adjudicate;
pub mod chance;
pub mod check;
pub mod crosstable;
pub mod engine;
pub mod export;
pub mod limits;
pub mod matchlog;
pub mod openings;
pub mod overhead;
pub mod play;
pub mod plot;
pub mod progress;
pub mod report;
pub mod reproduce;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod tables;
