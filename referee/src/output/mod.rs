//! The output of matches: the live display, tables, pictures, pages and exports.

pub mod command_line;
pub mod export;
pub mod live;
pub mod outcome;
mod pgn_out;
pub mod plot;
pub mod recorder;
pub mod report;
pub mod sprt;
pub mod standings;
