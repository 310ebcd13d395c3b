//! Builds with scratch files: the same tablebase as in memory, however often they are interrupted
//! and whatever scratch file is damaged.

use super::layers::Needs;
use super::tests::{four, indexer};
use super::{EinSteinIndexer, EinSteinSolver};
use agon_games::einstein::MissingDie;
use agon_tablebase::{
    Indexer, Monitor, Scratch, Sink, Solver, Statistics, TableHeader, TablebaseError, build,
    resume, scratch_folder,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Stops after a number of values, as if the program were killed then.
struct Stopping<'a> {
    scratch: &'a Scratch,
    values: u64,
    written: &'a AtomicU64,
}

impl Solver<EinSteinIndexer> for Stopping<'_> {
    fn solve(
        &self,
        index: &EinSteinIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let stopping = |first: u64, bytes: &[u8]| {
            if self.written.fetch_add(bytes.len() as u64 / 2, Ordering::Relaxed) >= self.values {
                return Err(TablebaseError::Interrupted);
            }
            sink(first, bytes)
        };
        EinSteinSolver { scratch: Some(self.scratch) }.solve(index, &stopping, monitor)
    }
}

/// Builds or continues until `values` values are computed; returns the result and their number.
fn build_until(
    path: &Path,
    index: &EinSteinIndexer,
    values: u64,
) -> (Result<TableHeader, TablebaseError>, u64) {
    let scratch = Scratch::open(path, Needs::of(index).disk).unwrap();
    let written = AtomicU64::new(0);
    let solver = Stopping { scratch: &scratch, values, written: &written };
    let result = resume(path, index, (&solver, &scratch), 2, &Monitor::hidden());
    (result, written.into_inner())
}

fn in_memory(folder: &Path, index: &EinSteinIndexer) -> Vec<u8> {
    let path = folder.join("memory.table");
    build(&path, index, &EinSteinSolver::default(), 2, &Monitor::hidden()).unwrap();
    fs::read(path).unwrap()
}

/// The files of values in the scratch folder.
fn value_files(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(scratch_folder(path)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "values")).collect();
    files.sort();
    files
}

/// Compares a finished build with that in memory.
fn check_finished(path: &Path, expected: &[u8]) {
    assert!(fs::read(path).unwrap() == expected, "another tablebase");
    assert!(!scratch_folder(path).exists());
}

#[test]
fn four_stones_with_scratch_files_give_the_same_file_as_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("four.table");
    let (header, written) = build_until(&path, &indexer(4), u64::MAX);
    assert_eq!((header.unwrap().checksum, written), (0xd143_4fc6, 9_920_623));
    check_finished(&path, &fs::read(four().1.file().path()).unwrap());
}

#[test]
#[ignore = "solves 436 million positions twice; .ci/long does"]
fn five_stones_with_scratch_files_give_the_same_file_as_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("five.table"), indexer(5));
    assert!(build_until(&path, &index, 300_000_000).0.is_err());
    let (header, written) = build_until(&path, &index, u64::MAX);
    assert_eq!(header.unwrap().checksum, 0xfde0_9791);
    assert!(written < 250_000_000, "{written} values were computed again");
    check_finished(&path, &in_memory(folder.path(), &index));
}

#[test]
fn an_interrupted_build_continues_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("three.table"), indexer(3));
    let expected = in_memory(folder.path(), &index);
    let mut total = 0;
    let runs = loop {
        let (result, written) = build_until(&path, &index, 12_000);
        total += written;
        match result {
            Ok(_) => break total / 12_000,
            Err(error) => assert!(matches!(error, TablebaseError::Interrupted), "{error}"),
        }
        assert!(!path.exists() && total < 1_000_000, "{total}");
    };
    // Every run computes at most one layer again, of less than 12,000 values.
    assert!((92_533..200_000).contains(&total) && runs > 5, "{total} in {runs} runs");
    check_finished(&path, &expected);
}

#[test]
fn damaged_scratch_files_are_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let index = indexer(3);
    let expected = in_memory(folder.path(), &index);
    type Damage = fn(&Path, &mut Vec<u8>);
    let damages: [Damage; 3] = [
        |_, bytes| bytes.truncate(bytes.len() / 2),
        |_, bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        },
        |path, bytes| *bytes = fs::read(path.with_file_name("1-1-9.values")).unwrap(),
    ];
    for (i, damage) in damages.into_iter().enumerate() {
        let path = folder.path().join(format!("{i}.table"));
        assert!(build_until(&path, &index, 60_000).0.is_err());
        let files = value_files(&path);
        assert!(files.iter().any(|file| file.ends_with("1-1-9.values")));
        for name in ["1-1-8", "1-2"] {
            let matching = |file: &&PathBuf| {
                file.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
            };
            let file = files.iter().rfind(matching).unwrap();
            let mut bytes = fs::read(file).unwrap();
            damage(file, &mut bytes);
            fs::remove_file(file).unwrap();
            fs::write(file, bytes).unwrap();
        }
        build_until(&path, &index, u64::MAX).0.unwrap();
        check_finished(&path, &expected);
    }
}

#[test]
fn a_torn_unfinished_tablebase_is_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("three.table"), indexer(3));
    let expected = in_memory(folder.path(), &index);
    for len in [0, 100, 160, 100_000] {
        assert!(build_until(&path, &index, 60_000).0.is_err());
        let part = scratch_folder(&path).join("values.part");
        fs::OpenOptions::new().write(true).open(part).unwrap().set_len(len).unwrap();
        let (header, written) = build_until(&path, &index, u64::MAX);
        header.unwrap();
        assert_eq!(written, index.len(), "{len}");
        check_finished(&path, &expected);
    }
}

#[test]
fn a_disk_that_is_too_small_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("six.table"), indexer(6));
    let disk = Needs::of(&index).disk;
    let refused = Scratch::open_with(&path, disk, |_| Some(25_000_000_000)).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("29.") && refused.contains("25.00 GB free"), "{refused}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // What an interrupted build has written already is not needed again.
    let (path, index) = (folder.path().join("three.table"), indexer(3));
    let disk = Needs::of(&index).disk;
    assert!(build_until(&path, &index, 60_000).0.is_err());
    assert!(Scratch::open_with(&path, disk, |_| Some(0)).is_err());
    assert!(Scratch::open_with(&path, disk, |_| Some(1_300_000)).is_ok());
    assert!(Scratch::open_with(&folder.path().join("new"), disk, |_| Some(1_300_000)).is_err());
}

#[test]
fn a_scratch_folder_serves_one_process_and_one_tablebase() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.table");
    assert!(build_until(&path, &indexer(3), 60_000).0.is_err());
    let other = EinSteinIndexer::new(3, MissingDie::Nearest).unwrap();
    for other in [other, indexer(4)] {
        let files = value_files(&path);
        let refused = build_until(&path, &other, u64::MAX).0.unwrap_err().to_string();
        assert!(refused.contains("three.table.building holds"), "{refused}");
        assert_eq!(value_files(&path), files);
    }
    let held = Scratch::open(&path, 0).unwrap();
    let refused = Scratch::open(&path, 0).unwrap_err().to_string();
    assert!(refused.contains("another process is building"), "{refused}");
    drop(held);
    build_until(&path, &indexer(3), u64::MAX).0.unwrap();
}

#[test]
fn the_monitor_interrupts_a_build_with_scratch_files() {
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("three.table"), indexer(3));
    let scratch = Scratch::open(&path, 0).unwrap();
    let stop = AtomicBool::new(true);
    let monitor = Monitor { bar: Monitor::hidden().bar, cancel: &stop };
    let solver = EinSteinSolver { scratch: Some(&scratch) };
    let result = resume(&path, &index, (&solver, &scratch), 1, &monitor);
    assert!(matches!(result, Err(TablebaseError::Interrupted)));
}
