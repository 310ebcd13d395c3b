//! The program `referee`: its command line, one module per subcommand, and nothing else. What a command does is in
//! the crates below, each of which says on its first page what it offers.

#[macro_use]
extern crate agon_base;

mod commands;

pub use commands::{command, main};
