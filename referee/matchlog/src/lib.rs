//! The match log in JSON lines: a header that specifies everything a game depends on, then one line per finished
//! game, and an end line once the match is finished. A finished match may be continued. Tables, ratings, plots and
//! replays are functions of a log. Every line after the header carries a hash of the line before it.
//!
//! Lines are appended as games finish, and never moved or changed: a crash loses no finished game, and who knows the hash
//! of a line can find it again. Statistics and comparisons use the schedule order: readers sort the games.
//!
//! - What a log says: [`MatchHeader`] with its [`EngineEntry`]s and [`Schedule`], [`GameRecord`], [`LogEnd`]
//! - Reading: [`open`], [`read`], and [`GameReader`], which judges whether the line of a game is
//!   valid, for all commands; [`caveats`]: what reading does not check
//! - Several logs: [`count_once`], which counts each game of a match once; [`rating_lists`]
//! - Writing: [`LogWriter`], and [`write_sorted`] for merged logs
//! - [`limits`]: the text of clocks and of other limits on thinking

mod caveats;
mod chain;
mod continuation;
mod entries;
mod file;
mod game_line;
mod header;
pub mod limits;
mod line;
mod merge;
pub mod rating_lists;
mod read;
mod record;
mod same;
mod schedule;
mod sorted;
mod write;

pub use caveats::caveats;
pub use chain::line_hash;
pub use continuation::Section;
pub use entries::{
    Adjudication, ChanceEntry, Contribution, DrawRule, EloScale, EngineEntry, Limit, LogEnd,
    Machine, MergedPart, Origin, ResignRule, Resumption, Setting, SprtEntry, TablebaseEntry,
    TestKind, TimeControl, Timestamp, TornLine, now, rule_pairs,
};
pub use file::Rescue;
pub use game_line::GameReader;
pub use header::{Continuation, Experiment, FORMAT, MatchHeader, OpeningsEntry};
pub use merge::write_sorted;
pub use read::{LogGames, head, open};
pub use record::{
    GameRecord, GameResult, GameSet, OutputTail, PlyScore, PlyStats, Reason, RuleEnding,
};
pub use same::{CheckedLog, OneMatch, count_once, match_key};
pub use schedule::{KNOCKOUT, OpeningPolicy, Pairing, Rounds, SWISS, Schedule, Shard};
pub use sorted::{Log, SortedGames, open_sorted, read};
pub use write::{EndOf, LogWriter};

use agon_games::phrase::{Phrase, ToPhrase, phrase};

/// Error: a match log could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A file-system error.
    #[error("{}", self.to_phrase())]
    Io {
        /// The log's path.
        path: String,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The file has no header line.
    #[error("{}", self.to_phrase())]
    NotALog {
        /// The log's path.
        path: String,
        /// What was found instead.
        reason: String,
    },
    /// A header that no match can have.
    #[error("there can be no such match: {0}")]
    NoMatch(String),
    /// A complete line that does not describe a game.
    #[error("{}", self.to_phrase())]
    BadLine {
        /// The log's path.
        path: String,
        /// Line number, counted from 1; the header is line 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The log belongs to another match.
    #[error("{path} is the log of another match: {differences}")]
    OtherMatch {
        /// The log's path.
        path: String,
        /// The fields that differ, and how.
        differences: String,
    },
    /// Somebody else has changed the log while it was written.
    #[error("{path}: {found}")]
    Disturbed {
        /// The log's path.
        path: String,
        /// What was found.
        found: String,
    },
    /// Another referee is writing this log.
    #[error("{path} is being written by another referee")]
    Locked {
        /// The log's path.
        path: String,
    },
}

impl LogError {
    /// Wraps a file-system error about `path`.
    pub fn io(path: &std::path::Path, cause: std::io::Error) -> LogError {
        LogError::Io { path: path.display().to_string(), cause }
    }
}

impl ToPhrase for LogError {
    fn to_phrase(&self) -> Phrase {
        match self {
            LogError::Io { path, cause } => phrase!("{path}: {cause}", path, cause),
            LogError::NotALog { path, reason } => {
                phrase!("{path} is not a match log: {reason}", path, reason)
            }
            LogError::BadLine { path, line, reason } => {
                phrase!("{path}, line {line}: {reason}", path, line, reason)
            }
            other => Phrase::Plain(other.to_string()),
        }
    }
}
