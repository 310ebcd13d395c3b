//! SHA-256 of files and texts, in hexadecimal.

use agon_wire::input_file;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

/// The SHA-256 of a regular file, in hexadecimal; of its beginning if it grows meanwhile.
pub fn hash_file(path: &Path) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let file = input_file::open(path)?;
    let size = file.metadata()?.len();
    let mut file = file.take(size);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            n => hasher.update(&chunk[..n]),
        }
    }
    Ok(hexadecimal(&hasher.finalize()))
}

/// The SHA-256 of a text, in hexadecimal.
pub fn hash_text(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
