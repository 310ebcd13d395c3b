//! What can go wrong with a table file.

use super::{MAX_STONES, format};
use std::io;
use std::path::{Path, PathBuf};

/// Why an endgame table could not be built, opened or trusted. The system's words are part of the
/// message, so no variant has a source to print once more.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
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
    /// No room for the file.
    #[error(
        "no room for the endgame table {}: it takes {needed} bytes while it is written ({cause})",
        path.display()
    )]
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
        "{} is not an EinStein endgame table: it does not begin with `{}`",
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
        "{} has {found} bytes, but a table of {stones} stones has {expected}: build it again",
        path.display()
    )]
    Size {
        /// The file.
        path: PathBuf,
        /// Of how many stones it says it is.
        stones: usize,
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
    #[error("{} gives {found:.6} for `{fen}`; {how} gives {expected:.6}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The position.
        fen: String,
        /// The table's value.
        found: f64,
        /// How the other value was found.
        how: &'static str,
        /// The other value.
        expected: f64,
    },
    /// No table of so many stones.
    #[error("a table of {0} stones: from 2 to {MAX_STONES} can be built")]
    Stones(usize),
    /// Too little memory.
    #[error(
        "building a table of {stones} stones takes {needed} bytes of memory, more than there is"
    )]
    Memory {
        /// How many stones.
        stones: usize,
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
