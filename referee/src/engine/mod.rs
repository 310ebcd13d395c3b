//! Engines are untrusted programs that exchange text. Every wait has a deadline, every line and
//! every burst of output is bounded, and a process that misbehaves is killed with all its children.

pub mod affinity;
pub mod check;
pub mod dialects;
pub mod driver;
pub mod limits;
mod lines;
pub mod process;
pub mod spec;
mod tail;

pub use driver::{Answer, Driver, StartError};
pub use process::Fault;
pub use spec::EngineSpec;

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends every wait of this program within 0.1 s; called on Ctrl-C.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Whether [`interrupt`] was called, or nobody reads the program's output any more.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst) || crate::terminal::is_closed()
}
