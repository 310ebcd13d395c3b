//! The subcommands `classes` and `solve` of the `darkchess` program.

pub mod classes;
pub mod solve;
