//! A guard process between the referee and each engine.
//!
//! The referee starts itself as a guard, the guard starts the engine and adopts its orphaned
//! descendants. When the engine exits, or the connection to the referee closes (even by `kill -9` of
//! the referee), the guard kills all of them. The engine reads and writes the referee's pipes
//! directly, so a guard costs nothing while a game is played.
//!
//! On Linux a guard is a subreaper: no descendant escapes it, not even one with its own session. On
//! other systems it kills the process group of the engine; descendants that leave the group survive.

mod client;
mod descendants;
#[cfg(target_os = "linux")]
mod memory;
mod message;
mod server;

pub use client::{Guard, check_memory_limit, end_all, ended_processor_time, in_library};
pub use server::run_guard;
