//! What people and other programs see of a match: the live display, tables, charts, pages and exports.
//!
//! - While it runs: [`recorder`], which drives the live display ([`live`]) and the PGN file
//! - Results as text and JSON: [`headline`], [`standings`], [`bracket`], [`crosstable`], [`sprt`], [`statistics`], [`workers`], [`outcome`]
//! - [`report`]: the self-contained page of a log, and its text
//! - [`export`]: the games of a log as PGN, SGF, WXF, CCGC or CSV
//! - [`view`]: a position as pages need it, the only definition of that, with [`shown`]: its moves; [`assets`]: the JavaScript that
//!   draws it
//! - [`plot`]: charts in SVG, tables and boards as text

#[macro_use]
extern crate agon_base;

pub mod assets;
pub mod bracket;
pub mod command_line;
pub mod crosstable;
pub mod export;
pub mod headline;
pub mod live;
pub mod outcome;
mod pgn_out;
pub mod plot;
pub mod recorder;
pub mod report;
pub mod shown;
pub mod sprt;
pub mod standings;
pub mod statistics;
pub mod view;
pub mod workers;

pub use agon_base::width;
