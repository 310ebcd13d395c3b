//! Engines are untrusted programs that exchange text. Every wait has a deadline, every line and
//! every burst of output is bounded, and a process that misbehaves is killed with all its children.

pub mod affinity;
pub mod check;
mod context;
pub mod dialects;
mod dialogue;
pub mod driver;
pub mod environment;
pub mod guard;
pub mod hash;
mod interrupt;
mod lines;
pub mod pin;
mod pipes;
pub mod process;
pub mod program;
pub mod sandbox;
pub mod spec;
pub mod stall;
mod start;
mod tail;
pub mod transcript;

pub use driver::{Answer, Driver};
pub use interrupt::{EXIT_STATUS as INTERRUPTED, catch as catch_interrupts, interrupted};
pub use process::Fault;
pub use spec::EngineSpec;
pub use start::{StartError, StartFault, memory_note};
