//! Starting the program of an engine, and whose fault it is if that fails.

use super::pin;
use super::process::Process;
use crate::matchlog::{EngineEntry, OutputTail};
use std::path::Path;

/// Error: an engine could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start engine {name} (`{command}`) for {game}: {reason}{tail}")]
pub struct StartError {
    /// The engine's name.
    pub name: String,
    /// Program and arguments.
    pub command: String,
    /// What went wrong.
    pub reason: String,
    /// The game.
    pub game: String,
    /// The end of the engine's output.
    pub tail: Box<OutputTail>,
    /// Whose fault it is.
    pub cause: StartFault,
}

/// The cause of a [`StartError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartFault {
    /// The program ran and failed.
    Engine,
    /// The program could not be run, or is not the one that the match began with.
    Machine,
    /// The user interrupted the start.
    Interrupted,
}

/// Starts the program if it is the one that the match began with. The check after the start finds a
/// program that was replaced meanwhile. An error holds the reason and whose fault it is.
pub fn spawn_pinned(entry: &EngineEntry, path: &Path) -> Result<Process, (String, StartFault)> {
    let machine = |reason| (reason, StartFault::Machine);
    pin::check(entry, path).map_err(machine)?;
    let process = Process::spawn(entry, path).map_err(|e| {
        let own_limit = entry.memory_mib.is_some() && e.is_out_of_memory();
        let cause = if own_limit { StartFault::Engine } else { StartFault::Machine };
        (format!("does not start: {e}{}", if own_limit { "" } else { e.advice() }), cause)
    })?;
    pin::check(entry, path).map_err(machine)?;
    Ok(process)
}

/// A note about the memory limit for messages about a crash.
pub fn memory_note(entry: &EngineEntry) -> String {
    entry.memory_mib.map_or(String::new(), |mib| format!(" (its memory is limited to {mib} MiB)"))
}
