//! The file of a trained network.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `AGONEWN1` |
//! | 4 | 0 if missing numbers move the `next` stones, 1 for `nearest` |
//! | 4 | 24, the number of tuples |
//! | 8 | games of random self-play |
//! | 8 | their seed |
//! | 8 | patterns that follow |
//! | 8 | bytes that they take |
//! | | for each pattern with visits, in order of its index `tuple * 13^6 + pattern`: the difference to the previous index, its visits and its wins, each as 7 bits per byte, lowest first, the top bit set on all but the last |
//! | 8 | a checksum of everything before: see [`checksum`] |

use super::counts::Counts;
use super::network::NTuple;
use super::patterns::{ENTRIES, TUPLES};
use agon_games::einstein::MissingDie;
use agon_games::hash::mix;
use agon_wire::input_file;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The maximum size of a file, above that of a network with visits of all patterns.
pub const MAX_BYTES: u64 = 2 << 30;
const MAGIC: &[u8; 8] = b"AGONEWN1";
const HEADER: usize = 48;

/// An error in reading or writing a network.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The file is not a network, or is damaged.
    #[error("{path}: {reason}")]
    Bad {
        /// The file.
        path: String,
        /// The mismatch, and the expected content.
        reason: String,
    },
}

/// 64 bits over 8-byte words, the last one padded with zeros: every word is XORed in and mixed (the
/// SplitMix64 finaliser), the length last.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash ^ u64::from_le_bytes(word));
    }
    mix(hash ^ bytes.len() as u64)
}

fn push_number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        bytes.push(n as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Writes a network to a temporary file and renames it, so that the path always holds a complete
/// one. Returns the number of bytes written.
pub fn save(counts: &Counts, path: &Path) -> Result<u64, FileError> {
    let io = |error| FileError::Io { path: path.display().to_string(), error };
    let mut bytes = vec![0; HEADER];
    let (mut last, mut entries) = (0, 0u64);
    for (index, &[wins, visits]) in counts.table().iter().enumerate() {
        if visits > 0 {
            push_number(&mut bytes, (index - last) as u64);
            push_number(&mut bytes, visits.into());
            push_number(&mut bytes, wins.into());
            last = index;
            entries += 1;
        }
    }
    let payload = (bytes.len() - HEADER) as u64;
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&(counts.rule as u32).to_le_bytes());
    bytes[12..16].copy_from_slice(&(TUPLES as u32).to_le_bytes());
    for (i, n) in [counts.games, counts.seed, entries, payload].into_iter().enumerate() {
        bytes[16 + 8 * i..24 + 8 * i].copy_from_slice(&n.to_le_bytes());
    }
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    let aside = path.with_extension("partial");
    let mut file = fs::File::create(&aside).map_err(io)?;
    file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(io)?;
    fs::rename(&aside, path).map_err(io)?;
    Ok(bytes.len() as u64)
}

/// The verified contents of a file.
struct Contents {
    bytes: Vec<u8>,
    rule: MissingDie,
    games: u64,
    seed: u64,
    entries: u64,
}

/// Reads the bytes of a file.
fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let named = |error| FileError::Io { path: path.display().to_string(), error };
    input_file::read(path, MAX_BYTES).map_err(named)
}

fn verified(mut bytes: Vec<u8>) -> Result<Contents, String> {
    let bad = |reason: &str| reason.to_string();
    if !bytes.starts_with(MAGIC) {
        return Err(bad("not an n-tuple network: expected a file written by `lab einstein train`"));
    }
    if bytes.len() < HEADER + 8 {
        return Err(bad("cut short within the header; train it anew or copy it again"));
    }
    let number = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(word)
    };
    let (games, seed, entries, payload) = (number(16), number(24), number(32), number(40));
    let whole = payload.checked_add(HEADER as u64 + 8);
    if whole != Some(bytes.len() as u64) {
        let found = bytes.len();
        return Err(bad(&format!(
            "{found} bytes, but the header says {payload} and 56 around them"
        )));
    }
    if number(bytes.len() - 8) != checksum(&bytes[..bytes.len() - 8]) {
        return Err(bad("damaged: the checksum does not fit; train it anew or copy it again"));
    }
    let rule = match (number(8) as u32, number(8) >> 32) {
        (0, 24) => MissingDie::Next,
        (1, 24) => MissingDie::Nearest,
        _ => return Err(bad("made by another version: expected 24 tuples and a known rule")),
    };
    bytes.truncate(bytes.len() - 8);
    bytes.drain(..HEADER);
    Ok(Contents { bytes, rule, games, seed, entries })
}

/// Calls `each` with index, wins and visits of every pattern.
fn decode(contents: &Contents, mut each: impl FnMut(usize, u64, u64)) -> Option<()> {
    let mut rest = contents.bytes.iter();
    let mut next = || {
        let (mut n, mut shift) = (0u64, 0);
        loop {
            let byte = *rest.next()?;
            n |= u64::from(byte & 127).checked_shl(shift)?;
            if byte < 128 {
                return Some(n);
            }
            shift += 7;
        }
    };
    let mut index = 0usize;
    for _ in 0..contents.entries {
        index = index.checked_add(next()? as usize)?;
        let (visits, wins) = (next()?, next()?);
        if index >= ENTRIES || visits == 0 || wins > visits || visits > u64::from(u32::MAX) {
            return None;
        }
        each(index, wins, visits);
    }
    Some(())
}

const INCONSISTENT: &str = "inconsistent contents; train it anew";

/// Makes a network for playing of the content of a file.
///
/// # Errors
/// The bytes are no network, or they are damaged.
pub fn parse(bytes: Vec<u8>) -> Result<NTuple, String> {
    let contents = verified(bytes)?;
    let mut net = NTuple::blank(contents.games, contents.seed);
    decode(&contents, |index, wins, visits| net.set(index, wins, visits)).ok_or(INCONSISTENT)?;
    Ok(net)
}

/// Reads a network for playing.
pub fn load(path: &Path) -> Result<NTuple, FileError> {
    parse(read(path)?).map_err(|reason| FileError::Bad { path: path.display().to_string(), reason })
}

/// Reads the counts, to continue training.
pub fn load_counts(path: &Path) -> Result<Counts, FileError> {
    let bad = |reason| FileError::Bad { path: path.display().to_string(), reason };
    let contents = verified(read(path)?).map_err(bad)?;
    let mut counts = Counts::new(contents.rule, contents.seed);
    counts.games = contents.games;
    decode(&contents, |index, wins, visits| {
        counts.table_mut()[index] = [wins as u32, visits as u32];
    })
    .ok_or_else(|| bad(INCONSISTENT.into()))?;
    Ok(counts)
}
