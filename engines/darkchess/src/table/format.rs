//! The table file: 128 bytes of header, then one byte a value, numbers little-endian.
//!
//! | bytes    | what                                                         |
//! |----------|--------------------------------------------------------------|
//! | 0..8     | `AgonDckT`                                                   |
//! | 8..12    | format, 1                                                    |
//! | 12..16   | the most pieces of a position                                |
//! | 16..20   | bytes a value, 1                                             |
//! | 20..24   | 0                                                            |
//! | 24..32   | how many values                                              |
//! | 32..64   | SHA-256 of the values                                        |
//! | 64..96   | 0                                                            |
//! | 96..128  | SHA-256 of the 96 bytes above                                |
//!
//! So `tail -c +129 FILE | sha256sum` prints the checksum that the header holds. A value is 0 for
//! a draw, 255 for a number that no position has, else one more than the plies to the end.

use super::error::TableError;
use sha2::{Digest, Sha256};
use std::path::Path;

/// How a table file begins.
pub const MAGIC: &[u8; 8] = b"AgonDckT";
/// The format that this program writes and reads.
pub const VERSION: u32 = 1;
/// The header's size in bytes.
pub const HEADER_LEN: usize = 128;

const VALUE_LEN: u32 = 1;
const SIGNED: usize = 96;

/// What a table file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The most pieces of a position.
    pub pieces: usize,
    /// How many values follow.
    pub values: u64,
    /// SHA-256 of the values.
    pub checksum: [u8; 32],
}

impl Header {
    /// The size of the whole file.
    pub fn file_len(&self) -> u64 {
        HEADER_LEN as u64 + self.values
    }

    /// The header's bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(self.pieces as u32).to_le_bytes());
        bytes[16..20].copy_from_slice(&VALUE_LEN.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.values.to_le_bytes());
        bytes[32..64].copy_from_slice(&self.checksum);
        let own = Sha256::digest(&bytes[..SIGNED]);
        bytes[SIGNED..].copy_from_slice(&own);
        bytes
    }

    /// Reads the header of a file that begins with `bytes`.
    ///
    /// # Errors
    ///
    /// For another kind of file, another format and a damaged header; `path` is for the message.
    pub fn read(bytes: &[u8], path: &Path) -> Result<Header, TableError> {
        let damaged = |reason: String| TableError::Header { path: path.to_path_buf(), reason };
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::Foreign { path: path.to_path_buf() });
        }
        let Some(bytes) = bytes.get(..HEADER_LEN) else {
            return Err(damaged(format!("{} bytes of {HEADER_LEN}", bytes.len())));
        };
        let word =
            |at: usize| bytes[at..at + 4].iter().rev().fold(0, |word, &b| word << 8 | u32::from(b));
        if word(8) != VERSION {
            return Err(TableError::Version { path: path.to_path_buf(), found: word(8) });
        }
        if Sha256::digest(&bytes[..SIGNED])[..] != bytes[SIGNED..] {
            return Err(damaged("its own checksum does not fit".into()));
        }
        if word(16) != VALUE_LEN {
            return Err(damaged(format!("{} bytes a value; expected {VALUE_LEN}", word(16))));
        }
        let mut checksum = [0; 32];
        checksum.copy_from_slice(&bytes[32..64]);
        Ok(Header {
            pieces: word(12) as usize,
            values: u64::from(word(24)) | u64::from(word(28)) << 32,
            checksum,
        })
    }
}
