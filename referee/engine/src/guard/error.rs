//! Why a program could not be started.

#[cfg_attr(unix, path = "unix/advice.rs")]
#[cfg_attr(windows, path = "windows/advice.rs")]
mod system;

use agon_games::phrase::{Phrase, ToPhrase};
use std::io::Error;

/// Error: a program could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct SpawnError {
    /// What went wrong.
    reason: Phrase,
    /// The system's error number, if it has one.
    errno: Option<i32>,
}

impl From<Error> for SpawnError {
    fn from(error: Error) -> SpawnError {
        SpawnError::new(error.to_phrase(), error.raw_os_error())
    }
}

impl SpawnError {
    /// What went wrong, and the system's error number, if it has one.
    pub fn new(reason: Phrase, errno: Option<i32>) -> SpawnError {
        SpawnError { reason, errno }
    }

    /// What went wrong.
    pub fn reason(&self) -> &Phrase {
        &self.reason
    }

    /// What the user can do about it; empty if nothing is known.
    pub fn advice(&self) -> &'static str {
        self.errno.map_or("", system::advice)
    }

    /// Whether the error is that there is not enough memory.
    pub fn is_out_of_memory(&self) -> bool {
        self.errno.is_some_and(system::is_out_of_memory)
    }
}
