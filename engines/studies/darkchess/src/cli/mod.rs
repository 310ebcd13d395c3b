//! The subcommand `classes` of the `darkchess` program.

mod class_map;
pub mod classes;
