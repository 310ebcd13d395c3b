use super::format::HEADER_LEN;
use super::*;
use indicatif::ProgressBar;
use std::fs;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn build_small(path: &Path, threads: usize) -> Header {
    let cancel = AtomicBool::new(false);
    let monitor = Monitor { bar: ProgressBar::hidden(), cancel: &cancel };
    build(path, &BuildOptions { stones: 3, threads, ..BuildOptions::default() }, &monitor).unwrap()
}

fn small() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.table");
    build_small(&path, 2);
    (folder, path)
}

fn refusal(path: &Path) -> TableError {
    match Table::open(path) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

#[test]
fn one_thread_and_several_write_the_same_file() {
    let (folder, path) = small();
    let other = folder.path().join("other.table");
    let header = build_small(&other, 1);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes, fs::read(&other).unwrap());
    assert_eq!(bytes.len() as u64, header.file_len());
    let table = Table::open(&path).unwrap();
    table.check().unwrap();
    assert_eq!((table.stones(), table.header()), (3, &header));
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let (folder, path) = small();
    assert!(matches!(refusal(folder.path()), TableError::Foreign { .. }));
    let missing = refusal(&folder.path().join("none"));
    assert!(missing.to_string().contains("none: No such file"), "{missing}");
    for text in ["", "Agon", "#!/bin/sh\necho a long text that is no table at all\n"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(refusal(&path), TableError::Foreign { .. }), "{text}");
    }
}

#[test]
fn a_table_cut_short_or_grown_is_refused() {
    let (_folder, path) = small();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let message = refusal(&path).to_string();
    assert!(message.contains("185193 bytes") && message.contains("has 185194"), "{message}");
    fs::write(&path, [&bytes[..], &[0]].concat()).unwrap();
    assert!(matches!(refusal(&path), TableError::Size { .. }));
    fs::write(&path, &bytes[..HEADER_LEN - 1]).unwrap();
    assert!(matches!(refusal(&path), TableError::Header { .. }));
}

#[test]
fn every_damaged_byte_of_the_header_is_noticed() {
    let (_folder, path) = small();
    let bytes = fs::read(&path).unwrap();
    for at in 0..HEADER_LEN {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        match refusal(&path) {
            TableError::Foreign { .. } => assert!(at < 8),
            TableError::Version { .. } => assert!((8..12).contains(&at)),
            TableError::Header { .. } => assert!(at >= 12),
            other => panic!("byte {at}: {other}"),
        }
    }
}

#[test]
fn a_damaged_value_fails_the_check() {
    let (_folder, path) = small();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    let table = Table::open(&path).unwrap();
    assert!(matches!(table.check(), Err(TableError::Checksum { .. })));
}

#[test]
fn a_build_that_is_stopped_or_impossible_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.table");
    fs::write(&path, "precious").unwrap();
    let cancel = AtomicBool::new(true);
    let monitor = Monitor { bar: ProgressBar::hidden(), cancel: &cancel };
    let attempt = |stones, path: &Path| {
        build(path, &BuildOptions { stones, ..BuildOptions::default() }, &monitor).unwrap_err()
    };
    assert!(matches!(attempt(3, &path), TableError::Interrupted));
    assert!(matches!(attempt(6, &path), TableError::Stones(6)));
    assert!(matches!(attempt(1, &path), TableError::Stones(1)));
    let nowhere = attempt(3, &folder.path().join("no/such/folder"));
    assert!(nowhere.to_string().contains("no/such"), "{nowhere}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
