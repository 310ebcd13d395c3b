//! Nim with two heaps in both kinds of tablebases: a turn takes one or more stones from one heap,
//! and a player who cannot move loses. Values are verified against plain search, files against
//! damage.

use agon_tablebase::conformance::check_damage;
use agon_tablebase::*;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SIZE: u64 = 150;

/// Two heaps of fewer than [`SIZE`] stones: raw values in one file.
struct Heaps(u8);

impl Indexer for Heaps {
    type Position = [u64; 2];
    type Value = Dtm;
    const FORMAT: Format = Format {
        game: "nim",
        old_magic: b"AgonNimT",
        encoding: Encoding::Raw,
        rebuild: |path| format!("nim table build {}", path.display()),
    };

    fn from_parameters(parameters: &Parameters) -> Result<Heaps, String> {
        Ok(Heaps(parameters[0]))
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        parameters[0] = self.0;
        parameters
    }

    fn len(&self) -> u64 {
        SIZE * SIZE
    }

    fn index(&self, &[a, b]: &[u64; 2]) -> Option<u64> {
        (a < SIZE && b < SIZE).then_some(a * SIZE + b)
    }
}

/// The same as compressed slices, one per thousand of the first heap's size.
struct PackedHeaps(Heaps);

impl Indexer for PackedHeaps {
    type Position = [u64; 2];
    type Value = Dtm;
    const FORMAT: Format = Format { encoding: Encoding::Deflate, ..Heaps::FORMAT };

    fn from_parameters(parameters: &Parameters) -> Result<PackedHeaps, String> {
        Heaps::from_parameters(parameters).map(PackedHeaps)
    }

    fn parameters(&self) -> Parameters {
        self.0.parameters()
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn index(&self, position: &[u64; 2]) -> Option<u64> {
        self.0.index(position)
    }
}

impl Slice for PackedHeaps {
    type Key = u8;
    const EXTENSION: &'static str = "nim";

    fn key(&self) -> u8 {
        self.0.0
    }

    fn successors(key: u8) -> Vec<u8> {
        key.checked_sub(1).into_iter().collect()
    }
}

/// The value of every position, heaps in ascending order.
struct RisingHeaps;

impl RisingHeaps {
    fn values() -> Vec<u8> {
        let mut values = vec![Dtm::LOST; (SIZE * SIZE) as usize];
        for a in 0..SIZE {
            for b in 0..SIZE {
                let at = |a, b| values[(a * SIZE + b) as usize].before();
                let best = (0..a).map(|c| at(c, b)).chain((0..b).map(|c| at(a, c))).max();
                values[(a * SIZE + b) as usize] = best.unwrap_or(Dtm::LOST);
            }
        }
        values.into_iter().map(Dtm::code).collect()
    }
}

impl<I: Indexer> Solver<I> for RisingHeaps {
    fn solve(
        &self,
        _: &I,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        monitor.checkpoint()?;
        for (i, block) in RisingHeaps::values().chunks(format::BLOCK).enumerate().rev() {
            sink((i * format::BLOCK) as u64, block)?;
        }
        Ok([7; 64])
    }
}

fn build_raw(path: &Path) -> TableHeader {
    build(path, &Heaps(3), &RisingHeaps, 1, &Monitor::hidden()).expect("it builds")
}

fn build_slice(dir: &Path, key: u8) {
    let path = slice_path::<PackedHeaps>(dir, key);
    build(&path, &PackedHeaps(Heaps(key)), &RisingHeaps, 2, &Monitor::hidden()).expect("it builds");
}

/// The first player loses if the heaps are equal, and the loser delays the end.
fn expected(heaps: [u64; 2]) -> Wdl {
    if heaps[0] == heaps[1] { Wdl::Loss } else { Wdl::Win }
}

#[test]
fn both_kinds_of_files_give_the_solvers_values() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heaps.table");
    let header = build_raw(&path);
    build_slice(dir.path(), 9);
    let (raw, packed) = (
        Tablebase::<Heaps>::open(&path).unwrap(),
        Folder::<PackedHeaps>::open(dir.path()).unwrap(),
    );
    assert_eq!((raw.file().header(), header.statistics), (&header, [7; 64]));
    let positions: Vec<[u64; 2]> = (0..SIZE + 3).flat_map(|a| [[a, 5], [7, a], [a, a]]).collect();
    for position in &positions {
        let value = raw.probe(position);
        assert_eq!(value, packed.probe(&9, position));
        let inside = position.iter().all(|&heap| heap < SIZE);
        assert_eq!(value.map(Dtm::wdl), inside.then(|| expected(*position)), "{position:?}");
    }
    packed.preload().unwrap();
    assert_eq!(packed.probe(&8, &[1, 1]), None);
    let slice = packed.slices().next().unwrap();
    assert_eq!(slice.file.read_values(0, SIZE * SIZE).unwrap(), RisingHeaps::values());
    assert_eq!(
        slice.file.read_values(1, 10).unwrap(),
        RisingHeaps::values()[format::BLOCK..][..10]
    );
    assert!(slice.file.size() < raw.file().size() / 4);
}

#[test]
fn a_file_is_read_into_memory_in_steps_of_limited_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heaps.table");
    build_raw(&path);
    let table = Tablebase::<Heaps>::open(&path).unwrap();
    let warm = |limit| {
        let mut last = None;
        let done = table.warm(limit, &mut |done, total| last = Some((done, total)));
        (done.unwrap(), last)
    };
    assert_eq!(warm(Duration::ZERO), (false, None));
    assert!(!table.file().is_warm());
    let blocks = (SIZE * SIZE).div_ceil(format::BLOCK as u64) * format::BLOCK as u64;
    assert_eq!(warm(Duration::MAX), (true, Some((blocks, blocks))));
    assert!(table.file().is_warm());
    assert_eq!(warm(Duration::ZERO), (true, None), "once is enough");
    drop(table);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::remove_file(&path).unwrap();
    fs::write(&path, bytes).unwrap();
    let table = Tablebase::<Heaps>::open(&path).unwrap();
    let error = table.warm(Duration::MAX, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("the checksum of block"), "{error}");
    assert!(table.warm(Duration::MAX, &mut |_, _| {}).unwrap(), "it is reported once");
    assert_eq!(table.probe(&[1, 1]), None);
}

#[test]
fn damaged_files_are_refused_and_never_give_a_wrong_value() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heaps.table");
    build_raw(&path);
    check_damage(
        &path,
        Heaps::FORMAT.old_magic,
        |path| Tablebase::<Heaps>::open(path)?.preload(),
        |path| Ok(Tablebase::<Heaps>::open(path)?.probe(&[1, 2])),
    );
    build_slice(dir.path(), 9);
    check_damage(
        &slice_path::<PackedHeaps>(dir.path(), 9),
        Heaps::FORMAT.old_magic,
        |_| Folder::<PackedHeaps>::open(dir.path())?.preload(),
        |_| Ok(Folder::<PackedHeaps>::open(dir.path())?.probe(&9, &[1, 2])),
    );
}

#[test]
fn after_a_damaged_block_no_block_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heaps.table");
    build_raw(&path);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let tablebase = Tablebase::<Heaps>::open(&path).unwrap();
    assert!(tablebase.probe(&[0, 1]).is_some());
    assert_eq!(tablebase.probe(&[SIZE - 1, SIZE - 1]), None);
    assert_eq!(tablebase.probe(&[0, 1]), None);
    assert!(tablebase.file().read_values(0, 10).is_err());
    let error = tablebase.preload().unwrap_err().to_string();
    let rebuild = format!("`nim table build {}`", path.display());
    assert!(error.contains("block 2") && error.contains(&rebuild), "{error}");
}

#[test]
fn a_stopped_or_impossible_build_leaves_everything_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heaps.table");
    fs::write(&path, "precious").unwrap();
    let cancel = AtomicBool::new(true);
    let monitor = Monitor { cancel: &cancel, ..Monitor::hidden() };
    let attempt = |path: &Path| build(path, &Heaps(3), &RisingHeaps, 1, &monitor).unwrap_err();
    assert!(matches!(attempt(&path), TablebaseError::Interrupted));
    let nowhere = attempt(&dir.path().join("no/such/folder")).to_string();
    assert!(nowhere.contains("no/such"), "{nowhere}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    cancel.store(false, Ordering::Relaxed);
    build(&path, &Heaps(3), &RisingHeaps, 1, &monitor).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn missing_slices_come_in_the_order_of_building_and_finished_ones_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let missing = || missing_slices::<PackedHeaps>(dir.path(), &[2, 1, 2]);
    assert_eq!(missing().unwrap(), [0, 1, 2]);
    build_slice(dir.path(), 0);
    build_slice(dir.path(), 1);
    assert_eq!(missing().unwrap(), [2]);
    let path = slice_path::<PackedHeaps>(dir.path(), 1);
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(missing().unwrap(), [1, 2], "a damaged file is built again");
    fs::rename(slice_path::<PackedHeaps>(dir.path(), 0), &path).unwrap();
    let misnamed = missing().unwrap_err();
    assert!(misnamed.to_string().contains("is the slice 0, not what its name says"), "{misnamed}");
    assert!(Folder::<PackedHeaps>::open(&dir.path().join("none")).is_err());
}
