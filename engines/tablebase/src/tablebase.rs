//! Tablebases for probing: one of a single file, and one of many files in a folder, one per material
//! key, with compressed blocks and a cache of unpacked blocks shared by all threads.

use crate::error::TablebaseError;
use crate::file::TablebaseFile;
use crate::format::{BLOCK, damaged};
use crate::indexer::{Encoding, Indexer, Slice, StoredValue};
use agon_games::hash::{FastMap, mix};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, fs};

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

/// The number of cached unpacked blocks: 8 MiB in total.
const CACHED_BLOCKS: usize = 1024;

/// The files of a folder.
pub struct Folder<I: Slice> {
    slices: FastMap<I::Key, OpenSlice<I>>,
    cache: Vec<Mutex<CachedBlock>>,
}

/// The file of one material key.
#[derive(Debug)]
pub struct OpenSlice<I> {
    /// Its indexer.
    pub indexer: I,
    /// The mapped file.
    pub file: TablebaseFile,
    /// Identifies its blocks in the cache.
    id: u64,
}

/// An unpacked block.
#[derive(Default)]
struct CachedBlock {
    /// The block's number plus 1; 0 if empty.
    key: u64,
    bytes: Vec<u8>,
}

impl<I: Slice> fmt::Debug for Folder<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folder").field("slices", &self.slices.keys()).finish_non_exhaustive()
    }
}

/// The path of a slice's file in a folder.
pub fn slice_path<I: Slice>(dir: &Path, key: I::Key) -> PathBuf {
    dir.join(format!("{key}.{}", I::EXTENSION))
}

/// The requested slices and those they depend on that the folder lacks, in the order to build them.
/// Damaged files and files of older formats count as missing.
///
/// # Errors
///
/// A file is not a tablebase or holds another slice, so this program must not replace it.
pub fn missing_slices<I: Slice>(
    dir: &Path,
    wanted: &[I::Key],
) -> Result<Vec<I::Key>, TablebaseError> {
    fn add<I: Slice>(key: I::Key, order: &mut Vec<I::Key>) {
        if !order.contains(&key) {
            I::successors(key).into_iter().for_each(|smaller| add::<I>(smaller, order));
            order.push(key);
        }
    }
    let (mut order, mut missing) = (Vec::new(), Vec::new());
    wanted.iter().for_each(|&key| add::<I>(key, &mut order));
    for key in order {
        match OpenSlice::<I>::open(dir, key) {
            Ok(_) => {}
            Err(
                TablebaseError::Missing { .. }
                | TablebaseError::Damaged { .. }
                | TablebaseError::Version { .. },
            ) => missing.push(key),
            Err(error) => return Err(error),
        }
    }
    Ok(missing)
}

impl<I: Slice> OpenSlice<I> {
    /// Opens the file of a slice in a folder.
    ///
    /// # Errors
    ///
    /// The file does not exist, cannot be read, is not a complete file of this format, or holds
    /// another slice than its name says.
    pub fn open(dir: &Path, key: I::Key) -> Result<OpenSlice<I>, TablebaseError> {
        let path = slice_path::<I>(dir, key);
        match path.try_exists() {
            Ok(true) => OpenSlice::open_file(&path, 0),
            Ok(false) => Err(TablebaseError::Missing { path }),
            Err(cause) => Err(TablebaseError::Io { doing: "looking for", path, cause }),
        }
    }

    fn open_file(path: &Path, id: u64) -> Result<OpenSlice<I>, TablebaseError> {
        let file = TablebaseFile::open::<I::Value>(path, I::FORMAT)?;
        let indexer = I::from_parameters(&file.header().parameters)
            .map_err(|reason| damaged(path, &I::FORMAT, reason))?;
        let name = indexer.key().to_string();
        if path.file_stem().and_then(|stem| stem.to_str()) != Some(&name) {
            let (found, expected) = (format!("the slice {name}"), "what its name says".into());
            return Err(TablebaseError::Foreign { path: path.into(), found, expected });
        }
        Ok(OpenSlice { indexer, file, id })
    }
}

impl<I: Slice> Folder<I> {
    /// Opens all files in a folder with the game's extension; blocks are unpacked when probed.
    ///
    /// # Errors
    ///
    /// The folder cannot be read, or one of these files is not a complete tablebase file.
    pub fn open(dir: &Path) -> Result<Folder<I>, TablebaseError> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(dir).map_err(TablebaseError::io("opening", dir))? {
            let path = entry.map_err(TablebaseError::io("reading", dir))?.path();
            if path.extension().is_some_and(|e| e == I::EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort();
        let mut slices = FastMap::default();
        for (id, path) in paths.iter().enumerate() {
            let slice = OpenSlice::<I>::open_file(path, id as u64)?;
            slices.insert(slice.indexer.key(), slice);
        }
        let cache = (0..CACHED_BLOCKS).map(|_| Mutex::default()).collect();
        Ok(Folder { slices, cache })
    }

    /// The open files, in no particular order.
    pub fn slices(&self) -> impl Iterator<Item = &OpenSlice<I>> {
        self.slices.values()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// The value of a position of a slice. `None` if there is no file, or once a damaged block was
    /// found in it, which is logged once.
    pub fn probe(&self, key: &I::Key, position: &I::Position) -> Option<I::Value> {
        let slice = self.slices.get(key)?;
        let at = slice.indexer.index(position)? as usize * I::Value::LEN;
        let (block, offset) = (at / BLOCK, at % BLOCK);
        if !slice.file.is_usable() || block >= slice.file.header().blocks() {
            return None;
        }
        let key = (slice.id << 32 | block as u64) + 1;
        let slot = &self.cache[mix(key) as usize % CACHED_BLOCKS];
        // A thread that panicked while holding the lock left a block that is complete or unnamed.
        let mut cached = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.key != key {
            cached.key = 0;
            cached.bytes.resize(slice.file.header().block_len(block), 0);
            let read = slice.file.read_block(block, &mut cached.bytes);
            read.inspect_err(|e| log::error!("{e} (it is not used any more)")).ok()?;
            cached.key = key;
        }
        I::Value::read(cached.bytes.get(offset..)?)
    }

    /// Reads all files into memory and checks every block.
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn preload(&self) -> Result<(), TablebaseError> {
        self.slices().try_for_each(|slice| slice.file.preload())
    }
}
