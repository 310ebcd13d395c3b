//! What can go wrong with a table.

use super::{MAX_PIECES, format};
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be built, opened or trusted.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused.
    #[error("{doing} {}: {cause}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The disk is full.
    #[error("no room for the endgame table {}: it takes {needed} bytes ({cause})", path.display())]
    DiskFull {
        /// The table's name.
        path: PathBuf,
        /// Its size.
        needed: u64,
        /// What the system said.
        cause: io::Error,
    },
    /// Another kind of file.
    #[error(
        "{} is not a dark chess endgame table: it does not begin with `{}`",
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
    /// A header that contradicts itself.
    #[error("the header of {} is damaged: {reason}; build the table again", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Cut short, or grown.
    #[error(
        "{} has {found} bytes, but a table of {pieces} pieces has {expected}: build it again",
        path.display()
    )]
    Size {
        /// The file.
        path: PathBuf,
        /// Of how many pieces it says it is.
        pieces: usize,
        /// Its size in bytes.
        found: u64,
        /// What it should be.
        expected: u64,
    },
    /// The values are not those that were written.
    #[error("{} is damaged: its checksum does not fit its values; build it again", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
    },
    /// A value is wrong.
    #[error("{} gives `{found}` for `{fen}`; {how} gives {expected}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The position.
        fen: String,
        /// The table's value.
        found: String,
        /// How the other value was found.
        how: &'static str,
        /// The other value.
        expected: String,
    },
    /// No table of so many pieces.
    #[error("a table of {0} pieces: from 2 to {MAX_PIECES} can be built")]
    Pieces(usize),
    /// A win that a byte cannot count.
    #[error("a position is more than {farthest} plies from the end: one byte does not hold that")]
    TooFar {
        /// The greatest distance that fits.
        farthest: usize,
    },
    /// Too little memory.
    #[error("building a table of {pieces} pieces takes {needed} bytes, more than there is")]
    Memory {
        /// How many pieces.
        pieces: usize,
        /// In bytes.
        needed: u64,
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
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl TableError {
    /// Wraps a system error.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TableError {
        move |cause| TableError::Io { doing, path: path.to_path_buf(), cause }
    }
}
