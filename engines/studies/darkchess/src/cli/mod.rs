//! The subcommand `classes` of the `darkchess` program.

pub mod classes;
