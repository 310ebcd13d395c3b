//! Starting the program of an engine, and whose fault it is if that fails.

use super::pin;
use super::process::Process;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matchlog::{EngineEntry, OutputTail};
use std::path::Path;

/// Error: an engine could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.to_phrase())]
pub struct StartError {
    /// The engine's name.
    pub name: String,
    /// Program and arguments.
    pub command: String,
    /// What went wrong.
    pub reason: Box<Phrase>,
    /// The game.
    pub game: String,
    /// The end of the engine's output.
    pub tail: Box<OutputTail>,
    /// Whose fault it is.
    pub cause: StartFault,
}

impl ToPhrase for StartError {
    fn to_phrase(&self) -> Phrase {
        let StartError { name, command, game, reason, tail, .. } = self;
        let tail = tail.to_string();
        phrase!(
            "cannot start engine {name} (`{command}`) for {game}: {reason}{tail}",
            name,
            command,
            game,
            reason,
            tail
        )
    }
}

/// The cause of a [`StartError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartFault {
    /// The program ran and failed.
    Engine,
    /// The fields of the engine ask for what it does not list, or refuses.
    Fields,
    /// The program could not be run, or is not the one that the match began with.
    Machine,
    /// The user interrupted the start.
    Interrupted,
}

/// Starts the program if it is the one that the match began with. The check after the start finds a
/// program that was replaced meanwhile. An error holds the reason and whose fault it is.
pub fn spawn_pinned(entry: &EngineEntry, path: &Path) -> Result<Process, (Phrase, StartFault)> {
    let machine = |reason| (reason, StartFault::Machine);
    pin::check(entry, path).map_err(machine)?;
    let process = Process::spawn(entry, path).map_err(|e| {
        let own_limit = entry.memory_mib.is_some() && e.is_out_of_memory();
        let cause = if own_limit { StartFault::Engine } else { StartFault::Machine };
        let advice = Phrase::of_key(if own_limit { "" } else { e.advice() });
        (phrase!("does not start: {cause}{advice}", cause = e.reason(), advice), cause)
    })?;
    pin::check(entry, path).map_err(machine)?;
    Ok(process)
}

/// A note about the memory limit for messages about a crash.
pub fn memory_note(entry: &EngineEntry) -> Phrase {
    let note = |mib: u64| phrase!(" (its memory is limited to {mib} MiB)", mib);
    entry.memory_mib.map_or(Phrase::default(), note)
}
