//! The traits that a game implements: an indexer that numbers its positions, and a solver that
//! computes their values; and the monitor, by which a solver reports its progress and is interrupted.

use crate::error::TablebaseError;
use indicatif::ProgressBar;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file format settings shared by a game's files.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The game's name, at most 16 bytes of ASCII; files of other games are rejected.
    pub game: &'static str,
    /// The magic bytes of the game's files before the common format.
    pub old_magic: &'static [u8],
    /// How blocks are stored.
    pub encoding: Encoding,
    /// The command that rebuilds a file, for error messages.
    pub rebuild: fn(&Path) -> String,
}

/// How the blocks of a file are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Uncompressed: a probe reads a value from the mapped file.
    Raw,
    /// Compressed block by block: a probe unpacks a block. A block of one repeated byte is stored
    /// as that byte, any other as a raw deflate stream.
    Deflate,
}

/// The parameters of a game's tablebase, such as the number of pieces, stored in the header.
pub type Parameters = [u8; 16];

/// The solver's statistics in the game's own encoding, stored in the header.
pub type Statistics = [u8; 64];

/// A value as stored: a fixed length of 1, 2 or 4 bytes.
pub trait StoredValue: Copy + Send + Sync {
    /// Length of a value in bytes.
    const LEN: usize;

    /// Decodes [`StoredValue::LEN`] bytes; `None` if there are fewer.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Numbers the positions of a tablebase: a perfect hash from positions to `0..len`.
///
/// Indexes without a position are allowed (symmetry may fold two indexes into one position).
pub trait Indexer: Sized + Send + Sync {
    /// The position to look up.
    type Position;
    /// The value stored for each index.
    type Value: StoredValue;
    /// The format of the game's files.
    const FORMAT: Format;

    /// The indexer with these parameters.
    ///
    /// # Errors
    ///
    /// A description of the wrong parameters, as a clause such as `9 pieces; known are 2 to 5`.
    fn from_parameters(parameters: &Parameters) -> Result<Self, String>;

    /// The inverse of [`Indexer::from_parameters`].
    fn parameters(&self) -> Parameters;

    /// One more than the largest index.
    fn len(&self) -> u64;

    /// Whether there are no indexes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a position; `None` for positions that are not in the tablebase.
    fn index(&self, position: &Self::Position) -> Option<u64>;
}

/// Receives values from a solver: the first index and the bytes of consecutive values. May be
/// called from any thread and in any order; with [`Encoding::Deflate`] each call passes one whole
/// block (the last may be shorter).
pub type Sink<'a> = &'a (dyn Fn(u64, &[u8]) -> Result<(), TablebaseError> + Sync);

/// Computes the values of all positions, for example by retrograde analysis.
pub trait Solver<I: Indexer>: Sync {
    /// Passes the value of every index to `sink` exactly once. Runs inside a rayon thread pool.
    /// Solvers advance `monitor`, whose length is [`Indexer::len`], and propagate the error of
    /// [`Monitor::checkpoint`].
    ///
    /// # Errors
    ///
    /// The values cannot be computed, or an error of `sink` or `monitor`.
    fn solve(
        &self,
        indexer: &I,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError>;
}

/// The indexer of a tablebase of many files in a folder, one per material key.
pub trait Slice: Indexer {
    /// The material key; its text is the file name.
    type Key: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// The extension of the files.
    const EXTENSION: &'static str;

    /// The material of this slice.
    fn key(&self) -> Self::Key;

    /// The slices that captures lead to, which must be built first.
    fn successors(key: Self::Key) -> Vec<Self::Key>;
}

/// A progress bar and a flag that stops the job.
pub struct Monitor<'a> {
    /// Jobs set its length, position and message; the caller chooses its style.
    pub bar: ProgressBar,
    /// Set to stop the job.
    pub cancel: &'a AtomicBool,
}

impl Monitor<'static> {
    /// A monitor that draws nothing and never stops the job.
    pub fn hidden() -> Monitor<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Monitor { bar: ProgressBar::hidden(), cancel: &NEVER }
    }
}

impl Monitor<'_> {
    /// To be called between units of work.
    ///
    /// # Errors
    ///
    /// [`TablebaseError::Interrupted`] if the job must stop.
    pub fn checkpoint(&self) -> Result<(), TablebaseError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(TablebaseError::Interrupted),
            false => Ok(()),
        }
    }

    /// Starts a job of this number of units.
    pub fn begin(&self, message: &'static str, length: u64) {
        self.bar.reset();
        self.bar.set_length(length);
        self.bar.set_message(message);
    }

    /// [`Monitor::checkpoint`], then sets the message for the next phase.
    ///
    /// # Errors
    ///
    /// As [`Monitor::checkpoint`].
    pub fn report(&self, message: String) -> Result<(), TablebaseError> {
        self.bar.set_message(message);
        self.checkpoint()
    }
}
