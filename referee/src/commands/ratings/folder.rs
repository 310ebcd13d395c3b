//! The logs below folders, each verified as `referee verify` does it.

use agon_games::text::visible;
use agon_matches::verify::{Verified, VerifySettings, verify_log};
use agon_matchlog::{CheckedLog, LogError};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The ending of the names of logs.
const LOG: &str = ".jsonl";
/// That of the sessions of `referee desk`, which are no logs.
const SESSION: &str = ".desk.jsonl";

/// A log without a defect.
pub struct SoundLog {
    /// Its path below the folder, with slashes.
    pub name: String,
    /// Its header and games.
    pub checked: CheckedLog,
    /// The hash of its last line.
    pub head: String,
}

/// A log that does not count.
pub struct RefusedLog {
    /// Its path below the folder.
    pub name: String,
    /// The line of the first defect.
    pub line: Option<u64>,
    /// The first defect, or what cannot be checked.
    pub reason: String,
    /// The number of further defects.
    pub more: usize,
    /// Whether it has a defect; otherwise it cannot be checked.
    pub is_wrong: bool,
}

impl RefusedLog {
    fn wrong(name: &str, line: Option<u64>, reason: impl Into<String>) -> RefusedLog {
        RefusedLog { name: name.into(), line, reason: reason.into(), more: 0, is_wrong: true }
    }

    /// A log that contradicts another one.
    pub fn contradicted(name: &str, reason: String) -> RefusedLog {
        RefusedLog::wrong(name, None, reason)
    }

    /// Place and reason in one line.
    pub fn sentence(&self) -> String {
        let place = self.line.map_or(String::new(), |line| format!("line {line}: "));
        let more = match self.more {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        format!("{place}{}{more}", self.reason)
    }
}

/// The logs that count, by name, and those that do not.
#[derive(Default)]
pub struct FolderLogs {
    /// Without a defect.
    pub sound: Vec<SoundLog>,
    /// The others.
    pub refused: Vec<RefusedLog>,
}

/// Finds the logs below folders, and logs that are given as such, and verifies them. With `partial`, matches may be
/// unfinished.
///
/// # Errors
///
/// Fails if a given folder cannot be read, or there is no log.
pub fn read(given: &[PathBuf], partial: bool) -> Result<FolderLogs> {
    let mut logs = FolderLogs::default();
    for (name, path) in find(given, &mut logs.refused)? {
        match verify_log(&path, &VerifySettings { partial, ..VerifySettings::default() }) {
            Err(error) => {
                let (line, reason) = reason(&error, &name, &path);
                logs.refused.push(RefusedLog::wrong(&name, line, reason));
            }
            Ok(found) => {
                let Verified { header, findings, weak, head, .. } = found;
                if let Some(first) = findings.defects.first() {
                    let more = findings.defects.len() - 1;
                    let first = RefusedLog::wrong(&name, Some(first.line), first.reason.clone());
                    logs.refused.push(RefusedLog { more, ..first });
                } else if let Some(first) = weak.into_iter().next() {
                    let first = RefusedLog::wrong(&name, None, first);
                    logs.refused.push(RefusedLog { is_wrong: false, ..first });
                } else {
                    let checked = CheckedLog { path, header, games: findings.done };
                    logs.sound.push(SoundLog { name, checked, head: head.unwrap_or_default() });
                }
            }
        }
    }
    if logs.sound.is_empty() && logs.refused.is_empty() {
        let given: Vec<String> = given.iter().map(|path| path.display().to_string()).collect();
        bail!("{}: no match log, a file *{LOG}, lies there or below", given.join(", "));
    }
    Ok(logs)
}

/// What is wrong with a log that cannot be read, and its line. The text does not depend on where the folder lies.
fn reason(error: &anyhow::Error, name: &str, path: &Path) -> (Option<u64>, String) {
    match error.downcast_ref::<LogError>() {
        Some(LogError::BadLine { line, reason, .. }) => (Some(*line), reason.clone()),
        Some(LogError::NotALog { reason, .. }) => (None, format!("it is no match log: {reason}")),
        Some(LogError::Io { cause, .. }) => (None, cause.to_string()),
        _ => (None, format!("{error:#}").replace(&path.display().to_string(), name)),
    }
}

/// The logs by name: below a folder if only one is given, otherwise with what was given.
fn find(given: &[PathBuf], refused: &mut Vec<RefusedLog>) -> Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    for path in given {
        let shown = path.display().to_string();
        if path.is_dir() {
            let base = if given.len() == 1 { "" } else { shown.trim_end_matches('/') };
            below(path, base, &mut found, refused).with_context(|| shown.clone())?;
        } else {
            let own = path.file_name().filter(|_| given.len() == 1);
            let name = own.map_or(shown, |name| name.to_string_lossy().into_owned());
            found.insert(visible(&name).into_owned(), path.clone());
        }
    }
    Ok(found)
}

/// Adds the logs below a folder.
fn below(
    folder: &Path,
    base: &str,
    found: &mut BTreeMap<String, PathBuf>,
    refused: &mut Vec<RefusedLog>,
) -> io::Result<()> {
    let mut entries: Vec<DirEntry> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let own = entry.file_name().to_string_lossy().into_owned();
        let name = if base.is_empty() { own } else { format!("{base}/{own}") };
        let name = visible(&name).into_owned();
        let path = entry.path();
        let is_log = name.ends_with(LOG) && !name.ends_with(SESSION);
        if path.is_dir() {
            // A link may lead back to a folder above it.
            if entry.file_type()?.is_symlink() {
                let reason =
                    "a link to a folder is not followed: name that folder on the command line";
                refused.push(RefusedLog::wrong(&name, None, reason));
            } else if let Err(cause) = below(&path, &name, found, refused) {
                refused.push(RefusedLog::wrong(&name, None, cause.to_string()));
            }
        } else if is_log {
            found.insert(name, path);
        }
    }
    Ok(())
}
