//! What a guard starts, and how it ended.

use agon_games::phrase::{Phrase, ToPhrase, phrase};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{Error, Result};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};

/// The engine's pipes: to its standard input, from its standard output and its standard error.
pub type Streams = (ChildStdin, ChildStdout, ChildStderr);

/// What a guard starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Working directory, if it differs from the referee's.
    pub dir: Option<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Memory limit in MiB.
    pub memory_mib: Option<u64>,
    /// The program's own folders in memory, which count, too.
    pub scratch: Vec<OsString>,
    /// The cores that the program may use; empty: the referee's.
    pub cpus: Vec<usize>,
}

impl Launch {
    /// The program with its arguments, environment and working directory, still without pipes.
    ///
    /// # Errors
    ///
    /// Fails if no program is named.
    pub fn to_command(&self) -> Result<Command> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(Error::other("no program"));
        };
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(self.env.iter().cloned());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        Ok(command)
    }
}

/// What a program used too much of, so that its guard killed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Excess {
    /// Memory, with its descendants and the files in its own folders.
    Memory,
    /// Processes.
    Processes,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit status; `None` if a signal killed it.
    pub code: Option<i32>,
    /// The signal that killed it.
    pub signal: Option<i32>,
    /// The number of its descendants that still ran; they were killed.
    pub survivors: usize,
    /// Why its guard killed it, if it did.
    pub excess: Option<Excess>,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_phrase().fmt(f)
    }
}

impl ToPhrase for Exit {
    fn to_phrase(&self) -> Phrase {
        match self.excess {
            Some(Excess::Memory) => {
                return phrase!("killed: with its children and files it uses too much memory");
            }
            Some(Excess::Processes) => return phrase!("killed: it has too many processes"),
            None => {}
        }
        match (self.code, self.signal) {
            // Windows numbers the reasons of crashes so.
            (Some(code @ ..0), _) => {
                phrase!("exit status {code}", code = format_args!("{code:#010X}"))
            }
            (Some(code), _) => phrase!("exit status {code}", code),
            (None, Some(signal)) => phrase!("killed by signal {signal}", signal),
            (None, None) => phrase!("exited"),
        }
    }
}
