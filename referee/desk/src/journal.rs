//! The session file: one JSON line per action, on disk before it is shown. A line that a crash tore
//! is dropped, because nobody has seen it; any other bad line is refused by its number.

use super::action::{Action, JournalLine};
use super::setup::Setup;
use super::state::DeskState;
use agon_base::files;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How every session file begins.
const START: &str = "{\"agon_desk\":";

/// An open session file, locked against other desks.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Opens a session file and reads the state, or begins a new file with `setup`.
    ///
    /// # Errors
    /// The file cannot be read, another desk uses it, it holds another session, or a line is no line of a
    /// session. It then stays as it is.
    pub fn open(path: &Path, setup: &Setup) -> Result<(Journal, DeskState), Phrase> {
        let io = |cause| failed(path, cause);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = files::open_alone(options, path).map_err(|e| match e {
            TryLockError::WouldBlock => phrase!(
                "session file {path}: another desk has it open; close that one, or use another file",
                path = path.display()
            ),
            TryLockError::Error(cause) => io(cause),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let bad = |line: usize, reason: Phrase| {
            let path = path.display();
            phrase!("session file {path}, line {line}: {reason}", path, line = line + 1, reason)
        };
        let torn = &bytes[whole..];
        let head = START.len().min(torn.len());
        if whole == 0 && torn[..head] != START.as_bytes()[..head] {
            return Err(bad(0, phrase!("not a session of the desk")));
        }
        let mut state = DeskState::new(setup.clone()).map_err(|reason| bad(0, reason))?;
        for (i, line) in bytes[..whole].split_inclusive(|&b| b == b'\n').enumerate() {
            if i == 0 {
                let stored = first_line(line).map_err(|reason| bad(0, reason))?;
                if let Some(what) = stored.difference(setup) {
                    return Err(phrase!(
                        "session file {path}: {what} of that session differ from the ones given; repeat the command that began it, or choose another file with --session",
                        path = path.display(),
                        what
                    ));
                }
                continue;
            }
            let read = serde_json::from_slice::<JournalLine>(line);
            let line = read.map_err(|e| bad(i, Phrase::Plain(excerpt(&e.to_string()))))?;
            state.apply(&line).map_err(|reason| bad(i, reason))?;
        }
        let length = whole as u64;
        let mut journal = Journal { path: path.into(), file, length };
        journal.cut().map_err(io)?;
        if whole == 0 {
            let text = serde_json::to_string(setup).map_err(|e| io(e.into()))?;
            journal.write(&text).map_err(io)?;
            // Its name is then on disk, too.
            files::sync_folder(files::folder_of(path)).map_err(io)?;
        }
        Ok((journal, state))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds an action to the file and to the state; it is on disk when this returns.
    ///
    /// # Errors
    /// Why the action is impossible now, or the system's error; state and file then stay as they are.
    pub fn append(&mut self, state: &mut DeskState, at: u64, action: Action) -> Result<(), Phrase> {
        let line = JournalLine { n: state.n + 1, at: at.max(state.at), action };
        let mut after = state.clone();
        after.apply(&line)?;
        let text = serde_json::to_string(&line).map_err(|e| Phrase::Plain(e.to_string()))?;
        self.write(&text).map_err(|e| failed(&self.path, e))?;
        *state = after;
        Ok(())
    }

    /// Writes a line and waits until it is on disk.
    fn write(&mut self, text: &str) -> std::io::Result<()> {
        let line = format!("{text}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.length += line.len() as u64,
            // Part of the line may be there, as on a full disk.
            Err(_) => self.cut()?,
        }
        written
    }

    /// Removes what follows the last whole line.
    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }
}

/// The system cannot read or write the file.
fn failed(path: &Path, cause: std::io::Error) -> Phrase {
    phrase!("session file {path}: {cause}", path = path.display(), cause)
}

/// Reads the first line.
fn first_line(line: &[u8]) -> Result<Setup, Phrase> {
    let text = String::from_utf8_lossy(line);
    if !text.starts_with(START) {
        return Err(phrase!("not a session of the desk"));
    }
    let setup: Setup =
        serde_json::from_str(&text).map_err(|e| Phrase::Plain(excerpt(&e.to_string())))?;
    setup.check().map(|()| setup)
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
