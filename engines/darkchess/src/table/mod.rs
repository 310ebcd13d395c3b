//! The endgame table: the value of every position of at most 4 pieces, all of them turned over,
//! under best play by both: won, drawn or lost for the side to move, and in how many plies the
//! game is over. The winner hurries, the loser delays. 5 pieces can be built too.
//!
//! The match's limits do not enter: a win that takes longer than the draw rule allows is a win
//! here. One byte a position, one position a class of alike pieces and a symmetry of the board.
//!
//! - [`material`]: which sets of pieces are alike. [`place`]: the number of an arrangement.
//!   [`index`]: both together.
//! - [`solve`](mod@solve): retrograde analysis. [`build`](mod@build), [`format`](mod@format): all
//!   classes in order, into a file.
//! - [`oracle`], [`verify`](mod@verify): the proof, by forward search and by looking at every
//!   position's successors through the rules.

mod build;
mod error;
mod format;
mod index;
mod material;
mod oracle;
mod place;
mod solve;
#[cfg(test)]
mod tests;
mod verify;

pub use build::{BuildOptions, Monitor, build, build_in_memory};
pub use error::TableError;
pub use format::Header;
pub use oracle::Forward;
pub use verify::{VerifyReport, verify};

use agon_protocol::darkchess::DarkChess;
use format::HEADER_LEN;
use index::Index;
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The most pieces of a position in any table.
pub const MAX_PIECES: usize = 5;

/// The byte of a number that no position has.
const UNUSED: u8 = 255;

/// What a position is worth for the side to move: 0 a draw, else one more than the plies to the
/// end. An even number of plies is a loss: the loser is the one who has no move left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub u8);

impl Value {
    /// Nobody wins.
    pub const DRAW: Value = Value(0);
    /// Over, and lost.
    pub const LOST: Value = Value(1);

    fn at(distance: usize) -> Value {
        Value(distance as u8 + 1)
    }

    /// Plies to the end; `None` for a draw.
    #[inline]
    pub fn distance(self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    /// Whether the side to move loses.
    #[inline]
    pub fn is_loss(self) -> bool {
        self.0 % 2 == 1
    }

    /// Whether the side to move wins.
    #[inline]
    pub fn is_win(self) -> bool {
        self.0 != 0 && self.0.is_multiple_of(2)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.distance() {
            None => write!(f, "draw"),
            Some(plies) if self.is_loss() => write!(f, "loss in {plies}"),
            Some(plies) => write!(f, "win in {plies}"),
        }
    }
}

/// Where the values are.
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

/// An endgame table.
pub struct Table {
    path: PathBuf,
    header: Header,
    index: Index,
    bytes: Bytes,
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
        if !(2..=MAX_PIECES).contains(&header.pieces) {
            let reason = format!("{} pieces; known are 2 to {MAX_PIECES}", header.pieces);
            return Err(TableError::Header { path: path.to_path_buf(), reason });
        }
        let index = Index::new(header.pieces, 4, 8);
        if header.values != index.len() {
            let reason = format!("{} values; expected {}", header.values, index.len());
            return Err(TableError::Header { path: path.to_path_buf(), reason });
        }
        let (found, expected) = (map.len() as u64, header.file_len());
        if found != expected {
            let (path, pieces) = (path.to_path_buf(), header.pieces);
            return Err(TableError::Size { path, pieces, found, expected });
        }
        // Lookups are random: large pages, where the system has them, spare most of their cost.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Table { path: path.to_path_buf(), header, index, bytes: Bytes::Mapped(map) })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The most pieces of a position that has a value here.
    pub fn pieces(&self) -> usize {
        self.header.pieces
    }

    /// Classes, the side to move counting, and materials that fall into them.
    pub fn classes(&self) -> (usize, usize) {
        (self.index.classes.len(), self.index.materials())
    }

    /// The value of a position. `None` where something lies face down, a side has no piece left,
    /// there are too many pieces, or the board is not the table's.
    #[inline]
    pub fn probe(&self, game: &DarkChess) -> Option<Value> {
        let (class, number) = self.index.locate(game)?;
        self.read(class.offset + u64::from(number))
    }

    #[inline]
    fn read(&self, offset: u64) -> Option<Value> {
        self.values().get(offset as usize).map(|&byte| Value(byte))
    }

    fn values(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map.get(HEADER_LEN..).unwrap_or(&[]),
            Bytes::Owned(values) => values,
        }
    }

    /// Reads all values and compares them with the checksum.
    ///
    /// # Errors
    ///
    /// If they are not those that were written.
    pub fn check(&self) -> Result<(), TableError> {
        if Sha256::digest(self.values())[..] != self.header.checksum {
            return Err(TableError::Checksum { path: self.path.clone() });
        }
        Ok(())
    }
}
