//! Table files: written aside and renamed, mapped into memory, read a block or a side at a time.

use super::error::TableError;
use super::format::{
    BLOCK, DIRECTORY_ENTRY, EXTENSION, HEADER_LEN, Header, Tally, block_sum, pack, unpack, word,
};
use super::set::EndgameSet;
use memmap2::Mmap;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file of a set in a folder.
pub fn path_of(dir: &Path, set: EndgameSet) -> PathBuf {
    dir.join(format!("{set}.{EXTENSION}"))
}

/// A table file, mapped.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    map: Mmap,
    header: Header,
}

impl TableFile {
    /// Opens a table and checks its header and directory; its blocks are checked as they are read.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no table, is damaged, or is another set's than its name says.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let file = File::open(path).map_err(TableError::io("opening", path))?;
        // SAFETY: the file is only read. If somebody else shortens it meanwhile, the system stops
        // the program; tables are replaced by renaming, which leaves what is mapped alone.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io("mapping", path))?;
        let header = Header::read(&map, path)?;
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if name != header.set.to_string() {
            let found = header.set.to_string();
            return Err(TableError::Misnamed { path: path.to_path_buf(), found });
        }
        let table = TableFile { path: path.to_path_buf(), map, header };
        table.check_directory()?;
        Ok(table)
    }

    fn check_directory(&self) -> Result<(), TableError> {
        let damaged = |reason: &str| Err(TableError::damaged(&self.path, reason));
        let blocks = 2 * self.header.blocks() as u64;
        let data = blocks.checked_mul(DIRECTORY_ENTRY as u64);
        let Some(data) = data.filter(|d| HEADER_LEN as u64 + d <= self.map.len() as u64) else {
            return damaged("it is shorter than its directory");
        };
        let last = if blocks == 0 { 0 } else { self.end(blocks as usize - 1) };
        if HEADER_LEN as u64 + data + last != self.map.len() as u64 {
            return damaged("it is shorter or longer than its directory says");
        }
        Ok(())
    }

    /// What it says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// Where a block's data end, counted from the directory's end.
    fn end(&self, block: usize) -> u64 {
        word(&self.map, HEADER_LEN + 8 * block)
    }

    /// Unpacks block `block` of side `side` (0 the attacker to move, 1 the defender).
    ///
    /// # Errors
    ///
    /// If the block is damaged.
    pub fn read_block(&self, side: usize, block: usize, out: &mut [u8]) -> Result<(), TableError> {
        let number = side * self.header.blocks() + block;
        let blocks = 2 * self.header.blocks();
        let data = HEADER_LEN + blocks * DIRECTORY_ENTRY;
        let start = if number == 0 { 0 } else { self.end(number - 1) };
        let sum = word(&self.map, HEADER_LEN + 8 * blocks + 4 * number) as u32;
        let range =
            data.saturating_add(start as usize)..data.saturating_add(self.end(number) as usize);
        match self.map.get(range) {
            Some(packed) if number < blocks && unpack(packed, sum, out) => Ok(()),
            _ => Err(TableError::damaged(&self.path, format!("block {number} cannot be unpacked"))),
        }
    }

    /// All codes of a side.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn read_side(&self, side: usize) -> Result<Vec<u8>, TableError> {
        let mut codes = vec![0; self.header.len as usize];
        let blocks = codes.par_chunks_mut(BLOCK).enumerate();
        blocks.try_for_each(|(block, out)| self.read_block(side, block, out))?;
        Ok(codes)
    }

    /// Compares the checksum of the whole file.
    ///
    /// # Errors
    ///
    /// If it does not fit.
    pub fn check(&self) -> Result<(), TableError> {
        if Sha256::digest(&self.map[HEADER_LEN..])[..] != self.header.checksum {
            return Err(TableError::damaged(&self.path, "its checksum does not fit its contents"));
        }
        Ok(())
    }
}

/// A packed block of a table to be written.
#[derive(Clone, Debug)]
pub struct PackedBlock {
    bytes: Vec<u8>,
    sum: u32,
    tally: Tally,
}

impl PackedBlock {
    /// Packs a block's codes.
    pub fn new(codes: &[u8], tally: Tally) -> PackedBlock {
        PackedBlock { bytes: pack(codes), sum: block_sum(codes), tally }
    }
}

/// Writes a table: aside first, then under its name, so that it is there whole or not at all.
/// `sides` are the blocks with the attacker and with the defender to move, `len` codes each.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(
    dir: &Path,
    set: EndgameSet,
    len: u64,
    sides: &[Vec<PackedBlock>; 2],
) -> Result<Header, TableError> {
    let blocks = || sides.iter().flatten();
    let mut directory = Vec::new();
    let mut end = 0u64;
    for block in blocks() {
        end += block.bytes.len() as u64;
        directory.extend(end.to_le_bytes());
    }
    directory.extend(blocks().flat_map(|block| block.sum.to_le_bytes()));
    let mut hash = Sha256::new();
    hash.update(&directory);
    blocks().for_each(|block| hash.update(&block.bytes));
    let checksum = hash.finalize().into();
    let tally = |side: &Vec<PackedBlock>| {
        side.iter().fold(Tally::default(), |sum, block| sum.join(block.tally))
    };
    let tallies = [tally(&sides[0]), tally(&sides[1])];
    let header = Header { set, len, checksum, tallies };
    let path = path_of(dir, set);
    let aside = dir.join(format!("{set}.part-{}", std::process::id()));
    let written = write_parts(&aside, &header, &directory, blocks().map(|b| &b.bytes[..]))
        .and_then(|()| fs::rename(&aside, &path));
    written.map_err(|cause| {
        let _ = fs::remove_file(&aside);
        TableError::Io { doing: "writing", path, cause }
    })?;
    Ok(header)
}

fn write_parts<'a>(
    path: &Path,
    header: &Header,
    directory: &[u8],
    blocks: impl Iterator<Item = &'a [u8]>,
) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&header.to_bytes())?;
    file.write_all(directory)?;
    for block in blocks {
        file.write_all(block)?;
    }
    file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}
