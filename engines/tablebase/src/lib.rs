//! Endgame tablebases for any game: file format, building, verifying, probing and command line. A
//! game implements an [`Indexer`], which numbers its positions, and a [`Solver`], which computes
//! their values, usually by retrograde analysis.
//!
//! - One file ([`Tablebase`]): raw values, memory-mapped.
//! - A folder of files, one per material key ([`Folder`]): compressed blocks and a cache of
//!   unpacked blocks.
//!
//! A file is divided into blocks, each with a checksum that is verified before the block's first
//! use: by the first probe that needs it, by [`Tablebase::preload`], or by `table verify`. If a
//! block is damaged, an error is logged once and the file is no longer used: a search continues
//! without it and never sees a wrong value. The format is in [`mod@format`].
//!
//! # Example
//!
//! A subtraction game: the player to move takes 1, 2 or 3 stones; the player who takes the last one
//! wins.
//!
//! ```
//! use agon_tablebase::*;
//!
//! struct Pile {
//!     most: u64,
//! }
//!
//! impl Indexer for Pile {
//!     type Position = u64;
//!     type Value = Dtm;
//!     const FORMAT: Format = Format {
//!         game: "subtraction",
//!         old_magic: b"none",
//!         encoding: Encoding::Raw,
//!         rebuild: |path| format!("subtraction table build {}", path.display()),
//!     };
//!     fn from_parameters(parameters: &Parameters) -> Result<Pile, String> {
//!         Ok(Pile { most: parameters[0].into() })
//!     }
//!     fn parameters(&self) -> Parameters {
//!         let mut parameters = Parameters::default();
//!         parameters[0] = self.most as u8;
//!         parameters
//!     }
//!     fn len(&self) -> u64 {
//!         self.most + 1
//!     }
//!     fn index(&self, &stones: &u64) -> Option<u64> {
//!         (stones <= self.most).then_some(stones)
//!     }
//! }
//!
//! /// Every move leads to a smaller pile, so one pass in rising order suffices.
//! struct Ascending;
//!
//! impl Solver<Pile> for Ascending {
//!     fn solve(
//!         &self,
//!         pile: &Pile,
//!         sink: Sink<'_>,
//!         monitor: &Monitor<'_>,
//!     ) -> Result<Statistics, TablebaseError> {
//!         let mut values = vec![Dtm::LOST];
//!         for stones in 1..=pile.most as usize {
//!             monitor.checkpoint()?;
//!             let moves = (1..=3).filter(|&take| take <= stones);
//!             values.extend(moves.map(|take| values[stones - take].before()).max());
//!         }
//!         let bytes: Vec<u8> = values.iter().map(|value| value.code()).collect();
//!         sink(0, &bytes)?;
//!         Ok([0; 64])
//!     }
//! }
//!
//! /// Whether the side to move wins, by plain search.
//! fn wins(stones: u64) -> bool {
//!     (1..=3).any(|take| take <= stones && !wins(stones - take))
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("pile.table");
//! build(&path, &Pile { most: 20 }, &Ascending, 1, &Monitor::hidden())?;
//! let tablebase = Tablebase::<Pile>::open(&path)?;
//! tablebase.preload()?;
//! for stones in 0..=20 {
//!     assert_eq!(tablebase.probe(&stones).map(Dtm::is_win), Some(wins(stones)));
//! }
//! assert_eq!(tablebase.probe(&4), Some(Dtm::after(2)));
//! assert_eq!(tablebase.probe(&21), None);
//! # Ok(())
//! # }
//! ```

mod build;
mod cache;
pub mod cli;
pub mod conformance;
mod dtm;
mod error;
mod file;
pub mod format;
mod indexer;
mod scratch;
mod tablebase;
pub mod verify;

pub use build::{build, resume};
pub use cache::CachedTablebase;
pub use dtm::{Dtm, Wdl};
pub use error::TablebaseError;
pub use file::TablebaseFile;
pub use format::TableHeader;
pub use indexer::{
    Encoding, Format, Indexer, Monitor, Parameters, Sink, Slice, Solver, Statistics, StoredValue,
};
pub use scratch::{Scratch, ScratchValues, ScratchWriter, scratch_folder};
pub use tablebase::{Folder, OpenSlice, Tablebase, missing_slices, slice_path};
