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
    /// Another kind of file, another game's, or another slice's.
    #[error("{} is {found}, not {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A format that this program does not read.
    #[error(
        "{} has format {found}; this program reads format {known}: rebuild it with `{rebuild}`",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format of this program.
        known: u32,
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
    /// A slice does not exist.
    #[error("{} does not exist: captures lead to that slice", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// No tablebase with these parameters exists, or it cannot be built here: too little memory,
    /// a distance that a value cannot hold, no threads.
    #[error("{0}")]
    Refused(String),
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
    /// The caller stopped the job.
    #[error("interrupted; finished files are kept, unfinished ones are removed")]
    Interrupted,
}

impl TablebaseError {
    /// Wraps a system error.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TablebaseError {
        move |cause| TablebaseError::Io { doing, path: path.to_path_buf(), cause }
    }

    /// Too little memory for building something that needs so many bytes.
    pub fn memory(name: &str, bytes: u64, limit: &str) -> TablebaseError {
        let megabytes = bytes / 1_000_000;
        let text = format!("building {name} takes about {megabytes} MB of memory; {limit}");
        TablebaseError::Refused(text)
    }

    /// A distance that a value cannot hold.
    pub fn too_long(name: &str, limit: u32) -> TablebaseError {
        TablebaseError::Refused(format!("{name} has wins longer than {limit} plies, the limit"))
    }
}
