//! The referee: plays engines against each other, judges every move by the rules, keeps a log
//! that is the only truth, and makes tables and reports from logs. It knows engines only as programs
//! that speak text and never links one.
//!
//! A module imports only from modules below its own, from the top down:
//!
//! 1. [`commands`]: one module per subcommand, with its flags
//! 2. [`papers`]: the experiments of the papers, played or computed, and their reports
//! 3. [`web`]: pages in the browser: a local server, games against engines, matches to watch
//! 4. [`output`]: what people and other programs see: the live display, tables, plots, pages, exports
//! 5. [`matches`]: schedules, games, clocks, adjudication, chance, openings, standings
//! 6. [`engine`]: engines as processes, and the text that is exchanged with them;
//!    [`matchlog`]: the log of a match; [`stats`]: statistics of results. In this order, too.
//!
//! Below them all, [`language`] translates the texts that people at the board read.
//!
//! `println!` and its relatives are those of [`terminal`], which make all text safe to show. [`files`]
//! has what systems do differently with files, [`ordinal`] the numbers that people see, which count
//! from 1.

// First, so that its macros hide the standard ones everywhere below.
#[macro_use]
mod terminal;

mod commands;
mod engine;
mod files;
mod language;
mod matches;
mod matchlog;
mod ordinal;
mod output;
mod papers;
mod stats;
mod web;

pub use commands::{command, main};
