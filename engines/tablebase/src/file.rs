//! Memory-mapped tablebase files. Every block's checksum is verified before its first use.

use crate::error::TablebaseError;
use crate::format::{BLOCK, ENTRY_LEN, HEADER_LEN, TableHeader, damaged, foreign, unpack, word};
use crate::indexer::{Encoding, Format, StoredValue};
use agon_wire::input_file;
use memmap2::Mmap;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A mapped file.
#[derive(Debug)]
pub struct TablebaseFile {
    path: PathBuf,
    format: Format,
    map: Mmap,
    header: TableHeader,
    /// The offset of the first block in the file.
    data: usize,
    /// One bit per checked block. Relaxed atomics suffice: a bit only says that bytes which never
    /// change match their checksum, so it orders no other memory.
    checked: Vec<AtomicU64>,
    /// A damaged block was found: the file is no longer used.
    failed: AtomicBool,
    /// The number of blocks from the start that have been read and checked in order.
    warm: AtomicUsize,
}

/// Blocks that are read between two looks at the time: 16 MiB.
const WARM_BLOCKS: usize = (16 << 20) / BLOCK;

impl TablebaseFile {
    /// Maps a file and checks its header, directory and size; blocks are checked on first use.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not a complete file of this format and game.
    pub fn open<V: StoredValue>(
        path: &Path,
        format: Format,
    ) -> Result<TablebaseFile, TablebaseError> {
        let file = input_file::open(path).map_err(TablebaseError::io("opening", path))?;
        let size = file.metadata().map_err(TablebaseError::io("reading", path))?.len();
        if size == 0 {
            return Err(foreign(path, "an empty file, or one that the system makes up", &format));
        }
        // SAFETY: the map is read-only; files are written under another name and renamed, never
        // changed in place. If another process truncates the file, the system kills this one with a
        // bus error, a risk of every mapped file.
        let map = unsafe { Mmap::map(&file) }.map_err(TablebaseError::io("mapping", path))?;
        let header = TableHeader::read::<V>(&map, &format, path)?;
        let (blocks, data) = (header.blocks(), header.data_start());
        let damaged = |reason| Err(damaged(path, &format, reason));
        let Some(directory) = map.get(HEADER_LEN..data) else {
            return damaged("it is shorter than its directory");
        };
        if crc32fast::hash(directory) != header.checksum {
            return damaged("the directory's checksum does not match");
        }
        let stored = match blocks.checked_sub(1) {
            None => 0,
            Some(last) => word(directory, last * ENTRY_LEN),
        };
        if data as u64 + stored != map.len() as u64 {
            return damaged("it is shorter or longer than its directory says");
        }
        if format.encoding == Encoding::Raw && stored != header.unpacked_len() {
            return damaged("its directory does not match the number of values");
        }
        // Probes are random accesses. Large pages, where available, reduce address translation.
        #[cfg(target_os = "linux")]
        if format.encoding == Encoding::Raw {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let (path, failed) = (path.to_path_buf(), AtomicBool::new(false));
        let warm = AtomicUsize::new(0);
        Ok(TablebaseFile { path, format, map, header, data, checked, failed, warm })
    }

    /// The file's header.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's size in bytes.
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// The value of an index in a [`Encoding::Raw`] file; `None` beyond the end and once a damaged
    /// block was found.
    #[inline]
    pub(crate) fn value<V: StoredValue>(&self, index: u64) -> Option<V> {
        let at = (index as usize).checked_mul(V::LEN)?;
        let block = at / BLOCK;
        if !self.is_checked(block) && !self.check_for_probe(block) {
            return None;
        }
        let start = self.data + at;
        V::read(self.map.get(start..start + V::LEN)?)
    }

    #[inline]
    fn is_checked(&self, block: usize) -> bool {
        self.checked
            .get(block / 64)
            .is_some_and(|w| w.load(Ordering::Relaxed) >> (block % 64) & 1 == 1)
    }

    /// Whether the file may be used: no damaged block has been found.
    pub fn is_usable(&self) -> bool {
        !self.failed.load(Ordering::Relaxed)
    }

    /// Checks a block on its first probe; returns whether it may be read.
    #[cold]
    fn check_for_probe(&self, block: usize) -> bool {
        if block >= self.header.blocks() || !self.is_usable() {
            return false;
        }
        let checked = self.check_block(block);
        checked.inspect_err(|e| log::error!("{e} (it is not used any more)")).is_ok()
    }

    /// Verifies a block's checksum. The first damaged block disables the whole file, including
    /// blocks checked before.
    fn check_block(&self, block: usize) -> Result<(), TablebaseError> {
        let sum = word(&self.map, self.entry(block) + 8) as u32;
        if self.stored(block).is_some_and(|stored| crc32fast::hash(stored) == sum) {
            self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
            return Ok(());
        }
        self.failed.store(true, Ordering::Relaxed);
        for word in &self.checked {
            word.store(0, Ordering::Relaxed);
        }
        Err(self.damaged_block(block))
    }

    fn damaged_block(&self, block: usize) -> TablebaseError {
        damaged(&self.path, &self.format, format!("the checksum of block {block} does not match"))
    }

    fn entry(&self, block: usize) -> usize {
        HEADER_LEN + block * ENTRY_LEN
    }

    /// The stored bytes of a block.
    fn stored(&self, block: usize) -> Option<&[u8]> {
        let (start, end) = match self.format.encoding {
            Encoding::Raw => (block * BLOCK, block * BLOCK + self.header.block_len(block)),
            Encoding::Deflate => {
                let end = |block| word(&self.map, self.entry(block)) as usize;
                (if block == 0 { 0 } else { end(block - 1) }, end(block))
            }
        };
        self.map.get(self.data.checked_add(start)?..self.data.checked_add(end)?)
    }

    /// Unpacks a block, after checking it if necessary.
    ///
    /// # Errors
    ///
    /// This block or one checked before is damaged.
    pub(crate) fn read_block(&self, block: usize, out: &mut [u8]) -> Result<(), TablebaseError> {
        if !self.is_usable() || block >= self.header.blocks() {
            return Err(self.damaged_block(block));
        }
        if !self.is_checked(block) {
            self.check_block(block)?;
        }
        match self.stored(block) {
            Some(stored) if unpack(self.format.encoding, stored, out) => Ok(()),
            _ => Err(self.damaged_block(block)),
        }
    }

    /// The bytes of `values` values from the start of a block, unpacked on all threads of the
    /// current rayon pool.
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn read_values(&self, first_block: usize, values: u64) -> Result<Vec<u8>, TablebaseError> {
        let mut bytes = vec![0; values as usize * self.header.value_len];
        bytes.par_chunks_mut(BLOCK).enumerate().try_for_each(|(i, out)| {
            let block = first_block + i;
            if out.len() == self.header.block_len(block) {
                return self.read_block(block, out);
            }
            let mut whole = vec![0; self.header.block_len(block)];
            self.read_block(block, &mut whole)?;
            whole.truncate(out.len());
            out[..whole.len()].copy_from_slice(&whole);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Reads the blocks in order and checks them, so that no probe waits for the disk. Stops after
    /// `limit` and returns whether all are done; another call continues. Calls `progress` now and
    /// then with the bytes done and in all.
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn warm(
        &self,
        limit: Duration,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<bool, TablebaseError> {
        let (from, blocks) = (Instant::now(), self.header.blocks());
        while !self.is_warm() {
            if from.elapsed() >= limit {
                return Ok(false);
            }
            let first = self.warm.load(Ordering::Relaxed);
            let end = (first + WARM_BLOCKS).min(blocks);
            self.read_ahead(end, (end + WARM_BLOCKS).min(blocks));
            (first..end).try_for_each(|block| self.check_block(block)).inspect_err(|_| {
                // There is nothing left to read: the file is not used any more.
                self.warm.store(blocks, Ordering::Relaxed);
            })?;
            self.warm.fetch_max(end, Ordering::Relaxed);
            progress((end * BLOCK) as u64, (blocks * BLOCK) as u64);
        }
        Ok(true)
    }

    /// Whether [`TablebaseFile::warm`] has read the whole file.
    pub fn is_warm(&self) -> bool {
        self.warm.load(Ordering::Relaxed) >= self.header.blocks()
    }

    /// Asks the system to read blocks that will be needed next.
    fn read_ahead(&self, first: usize, end: usize) {
        #[cfg(unix)]
        if self.format.encoding == Encoding::Raw && first < end {
            let (from, len) = (self.data + first * BLOCK, (end - first) * BLOCK);
            let len = len.min(self.map.len().saturating_sub(from));
            let _ = self.map.advise_range(memmap2::Advice::WillNeed, from, len);
        }
        #[cfg(not(unix))]
        let _ = (first, end);
    }

    /// Reads the whole file into the page cache and checks every block, on all threads of the
    /// current rayon pool.
    ///
    /// # Errors
    ///
    /// A block is damaged.
    pub fn preload(&self) -> Result<(), TablebaseError> {
        (0..self.header.blocks()).into_par_iter().try_for_each(|block| self.check_block(block))
    }
}
