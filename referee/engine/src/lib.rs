//! Engines are untrusted programs that exchange text. Every wait has a deadline, every line and every burst of
//! output is bounded, and a process that misbehaves is killed with all its children.
//!
//! - [`EngineSpec`]: the fields that describe an engine on a command line
//! - [`Driver`]: an engine that is started, gets positions and answers with moves in its dialect; a [`Fault`] says
//!   what went wrong and whose fault it is
//! - [`settings`]: whether an engine lists the values of options that its fields set, and counts time finely enough
//! - [`guard`], [`sandbox`], [`affinity`], [`environment`]: what an engine's process may do, and its end
//! - [`pin`], [`hash`](mod@hash): whether programs are still those of the log; [`stall`]: times in which the machine stood still
//! - [`locate`]: where the program of a log is now
//! - [`variants`]: the games that a program says it plays; [`check`]: tests of an engine's protocol; [`transcript`]: the whole dialogue in a file
//! - [`interrupted`]: whether Ctrl-C was pressed; [`in_library`]: this crate in another program than the referee

// Only the guard of Unix prints.
#[cfg_attr(windows, allow(unused_imports))]
#[macro_use]
extern crate agon_base;

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
mod library;
mod lines;
pub mod locate;
pub mod pin;
mod pipes;
pub mod process;
pub mod program;
pub mod sandbox;
pub mod settings;
pub mod spec;
pub mod stall;
mod start;
mod tail;
pub mod transcript;
pub mod variants;

pub use driver::{Driver, GoAnswer};
pub use interrupt::{EXIT_STATUS as INTERRUPTED, catch as catch_interrupts, interrupted};
pub use library::in_library;
pub use process::Fault;
pub use spec::EngineSpec;
pub use start::{StartError, StartFault, memory_note};
