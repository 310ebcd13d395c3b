//! Why a run ended, and what is saved and said if somebody else has changed its log.

use agon_matchlog::{GameRecord, LogError, LogWriter, Rescue};
use std::path::Path;

/// The reason why a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// All games are in the log.
    Complete,
    /// The user interrupted the match, which can be resumed.
    Interrupted,
    /// The time limit of the run has expired; the match can be resumed.
    OutOfTime,
    /// The user let the running games end and no more start; the match can be resumed.
    Stopped,
    /// The sequential test is decided; no more games are needed.
    Decided,
    /// The next pairings depend on games that are not in this log.
    RoundFinished,
    /// The match failed; it can be resumed.
    Failed(String),
    /// Somebody else has changed the log: what was found, what is saved, and what to do.
    Disturbed(String),
}

/// The end of a run whose log cannot be written: `held` are the finished games that are not in it.
pub fn unwritten(error: &LogError, writer: &mut LogWriter, held: &[GameRecord]) -> RunEnd {
    if !matches!(error, LogError::Disturbed { .. }) {
        return RunEnd::Failed(format!("{error}; make room on the disk"));
    }
    let saved = match writer.rescue(held) {
        Ok(rescue) => said(writer.path(), rescue, held.len()),
        Err(e) => format!("{} finished games could not be saved: {e}", held.len()),
    };
    RunEnd::Disturbed(format!(
        "{error}.\nThe match stops; nothing more was written to this file.\n{saved}"
    ))
}

/// Where the games are, and what to do.
fn said(log: &Path, rescue: Option<Rescue>, held: usize) -> String {
    let log = log.display();
    let Some(Rescue { path, follows }) = rescue else {
        return format!(
            "No finished game was waiting. To go on, restore {log} from a copy and run the same command:"
        );
    };
    let path = path.display();
    match follows {
        None => format!(
            "The whole log, with every finished game, is in {path}.\nTo go on, put it in the place of \
             {log} and run the same command:"
        ),
        Some(head) => format!(
            "The file no longer holds what was written to it. The finished games that were to follow \
             ({held}) are in {path}; the first of them follows the line with the hash {head}.\nTo go on, \
             restore {log} up to this line from a copy, append {path} to it, and run the same command:"
        ),
    }
}
