//! Tests shared by all games: files damaged in the usual ways are rejected and never give a wrong
//! value; and a forger, whose files have other values and right checksums.

use crate::error::TablebaseError;
use crate::format::{BLOCK, ENTRY_LEN, HEADER_LEN, MAGIC, pack, unpack, word};
use crate::indexer::Encoding;
use std::fmt::Debug;
use std::path::Path;

/// Damages a good file in many ways. `preload` opens and fully checks a file; `probe` opens it and
/// probes a position that it contains. The file is restored at the end.
///
/// # Panics
///
/// `preload` accepts a damaged file, or `probe` gets another value from it than from the good file.
pub fn check_damage<V: PartialEq + Debug>(
    path: &Path,
    old_magic: &[u8],
    preload: impl Fn(&Path) -> Result<(), TablebaseError>,
    probe: impl Fn(&Path) -> Result<Option<V>, TablebaseError>,
) {
    let read = |path| std::fs::read(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let write = |bytes: &[u8]| {
        // Write a new file, since the old one may still be mapped.
        let removed = std::fs::remove_file(path);
        removed.and_then(|()| std::fs::write(path, bytes)).unwrap_or_else(|e| panic!("{e}"));
    };
    let good = read(path);
    let expected = probe(path).unwrap_or_else(|e| panic!("the good file: {e}"));
    assert!(expected.is_some(), "the good file does not hold the position");
    preload(path).unwrap_or_else(|e| panic!("the good file: {e}"));
    for (damage, bytes) in damaged(&good, old_magic) {
        write(&bytes);
        let refused = preload(path);
        assert!(refused.is_err(), "{damage}: the file was accepted");
        if let Err(error) = refused {
            check_message(&damage, &error);
        }
        if let Ok(Some(value)) = probe(path) {
            let elsewhere = damage.contains("one byte") && expected.as_ref() == Some(&value);
            assert!(elsewhere, "{damage}: the file gave {value:?}, not {expected:?}");
        }
    }
    write(&good);
}

/// The code of a distance to the end with won and lost exchanged; the distance differs by one.
pub fn inverted(code: u8) -> u8 {
    match code {
        0 | 255 => code,
        _ if code.is_multiple_of(2) => code + 1,
        _ => (code - 1).max(2),
    }
}

/// Changes the values of a file and makes all checksums right again, as somebody who wants to deceive would.
/// `change` gets the bytes of each block, unpacked.
///
/// # Panics
///
/// The file is no tablebase, or cannot be written.
pub fn forge(path: &Path, change: impl Fn(&mut [u8])) {
    let old = std::fs::read(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let number = |at: usize| word(&old, at) as usize;
    let encoding = if old[44] == 0 { Encoding::Raw } else { Encoding::Deflate };
    let unpacked = number(32) * (number(12) & 0xff);
    let blocks = unpacked.div_ceil(BLOCK);
    let data = HEADER_LEN + blocks * ENTRY_LEN;
    let (mut directory, mut stored, mut begin) = (Vec::new(), Vec::new(), 0);
    for block in 0..blocks {
        let end = number(HEADER_LEN + block * ENTRY_LEN);
        let mut values = vec![0; BLOCK.min(unpacked - block * BLOCK)];
        assert!(unpack(encoding, &old[data + begin..data + end], &mut values), "block {block}");
        begin = end;
        change(&mut values);
        let packed = pack(encoding, &values);
        stored.extend_from_slice(&packed);
        directory.extend((stored.len() as u64).to_le_bytes());
        directory.extend(crc32fast::hash(&packed).to_le_bytes());
    }
    let mut header = old[..HEADER_LEN].to_vec();
    header[128..132].copy_from_slice(&crc32fast::hash(&directory).to_le_bytes());
    let sum = crc32fast::hash(&header[..HEADER_LEN - 4]);
    header[HEADER_LEN - 4..].copy_from_slice(&sum.to_le_bytes());
    let written = std::fs::remove_file(path)
        .and_then(|()| std::fs::write(path, [header, directory, stored].concat()));
    written.unwrap_or_else(|e| panic!("{path:?}: {e}"));
}

fn check_message(damage: &str, error: &TablebaseError) {
    let text = error.to_string();
    match damage {
        "version" => assert!(matches!(error, TablebaseError::Version { found: 9, .. }), "{text}"),
        "older format" => assert!(text.contains("rebuild it with `"), "{text}"),
        "another game" => assert!(text.contains("a tablebase of gomoku, not a"), "{text}"),
        "text" | "empty" => assert!(matches!(error, TablebaseError::Foreign { .. }), "{text}"),
        _ => {}
    }
}

fn damaged(good: &[u8], old_magic: &[u8]) -> Vec<(String, Vec<u8>)> {
    let changed = |at: usize, bytes: &[u8]| {
        let mut copy = good.to_vec();
        copy[at..at + bytes.len()].copy_from_slice(bytes);
        copy
    };
    let signed = |mut bytes: Vec<u8>| {
        let sum = crc32fast::hash(&bytes[..HEADER_LEN - 4]);
        bytes[HEADER_LEN - 4..HEADER_LEN].copy_from_slice(&sum.to_le_bytes());
        bytes
    };
    let unpacked = word(good, 32) * (word(good, 12) & 0xff);
    let data = HEADER_LEN + unpacked.div_ceil(BLOCK as u64) as usize * ENTRY_LEN;
    let mut inverted = good.to_vec();
    inverted[data..].iter_mut().for_each(|byte| *byte = !*byte);
    let mut all = vec![
        ("every value byte inverted".to_string(), inverted),
        ("last byte missing".into(), good[..good.len() - 1].to_vec()),
        ("cut in the directory".into(), good[..data - 1].to_vec()),
        ("cut in the header".into(), good[..HEADER_LEN - 1].to_vec()),
        ("a byte too many".into(), [good, &[0]].concat()),
        ("version".into(), signed(changed(8, &[9]))),
        ("another game".into(), signed(changed(16, b"gomoku\0"))),
        ("older format".into(), changed(0, &[old_magic, &[1, 0, 0, 0]].concat())),
        ("text".into(), b"#!/bin/sh\n# no tablebase\n".to_vec()),
        ("empty".into(), Vec::new()),
    ];
    let step = ((good.len() - data) / 16).max(1);
    let places = (MAGIC.len()..data.min(HEADER_LEN + 64)).chain((data..good.len()).step_by(step));
    for at in places.chain([data - 1, good.len() - 1]) {
        all.push((format!("one byte at {at} of {}", good.len()), changed(at, &[good[at] ^ 0x10])));
    }
    all
}
