//! Starts engines so that none of their processes survives: neither the end of the engine, nor that of
//! the referee, even by `kill -9`.
//!
//! On Unix a guard process between the referee and each engine does this, on Windows a job object.

mod error;
mod launch;
#[cfg_attr(unix, path = "unix/mod.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
mod system;

pub use error::SpawnError;
pub use launch::{Exit, Launch};
pub use system::{Guard, check_memory_limit, end_all, ended_processor_time, in_library, run_guard};
