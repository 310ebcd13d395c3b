//! What can go wrong with a tablebase: one error type for every game.

use std::io;
use std::path::{Path, PathBuf};

/// Why a tablebase could not be built, opened or trusted. The system's message is part of the
/// text, so no variant has a source to print once more.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The operating system refused.
    #[error("{doing} {}: {cause}", path.display())]
    Io {
        /// What was being done, such as `opening`.
        doing: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// No room for the file.
    #[error("no room for the tablebase {}: it takes {needed} bytes ({cause})", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        needed: u64,
        /// The system's error.
        cause: io::Error,
    },
    /// Another kind of file.
    #[error("{} is not a tablebase file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another game's tablebase.
    #[error("{} is a tablebase of {found}, not of {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game in its header.
        found: String,
        /// The game of this program.
        expected: &'static str,
    },
    /// A format that this program does not read.
    #[error(
        "{} has format {found}; this program reads format {}: rebuild it with `{rebuild}`",
        path.display(),
        crate::format::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The command that builds it again.
        rebuild: String,
    },
    /// A file that contradicts itself: cut short, or bytes changed.
    #[error("{} is damaged: {reason}; rebuild it with `{rebuild}`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// The command that builds it again.
        rebuild: String,
    },
    /// A slice under another slice's file name.
    #[error("{} holds the slice {found}: rename it to {}", path.display(), expected.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The slice in its header.
        found: String,
        /// The file name of that slice.
        expected: PathBuf,
    },
    /// A slice from which another one is computed is not there.
    #[error("{} does not exist: captures lead to that slice", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// No tablebase with these parameters exists.
    #[error("{0}")]
    Parameters(String),
    /// Too little memory.
    #[error("building {name} takes about {needed} MB of memory; the limit is {limit}")]
    Memory {
        /// What is being built.
        name: String,
        /// In millions of bytes.
        needed: u64,
        /// The limit, such as `8000 MB`.
        limit: String,
    },
    /// A distance that a value cannot hold.
    #[error("{name} has wins longer than {limit} plies, the most that the format holds")]
    TooLong {
        /// What is being built.
        name: String,
        /// The longest distance in plies.
        limit: u32,
    },
    /// A value is wrong.
    #[error("{name} gives {found} for `{fen}`; {how} gives {expected}")]
    Value {
        /// The tablebase.
        name: String,
        /// The position.
        fen: String,
        /// The tablebase's value.
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
        /// The thread pool's error.
        reason: String,
    },
    /// The caller stopped the job.
    #[error("interrupted; finished files are kept, unfinished ones are removed")]
    Interrupted,
}

impl TablebaseError {
    /// Wraps a system error.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TablebaseError {
        move |cause| TablebaseError::Io { doing, path: path.to_path_buf(), cause }
    }

    /// Whether building the file again mends it.
    pub fn is_mended_by_rebuilding(&self) -> bool {
        matches!(self, TablebaseError::Damaged { .. } | TablebaseError::Version { .. })
    }
}
