//! What can go wrong with endgame tables.

use super::format;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be built, opened or trusted. The system's words are part of the message,
/// so no variant has a source to print once more.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A name of no endgame that there are tables for.
    #[error("`{name}` is no endgame set: {reason}; write it like KRABKAABB")]
    Set {
        /// What was given.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system refused.
    #[error("{doing} {}: {cause}", path.display())]
    Io {
        /// What was being done, such as `opening`.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Another kind of file.
    #[error(
        "{} is not a Xiangqi endgame table: it does not begin with `{}`",
        path.display(),
        format::MAGIC.escape_ascii()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A format that this program does not know.
    #[error(
        "{} has format {found}; this program reads format {}: build it again",
        path.display(),
        format::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// A file that contradicts itself.
    #[error("{} is damaged: {reason}; build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file under another set's name.
    #[error("{} holds the table of {found}: rename it to {found}.{}", path.display(), format::EXTENSION)]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// Whose table it is.
        found: String,
    },
    /// A table that another one is computed from is not there.
    #[error("{} lacks the table of {set}, which captures lead to", dir.display())]
    Missing {
        /// The folder.
        dir: PathBuf,
        /// The set.
        set: String,
    },
    /// More positions than can be worked on.
    #[error("building {set} takes about {needed} MB of memory; the limit is {limit} MB")]
    Memory {
        /// The set.
        set: String,
        /// In millions of bytes.
        needed: u64,
        /// In millions of bytes.
        limit: u64,
    },
    /// A mate that a byte cannot express.
    #[error(
        "{set} has mates longer than {} plies, the most that the format can hold",
        format::MAX_PLIES
    )]
    TooLong {
        /// The set.
        set: String,
    },
    /// A value is wrong.
    #[error("{set} gives {found} for `{fen}`; {how} gives {expected}")]
    Value {
        /// The set.
        set: String,
        /// The position.
        fen: String,
        /// The table's value.
        found: String,
        /// How the other value was found.
        how: &'static str,
        /// The other value.
        expected: String,
    },
    /// The worker threads could not be started.
    #[error("starting {threads} threads: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the pool said.
        reason: String,
    },
    /// The caller asked to stop.
    #[error("interrupted; finished tables are kept, and the same command goes on with the rest")]
    Interrupted,
}

impl TableError {
    /// Wraps a system error.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TableError {
        move |cause| TableError::Io { doing, path: path.to_path_buf(), cause }
    }

    /// A damaged file.
    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_path_buf(), reason: reason.into() }
    }
}
