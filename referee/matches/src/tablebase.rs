//! Tablebase adjudication: a game ends once an endgame tablebase knows its result.
//!
//! A program that speaks UGI probes the tablebase. After a move the referee sends `position ...`
//! and `query table`; the answer is `response` with `p1win`, `p2win`, `draw`, or `none` if the
//! tablebase does not know the result. The user trusts this program. The log's header pins it and
//! the files that it reads by their hashes.

use crate::slot::{EngineSlot, GameAborted};
use agon_engine::driver::EngineContext;
use agon_engine::hash::{hash_file, hash_text};
use agon_engine::{EngineSpec, Fault, StartFault};
use agon_games::Player;
use agon_games::phrase::Phrase;
use agon_matchlog::{EngineEntry, GameResult, Limit, Reason, Setting, TablebaseEntry};
use agon_wire::message::Query;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Error: a tablebase program was rejected before the first game.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseFlagError {
    /// The engine fields are invalid.
    #[error(transparent)]
    Spec(#[from] Phrase),
    /// The dialect cannot express the query.
    #[error("the dialect {0} has no tablebase query; only ugi has")]
    Dialect(String),
    /// No option or argument names an existing file.
    #[error(
        "neither an option nor an argument of `{0}` names a file or a folder that exists, such as \
         option.TableFile=FILE or option.TablePath=FOLDER"
    )]
    NoFiles(String),
    /// A file cannot be read.
    #[error("{path}: {cause}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
}

/// Builds the log's entry for a tablebase program from the fields of an engine.
///
/// # Errors
///
/// Fails if the program cannot be found, does not speak UGI, or no option names a file.
pub fn entry(text: &str) -> Result<TablebaseEntry, TablebaseFlagError> {
    let spec = EngineSpec::parse(text)?;
    let engine = spec.entry(&Limit::default())?;
    if engine.dialect != "ugi" {
        return Err(TablebaseFlagError::Dialect(engine.dialect));
    }
    let files = files(&engine)?;
    if files.is_empty() {
        return Err(TablebaseFlagError::NoFiles(engine.command.join(" ")));
    }
    Ok(TablebaseEntry { engine, files })
}

/// Checks that the files of a tablebase are those of the match.
///
/// # Errors
///
/// Names the first one that is missing or has changed.
pub fn check_files(entry: &TablebaseEntry) -> Result<(), String> {
    let now = files(&entry.engine).map_err(|e| e.to_string())?;
    match entry.files.iter().find(|file| !now.contains(file)) {
        None => Ok(()),
        Some(Setting { name, value }) => Err(format!(
            "the tablebase `{name}` is not there, or is not that of the match (SHA-256 {value})"
        )),
    }
}

/// The existing files and folders named by options and arguments, with their SHA-256.
fn files(engine: &EngineEntry) -> Result<Vec<Setting>, TablebaseFlagError> {
    let folder = engine.dir.as_deref().map(Path::new).unwrap_or(Path::new(""));
    let options = engine.options.iter().map(|o| o.value.as_str());
    let arguments = engine.command.iter().skip(1);
    let arguments = arguments.map(|a| a.rsplit_once('=').map_or(a.as_str(), |(_, value)| value));
    let mut found = Vec::new();
    for text in options.chain(arguments) {
        let path = folder.join(text);
        if text.is_empty() || !path.exists() {
            continue;
        }
        let hash = hash_of(&path).map_err(|cause| TablebaseFlagError::File { path, cause })?;
        found.push(Setting { name: text.into(), value: hash });
    }
    Ok(found)
}

/// The SHA-256 of a file; for a folder, the SHA-256 of its sorted file names and file hashes.
fn hash_of(path: &Path) -> std::io::Result<String> {
    if !path.is_dir() {
        return hash_file(path);
    }
    let mut lines = Vec::new();
    for file in std::fs::read_dir(path)? {
        let file = file?.path();
        if file.is_file() {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            lines.push(format!("{name} {}\n", hash_file(&file)?));
        }
    }
    lines.sort_unstable();
    Ok(hash_text(&lines.concat()))
}

/// A tablebase program, started when it is needed.
pub struct TablebaseAdjudicator {
    slot: EngineSlot,
    name: String,
}

impl TablebaseAdjudicator {
    /// A slot whose program is not started yet.
    pub fn new(entry: &TablebaseEntry, context: &Arc<EngineContext>) -> TablebaseAdjudicator {
        let engine = Arc::new(entry.engine.clone());
        TablebaseAdjudicator {
            name: engine.name.clone(),
            slot: EngineSlot::new(engine, Arc::clone(context)),
        }
    }

    /// The result of the game, if the tablebase knows it. `fen` is the position before `moves`.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started, fails or answers anything else: a match with
    /// tablebase adjudication does not continue without it.
    pub fn ruling(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Option<(GameResult, Reason, String)>, GameAborted> {
        let driver = self.slot.driver().map_err(|e| match e.cause {
            StartFault::Interrupted => GameAborted::Interrupted,
            _ => GameAborted::Tablebase(e.to_string()),
        })?;
        let answer = driver.query(fen, moves, Query::Tablebase).map_err(|fault| match fault {
            Fault::Interrupted => GameAborted::Interrupted,
            fault => {
                let tail = driver.output_tail();
                GameAborted::Tablebase(format!("{}: {fault}{tail}", self.name))
            }
        })?;
        let result = match answer.as_str() {
            "none" => return Ok(None),
            "p1win" => GameResult::First,
            "p2win" => GameResult::Second,
            "draw" => GameResult::Draw,
            _ => {
                let reason = format!("{} answers `{answer}` to `query table`", self.name);
                return Err(GameAborted::Tablebase(reason));
            }
        };
        let what = match result.winner() {
            None => "a draw".into(),
            Some(winner) => {
                format!(
                    "won by the {} player",
                    if winner == Player::First { "first" } else { "second" }
                )
            }
        };
        Ok(Some((
            result,
            Reason::Tablebase,
            format!("tablebase adjudication by {}: {what}", self.name),
        )))
    }

    /// Ends the program.
    pub fn quit(&mut self) {
        self.slot.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_pinned_by_what_is_in_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.table");
        std::fs::write(&file, "1").unwrap();
        let text = |path: &Path| format!("cmd=/bin/sh,option.TablePath={}", path.display());
        let of_file = entry(&text(&file)).unwrap().files;
        let of_folder = entry(&text(folder.path())).unwrap().files;
        assert_eq!(of_file[0].name, file.display().to_string());
        assert_eq!(of_file[0].value, hash_text("1"));
        assert_eq!(of_folder[0].value, hash_text(&format!("a.table {}\n", hash_text("1"))));
        std::fs::write(&file, "2").unwrap();
        assert_ne!(entry(&text(&file)).unwrap().files, of_file);
        assert_ne!(entry(&text(folder.path())).unwrap().files, of_folder);
        let argument = format!("cmd=/bin/sh --option TableFile={}", file.display());
        assert_eq!(entry(&argument).unwrap().files[0].value, hash_text("2"));
    }

    #[test]
    fn a_program_without_tables_is_refused() {
        let message = |text: &str| entry(text).unwrap_err().to_string();
        assert!(message("cmd=/bin/sh").contains("names a file or a folder"));
        assert!(message("cmd=/bin/sh,option.TablePath=/no/such").contains("that exists"));
        assert!(message("cmd=/bin/sh,dialect=uci,option.TablePath=/tmp").contains("only ugi"));
        assert!(message("cmd=/no/such/program").contains("/no/such/program"));
    }
}
