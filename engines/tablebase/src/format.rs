//! The file format: a header of 160 bytes, a directory with one entry per block, the blocks.
//! Numbers are little-endian.
//!
//! | bytes    | header                                            |
//! |----------|---------------------------------------------------|
//! | 0..8     | `AgonTabl`                                        |
//! | 8..12    | format, 2                                         |
//! | 12..16   | bytes of a value                                  |
//! | 16..32   | the game, ASCII, filled with 0                    |
//! | 32..40   | number of values                                  |
//! | 40..44   | bytes of an unpacked block, 8192                  |
//! | 44..48   | encoding: 0 raw, 1 deflate                        |
//! | 48..64   | [`Parameters`] of the game                        |
//! | 64..128  | [`Statistics`] of the game                        |
//! | 128..132 | CRC-32 of the directory                           |
//! | 132..156 | 0                                                 |
//! | 156..160 | CRC-32 of the 156 bytes above                     |
//!
//! A directory entry holds the end of the block's stored bytes, as an offset from the end of the
//! directory (8 bytes), and the CRC-32 of the stored bytes (4 bytes).

use crate::error::TablebaseError;
use crate::indexer::{Encoding, Format, Indexer, Parameters, Statistics, StoredValue};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use std::path::Path;

/// The magic bytes of a tablebase file.
pub const MAGIC: &[u8; 8] = b"AgonTabl";
/// The format version that this program writes and reads. In format 1 each game had its own layout.
pub const VERSION: u32 = 2;
/// The header's size in bytes.
pub const HEADER_LEN: usize = 160;
/// The size of a directory entry in bytes.
pub const ENTRY_LEN: usize = 12;
/// Bytes of an unpacked block: small enough to unpack or check for one value, large enough to
/// compress well.
pub const BLOCK: usize = 8192;

/// The offset of the statistics in the header.
pub(crate) const STATISTICS: usize = 64;
const SIGNED: usize = HEADER_LEN - 4;
/// The compression level: higher levels save 1% of the size for twice the time.
const LEVEL: u8 = 6;

/// The header of a tablebase file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The parameters of the game's tablebase.
    pub parameters: Parameters,
    /// Number of values.
    pub values: u64,
    /// Bytes of a value.
    pub value_len: usize,
    /// The solver's statistics.
    pub statistics: Statistics,
    /// CRC-32 of the directory, which contains the checksums of all blocks.
    pub checksum: u32,
}

impl TableHeader {
    /// The header for a new file.
    pub(crate) fn new<I: Indexer>(indexer: &I) -> TableHeader {
        TableHeader {
            parameters: indexer.parameters(),
            values: indexer.len(),
            value_len: I::Value::LEN,
            statistics: [0; 64],
            checksum: 0,
        }
    }

    /// Total bytes of the values, unpacked.
    pub fn unpacked_len(&self) -> u64 {
        self.values.saturating_mul(self.value_len as u64)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.unpacked_len().div_ceil(BLOCK as u64) as usize
    }

    /// The unpacked length of a block in bytes.
    pub fn block_len(&self, block: usize) -> usize {
        self.unpacked_len().saturating_sub((block * BLOCK) as u64).min(BLOCK as u64) as usize
    }

    /// The offset of the first block in the file.
    pub(crate) fn data_start(&self) -> usize {
        self.blocks().saturating_mul(ENTRY_LEN).saturating_add(HEADER_LEN)
    }

    /// Encodes the header.
    pub(crate) fn to_bytes(&self, format: &Format) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &(self.value_len as u32).to_le_bytes());
        put(16, &format.game.as_bytes()[..format.game.len().min(16)]);
        put(32, &self.values.to_le_bytes());
        put(40, &(BLOCK as u32).to_le_bytes());
        put(44, &(format.encoding as u32).to_le_bytes());
        put(48, &self.parameters);
        put(STATISTICS, &self.statistics);
        put(128, &self.checksum.to_le_bytes());
        let own = crc32fast::hash(&bytes[..SIGNED]);
        bytes[SIGNED..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// Decodes the header of a file that starts with `bytes`; `path` is for error messages.
    ///
    /// # Errors
    ///
    /// Another kind of file, another format, another game's file, or a damaged header.
    pub(crate) fn read<V: StoredValue>(
        bytes: &[u8],
        format: &Format,
        path: &Path,
    ) -> Result<TableHeader, TablebaseError> {
        let damaged = |reason: &str| Err(damaged(path, format, reason));
        let version = |found| {
            let rebuild = (format.rebuild)(path);
            Err(TablebaseError::Version { path: path.into(), found, known: VERSION, rebuild })
        };
        if bytes.starts_with(format.old_magic) {
            return version(word(bytes, 8) as u32);
        }
        if !bytes.starts_with(MAGIC) {
            return Err(foreign(path, "another kind of file", format));
        }
        let Some(bytes) = bytes.get(..HEADER_LEN) else {
            return damaged("it is shorter than its header");
        };
        if word(bytes, 8) as u32 != VERSION {
            return version(word(bytes, 8) as u32);
        }
        if crc32fast::hash(&bytes[..SIGNED]) != word(bytes, SIGNED) as u32 {
            return damaged("the header's checksum does not match");
        }
        let game = bytes[16..32].split(|&b| b == 0).next().unwrap_or_default();
        if game != format.game.as_bytes() {
            let found = format!("a tablebase of {}", String::from_utf8_lossy(game));
            return Err(foreign(path, &found, format));
        }
        let sizes = [12, 40, 44].map(|at| word(bytes, at) as u32);
        if sizes != [V::LEN as u32, BLOCK as u32, format.encoding as u32] {
            return damaged("its sizes of values and blocks or its encoding are not this game's");
        }
        let mut header = TableHeader {
            parameters: [0; 16],
            values: word(bytes, 32),
            value_len: V::LEN,
            statistics: [0; 64],
            checksum: word(bytes, 128) as u32,
        };
        header.parameters.copy_from_slice(&bytes[48..64]);
        header.statistics.copy_from_slice(&bytes[STATISTICS..128]);
        Ok(header)
    }
}

/// The error for a file of another kind.
pub(crate) fn foreign(path: &Path, found: &str, format: &Format) -> TablebaseError {
    let expected = format!("a tablebase of {}", format.game);
    TablebaseError::Foreign { path: path.into(), found: found.into(), expected }
}

/// The error for an inconsistent file.
pub(crate) fn damaged(path: &Path, format: &Format, reason: impl Into<String>) -> TablebaseError {
    let rebuild = (format.rebuild)(path);
    TablebaseError::Damaged { path: path.into(), reason: reason.into(), rebuild }
}

/// The 64 bits at an offset; missing bytes are 0.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).unwrap_or_default();
    bytes.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The stored bytes of a block.
pub(crate) fn pack(encoding: Encoding, block: &[u8]) -> Vec<u8> {
    match (encoding, block.first()) {
        (Encoding::Raw, _) => block.to_vec(),
        (_, Some(first)) if block.iter().all(|byte| byte == first) => vec![*first],
        _ => compress_to_vec(block, LEVEL),
    }
}

/// Unpacks stored bytes into `block`; returns whether they fill it exactly.
pub(crate) fn unpack(encoding: Encoding, stored: &[u8], block: &mut [u8]) -> bool {
    match (encoding, stored) {
        (Encoding::Raw, _) if stored.len() == block.len() => block.copy_from_slice(stored),
        (Encoding::Deflate, [byte]) => block.fill(*byte),
        (Encoding::Deflate, _) => {
            let unpacked = decompress_slice_iter_to_slice(block, [stored].into_iter(), false, true);
            return unpacked == Ok(block.len());
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;

    #[test]
    fn blocks_unpack_to_what_was_packed() {
        let mut stream = rng::stream(5, 0, "blocks");
        for encoding in [Encoding::Raw, Encoding::Deflate] {
            for (len, values) in [(1, 1), (7, 200), (90, 2), (BLOCK, 1), (BLOCK, 2), (BLOCK, 200)] {
                let block: Vec<u8> =
                    (0..len).map(|_| rng::below(&mut stream, values) as u8).collect();
                let stored = pack(encoding, &block);
                let mut out = vec![9; len];
                assert!(unpack(encoding, &stored, &mut out));
                assert_eq!(out, block);
                assert!(stored.len() == 1 || !unpack(encoding, &stored[1..], &mut out));
            }
        }
    }
}
