//! What a game gives: an indexer that numbers its positions, and a solver that computes their
//! values.

use crate::error::TablebaseError;
use crate::monitor::Monitor;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::path::Path;

/// What a game's files have in common.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The game, at most 16 bytes of ASCII: files of other games are refused.
    pub game: &'static str,
    /// The magic bytes of the game's files before they shared a format.
    pub old_magic: &'static [u8],
    /// How blocks are stored.
    pub encoding: Encoding,
    /// The command that builds a file again, for messages.
    pub rebuild: fn(&Path) -> String,
}

/// How the blocks of a file are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As they are: a probe reads a value from the mapped file.
    Raw,
    /// Compressed one by one: a probe unpacks a block. A block of one byte throughout is that
    /// byte, any other a raw deflate stream.
    Deflate,
}

/// What distinguishes a game's tablebases, such as the number of pieces: written into the header.
pub type Parameters = [u8; 16];

/// What the solver counted, as the game encodes it: written into the header.
pub type Statistics = [u8; 64];

/// A value as it is stored: a fixed number of bytes, 1, 2 or 4.
pub trait StoredValue: Copy + Send + Sync {
    /// Bytes of a value.
    const LEN: usize;

    /// Decodes [`StoredValue::LEN`] bytes; `None` if there are fewer.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Numbers the positions of a tablebase: a perfect hash from positions to `0..len`.
///
/// Indexes without a position are allowed (symmetry may fold two indexes into one position).
pub trait Indexer: Sized + Send + Sync {
    /// What is looked up.
    type Position;
    /// What is stored for each index.
    type Value: StoredValue;
    /// What the game's files have in common.
    const FORMAT: Format;

    /// The indexer of a file.
    ///
    /// # Errors
    ///
    /// What is wrong with the parameters, as a clause such as `9 pieces; known are 2 to 5`.
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

/// Takes values from a solver: the first index and the bytes of consecutive values. May be called
/// from any thread and in any order; with [`Encoding::Deflate`] each call passes one whole block
/// (the last may be shorter).
pub type Sink<'a> = &'a (dyn Fn(u64, &[u8]) -> Result<(), TablebaseError> + Sync);

/// Computes the values of all positions, for example by retrograde analysis.
pub trait Solver<I: Indexer>: Sync {
    /// Passes the value of every index to `sink` exactly once. Runs inside a rayon thread pool.
    /// Solvers advance `monitor`, whose length is [`Indexer::len`], and return the error of
    /// [`Monitor::checkpoint`] when it says stop.
    ///
    /// # Errors
    ///
    /// If the values cannot be computed, and those of `sink` and `monitor`.
    fn solve(
        &self,
        indexer: &I,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError>;
}

/// The indexer of a tablebase of many files in a folder, one a material key.
pub trait Slice: Indexer {
    /// Names the material; its text is the file's name.
    type Key: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// What the names of the files end in.
    const EXTENSION: &'static str;

    /// The material of this slice.
    fn key(&self) -> Self::Key;

    /// The slices that captures lead to: they are built first.
    fn successors(key: Self::Key) -> Vec<Self::Key>;
}
