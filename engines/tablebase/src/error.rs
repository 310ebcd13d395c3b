//! Tablebase errors: one error type for all games.

use std::io;
use std::path::{Path, PathBuf};

/// Why a tablebase could not be built, opened or trusted. The text includes the system's message,
/// so no variant has a source that would print it again.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// An operating system error.
    #[error("{doing} {}: {cause}", path.display())]
    Io {
        /// The operation, such as `opening`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A file of another kind, game or slice.
    #[error("{} is {found}, not {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// An unsupported format version.
    #[error(
        "{} has format {found}; this program reads format {known}: rebuild it with `{rebuild}`",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
        /// The supported format version.
        known: u32,
        /// The command that rebuilds it.
        rebuild: String,
    },
    /// An inconsistent file: truncated, or with changed bytes.
    #[error("{} is damaged: {reason}; rebuild it with `{rebuild}`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// The command that rebuilds it.
        rebuild: String,
    },
    /// The slice does not exist.
    #[error("{} does not exist: captures lead to that slice", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// There is no tablebase with these parameters, or it cannot be built here: too little memory,
    /// a distance too large for a value, no threads.
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

    /// Not enough memory for a build that needs this number of bytes.
    pub fn memory(name: &str, bytes: u64, limit: &str) -> TablebaseError {
        let megabytes = bytes / 1_000_000;
        let text = format!("building {name} takes about {megabytes} MB of memory; {limit}");
        TablebaseError::Refused(text)
    }

    /// A distance too large for a value.
    pub fn too_long(name: &str, limit: u32) -> TablebaseError {
        TablebaseError::Refused(format!("{name} has wins longer than {limit} plies, the limit"))
    }
}
