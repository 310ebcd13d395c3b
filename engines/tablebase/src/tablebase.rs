//! A tablebase in one file.

use crate::error::TablebaseError;
use crate::file::TablebaseFile;
use crate::format::damaged;
use crate::indexer::{Encoding, Indexer};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// A memory-mapped tablebase.
pub struct Tablebase<I: Indexer> {
    indexer: I,
    file: TablebaseFile,
}

impl<I: Indexer> fmt::Debug for Tablebase<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("path", &self.file.path()).finish_non_exhaustive()
    }
}

impl<I: Indexer> Tablebase<I> {
    /// Maps a file after checking its header, directory and size. Blocks are checked when they are
    /// first probed, or all at once by [`Tablebase::preload`].
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not a complete tablebase of this game and format.
    pub fn open(path: &Path) -> Result<Tablebase<I>, TablebaseError> {
        const { assert!(matches!(I::FORMAT.encoding, Encoding::Raw), "packed files: see Folder") };
        let file = TablebaseFile::open::<I::Value>(path, I::FORMAT)?;
        let indexer = I::from_parameters(&file.header().parameters)
            .map_err(|reason| damaged(path, &I::FORMAT, reason))?;
        if file.header().values != indexer.len() {
            let reason = format!("{} values, not {}", file.header().values, indexer.len());
            return Err(damaged(path, &I::FORMAT, reason));
        }
        Ok(Tablebase { indexer, file })
    }

    /// The indexer.
    pub fn indexer(&self) -> &I {
        &self.indexer
    }

    /// The mapped file.
    pub fn file(&self) -> &TablebaseFile {
        &self.file
    }

    /// The value of a position; `None` if the tablebase does not contain it, and for every position
    /// once a damaged block was found, which is logged once.
    #[inline]
    pub fn probe(&self, position: &I::Position) -> Option<I::Value> {
        self.value(self.indexer.index(position)?)
    }

    /// The value of an index.
    #[inline]
    pub fn value(&self, index: u64) -> Option<I::Value> {
        self.file.value(index)
    }

    /// See [`TablebaseFile::warm`].
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn warm(
        &self,
        limit: Duration,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<bool, TablebaseError> {
        self.file.warm(limit, progress)
    }

    /// Reads the file into memory and checks every block.
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn preload(&self) -> Result<(), TablebaseError> {
        self.file.preload()
    }
}
