//! The output of matches: the live display, tables, pictures, pages and exports.

pub mod assets;
pub mod bracket;
pub mod command_line;
pub mod crosstable;
pub mod export;
pub mod live;
pub mod outcome;
mod pgn_out;
pub mod plot;
pub mod recorder;
pub mod report;
pub mod sprt;
pub mod standings;
pub mod view;
pub mod width;
