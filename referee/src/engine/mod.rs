//! Engines are untrusted programs that exchange text. Every wait has a deadline, every line and
//! every burst of output is bounded, and a process that misbehaves is killed with all its children.

pub mod affinity;
pub mod check;
pub mod dialects;
pub mod driver;
pub mod environment;
pub mod guard;
mod interrupt;
pub mod limits;
mod lines;
pub mod process;
pub mod spec;
mod tail;
pub mod transcript;

pub use driver::{Answer, Driver, StartError};
pub use interrupt::{EXIT_STATUS as INTERRUPTED, interrupted};
pub use process::Fault;
pub use spec::EngineSpec;
