//! The endgame table: the exact value of every position of at most 5 stones.
//!
//! A value is the side to move's probability of winning, before its roll and under best play by
//! both, for the rule about missing numbers that the table was built for. The game is acyclic
//! (every move brings a stone nearer to its goal), so the values follow from one pass in the order
//! of stones and distances, without iteration: [`build`]. They are computed in units of
//! 1/(2^32 - 1) and stored in 16 bits, in units of 1/65535: [`MAX_ERROR`].
//!
//! - [`side`]: the arrangements of one side's numbers, up to relabelling.
//! - [`index`]: the number of a position, after all exact reductions.
//! - [`block`]: the values of the positions on one set of squares.
//! - [`build`](mod@build), [`format`](mod@format): all of them in order, into a file.
//! - [`oracle`], [`verify`](mod@verify): the proof, by plain expectimax that knows no index.

mod block;
mod build;
mod error;
#[cfg(test)]
mod file_tests;
mod format;
mod index;
mod oracle;
mod side;
#[cfg(test)]
mod tests;
mod verify;

pub use build::{BuildOptions, Monitor, build};
pub use error::TableError;
pub use format::Header;
pub use oracle::{Expectimax, random_position};
pub use verify::{VerifyReport, verify};

use agon_protocol::einstein::{EinStein, MissingDie, Stage};
use format::{HEADER_LEN, VALUE_LEN};
use index::Index;
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The most stones of a position in a table.
pub const MAX_STONES: usize = 5;
/// The most stones of one side in a table: the other has at least one.
const MAX_SIDE: usize = MAX_STONES - 1;

/// No value is farther than this from the exact probability: half a unit of storage, and half a
/// unit of computation for each of the at most 40 moves that such a position has left.
pub const MAX_ERROR: f64 = 0.5 / 65535.0 + 40.0 * 0.5 / 4294967295.0;

/// A probability of winning in units of 1/65535.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub u16);

impl Value {
    /// The probability, 0 to 1, within [`MAX_ERROR`] of the exact one.
    #[inline]
    pub fn probability(self) -> f64 {
        f64::from(self.0) / f64::from(u16::MAX)
    }
}

/// An endgame table, mapped from its file.
pub struct Table {
    path: PathBuf,
    header: Header,
    index: Index,
    map: Mmap,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Table {
    /// Maps a table after checking its header and its size, not its values: [`Table::check`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a whole table of this format.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let file = File::open(path).map_err(TableError::io("opening the endgame table", path))?;
        let found = file.metadata().map_err(TableError::io("reading", path))?;
        if !found.is_file() {
            return Err(TableError::Foreign { path: path.to_path_buf() });
        }
        // SAFETY: the map is read-only and private; tables are written aside and renamed, never
        // changed in place. Somebody who truncates the file meanwhile gets this process killed by
        // a bus error: the price of any mapped file.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io("mapping", path))?;
        let header = Header::read(&map, path)?;
        if !(2..=MAX_STONES).contains(&header.stones) {
            let reason = format!("{} stones; known are 2 to {MAX_STONES}", header.stones);
            return Err(TableError::Header { path: path.to_path_buf(), reason });
        }
        let index = Index::new(header.stones);
        if header.values != index.len() as u64 {
            let reason = format!("{} values; expected {}", header.values, index.len());
            return Err(TableError::Header { path: path.to_path_buf(), reason });
        }
        let (found, expected) = (map.len() as u64, header.file_len());
        if found != expected {
            let (path, stones) = (path.to_path_buf(), header.stones);
            return Err(TableError::Size { path, stones, found, expected });
        }
        // Where the system can, pages of 2 MiB: lookups are random, and with small pages most of
        // their time goes into finding the page.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Table { path: path.to_path_buf(), header, index, map })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The most stones of a position that has a value here.
    pub fn stones(&self) -> usize {
        self.header.stones
    }

    /// The rule about missing numbers that the values are for.
    pub fn rule(&self) -> MissingDie {
        self.header.rule
    }

    /// The value of a position before the roll. `None` where the die is rolled, the game is over
    /// or not begun, there are too many stones, or another rule holds.
    #[inline]
    pub fn probe(&self, state: &EinStein) -> Option<Value> {
        self.read(self.locate(state)?)
    }

    /// The values of several positions, as [`Table::probe`] gives them: those of all moves of a
    /// die, say. Their reads from memory overlap, and waiting for them is most of a lookup's time.
    /// Stops at the end of the shorter slice.
    pub fn probe_all(&self, states: &[EinStein], values: &mut [Option<Value>]) {
        const TOGETHER: usize = 8;
        for (states, values) in states.chunks(TOGETHER).zip(values.chunks_mut(TOGETHER)) {
            // Two passes: no read waits for the next position's computation.
            let mut places = [None; TOGETHER];
            for (place, state) in places.iter_mut().zip(states) {
                *place = self.locate(state);
            }
            for (value, place) in values.iter_mut().zip(places) {
                *value = place.and_then(|place| self.read(place));
            }
        }
    }

    #[inline]
    fn locate(&self, state: &EinStein) -> Option<usize> {
        let before_roll = matches!(state.stage(), Stage::Roll(_));
        if !before_roll || state.missing_die() != self.header.rule {
            return None;
        }
        self.index.locate(state)
    }

    #[inline]
    fn read(&self, index: usize) -> Option<Value> {
        let at = HEADER_LEN + index * VALUE_LEN;
        let bytes = self.map.get(at..at + VALUE_LEN)?;
        Some(Value(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    /// Reads all values and compares them with the checksum: seconds.
    ///
    /// # Errors
    ///
    /// If they are not those that were written.
    pub fn check(&self) -> Result<(), TableError> {
        let sum = Sha256::digest(&self.map[HEADER_LEN..]);
        if sum[..] != self.header.checksum {
            return Err(TableError::Checksum { path: self.path.clone() });
        }
        Ok(())
    }
}
