//! The secret behind a match's chance: drawn from the system, committed to before the first game,
//! kept in a private file while the match runs, revealed in the last line of the log.

use super::source::{Chance, hexadecimal, keyed};
use agon_base::files;
use agon_matchlog::{ChanceEntry, Contribution};
use agon_wire::input_file;
use hmac::Mac;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A secret of 256 bits. It has no `Debug`, so that it is not printed by mistake.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// Error: a secret cannot be drawn, kept or read.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// A file-system error.
    #[error("secret file {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The file does not hold a secret.
    #[error("secret file {path}: expected 64 hexadecimal digits")]
    Malformed {
        /// The file.
        path: PathBuf,
    },
}

/// Where a match keeps its secret while it runs: beside the log.
pub fn secret_path(log: &Path) -> PathBuf {
    let mut path = log.as_os_str().to_os_string();
    path.push(".secret");
    path.into()
}

impl Secret {
    /// Draws a secret from the system's generator.
    pub fn draw() -> Result<Secret, SecretError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(SecretError::Random)?;
        Ok(Secret(bytes))
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Secret> {
        let text = text.trim_end();
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Secret(bytes))
    }

    /// The secret in hexadecimal, for the end of a log.
    pub fn reveal(&self) -> String {
        hexadecimal(&self.0)
    }

    /// The SHA-256 of the 32 bytes, in hexadecimal.
    pub fn commitment(&self) -> String {
        hexadecimal(&Sha256::digest(self.0))
    }

    /// The source of chance that follows from the secret and what the players contributed.
    pub fn chance(&self, contributions: &[Contribution], shared: bool) -> Chance {
        let mut mac = keyed(&self.0).chain_update("agon 1 key\n");
        for Contribution { text, .. } in contributions {
            mac.update(hexadecimal(&Sha256::digest(text)).as_bytes());
            mac.update(b"\n");
        }
        Chance::keyed(&mac.finalize().into_bytes().into(), shared)
    }

    /// The source of chance of a log with this header entry; `None` if its commitment is to another
    /// secret.
    pub fn opens(&self, entry: &ChanceEntry) -> Option<Chance> {
        let ours = entry.commitment.as_deref() == Some(&self.commitment());
        ours.then(|| self.chance(&entry.contributions, entry.shared))
    }

    /// Reads a secret file; `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<Secret>, SecretError> {
        match input_file::read_text(path, 1 << 16) {
            Ok(text) => Secret::parse(&text)
                .map(Some)
                .ok_or_else(|| SecretError::Malformed { path: path.into() }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(SecretError::Io { path: path.into(), cause }),
        }
    }

    /// Writes the secret to a file that only its owner can read, completely or not at all. With
    /// `replace` an earlier file is replaced; otherwise the secret of an earlier file is returned.
    pub fn keep(&self, path: &Path, replace: bool) -> Result<Secret, SecretError> {
        let error = |cause| SecretError::Io { path: path.into(), cause };
        // Temporary files are private to their owner, on Windows if their folder is.
        let mut file = tempfile::NamedTempFile::new_in(files::folder_of(path)).map_err(error)?;
        writeln!(file, "{}", self.reveal()).map_err(error)?;
        file.as_file().sync_all().map_err(error)?;
        if replace {
            files::replace(file, path).map_err(error)?;
        } else if file.persist_noclobber(path).is_err() {
            let missing = || error(std::io::ErrorKind::NotFound.into());
            return Secret::read(path)?.ok_or_else(missing);
        }
        Ok(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::ScheduledGame;

    #[test]
    fn two_secrets_differ_and_come_back_from_their_file() {
        let (one, other) = (Secret::draw().unwrap(), Secret::draw().unwrap());
        assert!(one != other);
        let folder = tempfile::tempdir().unwrap();
        let path = secret_path(&folder.path().join("log.jsonl"));
        assert!(path.ends_with("log.jsonl.secret"));
        assert!(Secret::read(&path).unwrap().is_none());
        assert!(one.keep(&path, false).unwrap() == one);
        assert!(other.keep(&path, false).unwrap() == one, "the first file stays");
        assert!(Secret::read(&path).unwrap() == Some(one));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(other.keep(&path, true).unwrap() == other);
        std::fs::write(&path, "short").unwrap();
        assert!(matches!(Secret::read(&path), Err(SecretError::Malformed { .. })));
    }

    /// The test vector of `referee/CHANCE.md`.
    #[test]
    fn the_construction_is_the_one_that_the_page_describes() {
        let secret = Secret(std::array::from_fn(|i| i as u8));
        assert_eq!(
            secret.commitment(),
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
        );
        let die: Vec<(String, u32)> = (1..=6).map(|n| (n.to_string(), 1)).collect();
        let job = ScheduledGame { game: 3, pair: 1, opening: 1, players: [1, 0] };
        let rolls = |shared, contributions: &[Contribution]| {
            let chance = secret.chance(contributions, shared);
            (0..10).map(|k| chance.draw(&job, k, &die).unwrap()).collect::<String>()
        };
        let contribution =
            |engine: &str, text: &str| Contribution { engine: engine.into(), text: text.into() };
        let both = [contribution("a", "heads"), contribution("b", "")];
        let board = agon_games::arbiter::game("darkchess").unwrap().open(None, &[]).unwrap();
        let deal = secret.chance(&[], true).deal(&job, &*board);
        let deal: String = deal.iter().map(|(_, piece)| piece.trim_start_matches('=')).collect();
        assert_eq!(
            [rolls(true, &[]), rolls(false, &[]), rolls(true, &both), deal],
            ["2231551351", "5113242531", "1631336562", "CPKPNNRGcgPpppprknMMmcGPRmCpgPrn"]
        );
        let entry = ChanceEntry { commitment: Some("00".into()), ..ChanceEntry::seeded() };
        assert!(secret.opens(&entry).is_none());
    }
}
