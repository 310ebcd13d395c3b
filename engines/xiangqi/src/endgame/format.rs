//! The table file of one set: 128 bytes of header, a directory of blocks, the blocks. Numbers are
//! little-endian.
//!
//! | bytes    | what                                                                          |
//! |----------|-------------------------------------------------------------------------------|
//! | 0..8     | `AgonXqET`                                                                    |
//! | 8..12    | format, 1                                                                     |
//! | 12..16   | codes a block                                                                 |
//! | 16..24   | the attacker's rooks, horses, cannons, pawns, advisors, elephants; the defender's advisors, elephants |
//! | 24..32   | codes with one side to move                                                   |
//! | 32..64   | SHA-256 of all that follows the header                                        |
//! | 64..96   | attacker to move: legal positions, won ones; defender to move: legal, lost    |
//! | 96..98   | the greatest code with the attacker and with the defender to move             |
//! | 98..104  | 0                                                                             |
//! | 104..112 | positions that the defender wins, with the attacker, with the defender to move |
//! | 112..128 | the first 16 bytes of the SHA-256 of the 112 bytes above                      |
//!
//! The blocks with the attacker to move come first, then as many with the defender to move. The
//! directory has for each block the end of its data after the directory (64 bits), then for each
//! block a checksum of its codes (32 bits). A block of one code throughout is that byte; any other
//! is a raw deflate stream of one byte a position in the order of [`super::layout`]: 0 for a draw,
//! otherwise 1 more than the plies to mate. Illegal positions have whatever packs well.

use super::error::TableError;
use super::set::EndgameSet;
use super::solve::wins;
use agon_protocol::hash::mix;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use sha2::{Digest, Sha256};
use std::path::Path;

/// How a table file begins.
pub const MAGIC: &[u8; 8] = b"AgonXqET";
/// The format that this program writes and reads.
pub const VERSION: u32 = 1;
/// The header's size in bytes.
pub const HEADER_LEN: usize = 128;
/// The longest mate that a code can express.
pub const MAX_PLIES: u32 = 252;
/// What a table's file name ends in.
pub const EXTENSION: &str = "xqt";
/// Codes a block: small enough to unpack for one of them, large enough to pack well.
pub const BLOCK: usize = 8192;
/// Bytes of the directory a block.
pub const DIRECTORY_ENTRY: usize = 12;

const SIGNED: usize = 112;
/// The packer's level: higher ones gain a hundredth for twice the time.
const LEVEL: u8 = 6;

/// What is known of the positions with one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Legal positions.
    pub legal: u64,
    /// Those that the attacker wins.
    pub decided: u64,
    /// Those that the defender wins, which are few: at most 2^32 - 1 are counted.
    pub upsets: u32,
    /// The greatest code of those that the attacker wins, and the number of the first of them.
    pub longest: (u8, u64),
}

impl Tally {
    /// Counts a legal position; `attacker` says whether the attacker is to move in it.
    pub fn add(&mut self, code: u8, number: u64, attacker: bool) {
        self.legal += 1;
        if code != 0 && wins(code) != attacker {
            self.upsets = self.upsets.saturating_add(1);
            return;
        }
        self.decided += u64::from(code != 0);
        if code > self.longest.0 {
            self.longest = (code, number);
        }
    }

    /// Both tallies together; the other one's positions come later.
    pub fn join(mut self, other: Tally) -> Tally {
        self.legal += other.legal;
        self.decided += other.decided;
        self.upsets = self.upsets.saturating_add(other.upsets);
        if other.longest.0 > self.longest.0 {
            self.longest = other.longest;
        }
        self
    }
}

/// What a table file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Whose table it is.
    pub set: EndgameSet,
    /// Codes with one side to move.
    pub len: u64,
    /// SHA-256 of all that follows the header.
    pub checksum: [u8; 32],
    /// With the attacker and with the defender to move; where the longest mate is, is not kept.
    pub tallies: [Tally; 2],
}

impl Header {
    /// Blocks of one side to move.
    pub fn blocks(&self) -> usize {
        self.len.div_ceil(BLOCK as u64) as usize
    }

    /// Codes of a block.
    pub fn block_len(&self, block: usize) -> usize {
        (self.len - (block * BLOCK) as u64).min(BLOCK as u64) as usize
    }

    /// The header's bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(BLOCK as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.set.counts());
        bytes[24..32].copy_from_slice(&self.len.to_le_bytes());
        bytes[32..64].copy_from_slice(&self.checksum);
        for (side, tally) in self.tallies.iter().enumerate() {
            let at = 64 + 16 * side;
            bytes[at..at + 8].copy_from_slice(&tally.legal.to_le_bytes());
            bytes[at + 8..at + 16].copy_from_slice(&tally.decided.to_le_bytes());
            bytes[96 + side] = tally.longest.0;
            let at = 104 + 4 * side;
            bytes[at..at + 4].copy_from_slice(&tally.upsets.to_le_bytes());
        }
        let own = Sha256::digest(&bytes[..SIGNED]);
        bytes[SIGNED..].copy_from_slice(&own[..HEADER_LEN - SIGNED]);
        bytes
    }

    /// Reads the header of a file that begins with `bytes`.
    ///
    /// # Errors
    ///
    /// For another kind of file, another format and a damaged header; `path` is for the message.
    pub fn read(bytes: &[u8], path: &Path) -> Result<Header, TableError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::Foreign { path: path.to_path_buf() });
        }
        let Some(bytes) = bytes.get(..HEADER_LEN) else {
            let reason = format!("{} bytes, and the header alone has {HEADER_LEN}", bytes.len());
            return Err(TableError::damaged(path, reason));
        };
        let found = word(bytes, 8) as u32;
        if found != VERSION {
            return Err(TableError::Version { path: path.to_path_buf(), found });
        }
        if Sha256::digest(&bytes[..SIGNED])[..HEADER_LEN - SIGNED] != bytes[SIGNED..] {
            return Err(TableError::damaged(path, "its header's checksum does not fit"));
        }
        let mut counts = [0; 8];
        counts.copy_from_slice(&bytes[16..24]);
        let set = EndgameSet::from_counts(counts)
            .ok_or_else(|| TableError::damaged(path, "its header names no endgame set"))?;
        if word(bytes, 12) as u32 as usize != BLOCK {
            return Err(TableError::damaged(path, format!("its blocks are not of {BLOCK} codes")));
        }
        let mut checksum = [0; 32];
        checksum.copy_from_slice(&bytes[32..64]);
        let tally = |side: usize| Tally {
            legal: word(bytes, 64 + 16 * side),
            decided: word(bytes, 72 + 16 * side),
            upsets: word(bytes, 104 + 4 * side) as u32,
            longest: (bytes[96 + side], 0),
        };
        Ok(Header { set, len: word(bytes, 24), checksum, tallies: [tally(0), tally(1)] })
    }
}

/// The 64 bits at a place; missing bytes are 0.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).unwrap_or_default();
    bytes.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The checksum of a block's codes.
pub fn block_sum(codes: &[u8]) -> u32 {
    let words = codes.chunks(8).map(|chunk| word(chunk, 0));
    (words.fold(codes.len() as u64, |sum, word| mix(sum ^ word)) >> 32) as u32
}

/// A block's codes, packed.
pub fn pack(codes: &[u8]) -> Vec<u8> {
    match codes.first() {
        Some(first) if codes.iter().all(|code| code == first) => vec![*first],
        _ => compress_to_vec(codes, LEVEL),
    }
}

/// Unpacks a block into `codes`, which is as long as the block; whether that went well.
pub fn unpack(packed: &[u8], sum: u32, codes: &mut [u8]) -> bool {
    if let [code] = packed {
        codes.fill(*code);
    } else {
        let unpacked = decompress_slice_iter_to_slice(codes, [packed].into_iter(), false, true);
        if unpacked != Ok(codes.len()) {
            return false;
        }
    }
    block_sum(codes) == sum
}
