//! The match log: JSON lines, a header that pins everything a game depends on, then one line a
//! finished game. Tables, ratings, plots and replays are all functions of a log.
//!
//! Game lines are appended in the order in which games finish, so that a crash loses no finished
//! game; readers put them in schedule order, which is what statistics and comparisons use, and a
//! match that runs to its end leaves its file in schedule order.

mod adjudication;
mod engines;
mod game_set;
mod header;
mod read;
mod record;
mod write;

pub use adjudication::{Adjudication, DrawRule, EloScale, ResignRule, SprtEntry, TablebaseEntry};
pub use engines::{Clock, EngineEntry, Limit, Setting, rule_pairs};
pub use game_set::GameSet;
pub use header::{Experiment, FORMAT, Header, OpeningsEntry, Pairing, Rounds, Schedule, Shard};
pub use read::{Games, Log, open, read};
pub use record::{GameRecord, GameResult, OutputTail, PlyScore, PlyStats, Reason};
pub use write::{Writer, write_sorted};

/// Why a match log could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file system said no.
    #[error("{path}: {cause}")]
    Io {
        /// The log's path.
        path: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file has no header line.
    #[error("{path} is not a match log: {reason}")]
    NotALog {
        /// The log's path.
        path: String,
        /// What is there instead.
        reason: String,
    },
    /// A complete line that is no game.
    #[error("{path}, line {line}: {reason}")]
    BadLine {
        /// The log's path.
        path: String,
        /// Counted from 1; the header is line 1.
        line: u64,
        /// What was wrong with it.
        reason: String,
    },
    /// The log is another match's.
    #[error("{path} is the log of another match: {differences}")]
    OtherMatch {
        /// The log's path.
        path: String,
        /// Which fields differ, and how.
        differences: String,
    },
    /// Another referee is writing this log.
    #[error("{path} is being written by another referee")]
    Locked {
        /// The log's path.
        path: String,
    },
}

impl LogError {
    /// A file-system error about `path`.
    pub fn io(path: &std::path::Path, cause: std::io::Error) -> LogError {
        LogError::Io { path: path.display().to_string(), cause }
    }
}

/// A small match's header, for tests of whatever reads logs.
#[cfg(test)]
pub(crate) fn example_header() -> Header {
    header::tests::example()
}
