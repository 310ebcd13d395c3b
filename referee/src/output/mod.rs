//! The output of matches: the live display, tables, pictures, pages and exports.

pub mod command_line;
pub mod export;
pub mod live;
pub mod outcome;
pub mod plot;
pub mod report;
pub mod sprt;
pub mod standings;
