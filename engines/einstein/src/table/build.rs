//! All values in order, and into the file.
//!
//! A move brings its stone one or two steps (rows plus columns) nearer to its goal and may take a
//! stone, so positions are solved by number of stones, then by the sum of all distances: within
//! one such layer no block leads to another, and threads share them out.

use super::block::{ONE, Solver};
use super::error::TableError;
use super::format::{HEADER_LEN, Header, VALUE_LEN};
use super::index::{Block, Index, members};
use super::{MAX_STONES, Value};
use agon_protocol::einstein::{MissingDie, SIDE};
use indicatif::ProgressBar;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tempfile::NamedTempFile;

/// Which table to build, and how.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The most stones of a position: 2 to [`MAX_STONES`].
    pub stones: usize,
    /// The rule about missing numbers.
    pub rule: MissingDie,
    /// Threads; 0 for as many as there are cores.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { stones: MAX_STONES, rule: MissingDie::Next, threads: 0 }
    }
}

/// How a long job tells of itself and is stopped.
pub struct Monitor<'a> {
    /// Length and position are set; what it draws, if anything, is the caller's choice.
    pub bar: ProgressBar,
    /// Set by anyone to stop the job.
    pub cancel: &'a AtomicBool,
}

impl Monitor<'_> {
    /// An error if the job is to stop.
    pub(super) fn checkpoint(&self) -> Result<(), TableError> {
        if self.cancel.load(Ordering::Relaxed) { Err(TableError::Interrupted) } else { Ok(()) }
    }

    pub(super) fn begin(&self, message: &'static str, length: u64) {
        self.bar.reset();
        self.bar.set_length(length);
        self.bar.set_message(message);
    }
}

/// Blocks that a thread solves between two looks at the monitor.
const BATCH: usize = 32;
/// Values that are converted and written at a time.
const CHUNK: usize = 1 << 20;

/// Builds a table and puts it at `path`, replacing what is there, all at once at the end.
///
/// 5 stones take 1.8 GB of memory and 0.87 GB on the disk.
///
/// # Errors
///
/// If `options` are out of range, memory or disk do not suffice, or the monitor says stop; then
/// nothing is left at `path` or beside it.
pub fn build(path: &Path, options: &BuildOptions, monitor: &Monitor) -> Result<Header, TableError> {
    let stones = options.stones;
    if !(2..=MAX_STONES).contains(&stones) {
        return Err(TableError::Stones(stones));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|e| TableError::Threads { threads: options.threads, reason: e.to_string() })?;
    let index = Index::new(stones);
    let mut header =
        Header { stones, rule: options.rule, values: index.len() as u64, checksum: [0; 32] };
    let mut file = reserve(path, header.file_len())?;
    let values = solve(&index, options.rule, &pool, monitor)?;
    header.checksum = write_values(path, file.as_file_mut(), &values, &header, monitor)?;
    drop(values);
    let mut finish = || {
        file.as_file_mut().seek(SeekFrom::Start(0))?;
        file.as_file_mut().write_all(&header.to_bytes())?;
        file.as_file_mut().sync_all()
    };
    finish().map_err(|e| write_error(path, &header, e))?;
    monitor.checkpoint()?;
    forget_pages(file.as_file());
    file.persist(path).map_err(|e| TableError::io("writing", path)(e.error))?;
    Ok(header)
}

/// A new file beside `path`, with room for the table where the system can promise it.
fn reserve(path: &Path, len: u64) -> Result<NamedTempFile, TableError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".einstein-table-").suffix(".part");
    // As any new file's, not a temporary one's: the table is for everyone whom the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder
        .tempfile_in(folder)
        .map_err(TableError::io("creating a file for the endgame table in", folder))?;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        if let Err(rustix::io::Errno::NOSPC | rustix::io::Errno::FBIG) =
            fallocate(file.as_file(), FallocateFlags::empty(), 0, len)
        {
            let cause = io::Error::from(rustix::io::Errno::NOSPC);
            return Err(TableError::DiskFull { path: path.into(), needed: len, cause });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = len;
    Ok(file)
}

/// Lets the system drop the pages that were written, which are small ones, so that readers of the
/// table get large ones.
fn forget_pages(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

fn write_error(path: &Path, header: &Header, cause: io::Error) -> TableError {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            TableError::DiskFull { path: path.into(), needed: header.file_len(), cause }
        }
        _ => TableError::io("writing", path)(cause),
    }
}

/// The values of all positions, in units of `1 / ONE`.
fn solve(
    index: &Index,
    rule: MissingDie,
    pool: &ThreadPool,
    monitor: &Monitor,
) -> Result<Vec<AtomicU32>, TableError> {
    let mut values = Vec::new();
    values.try_reserve_exact(index.len()).map_err(|_| TableError::Memory {
        stones: index.stones(),
        needed: index.len() as u64 * size_of::<AtomicU32>() as u64,
    })?;
    values.resize_with(index.len(), AtomicU32::default);
    monitor.begin("solving", index.len() as u64);
    for stones in 2..=index.stones() {
        for layer in layers(index, stones) {
            pool.install(|| {
                layer.par_chunks(BATCH).try_for_each_init(
                    || Solver::new(index, &values, rule),
                    |solver, blocks| {
                        let mut solved = 0;
                        for block in blocks {
                            solved += solver.solve(block);
                        }
                        monitor.bar.inc(solved as u64);
                        monitor.checkpoint()
                    },
                )
            })?;
        }
    }
    Ok(values)
}

/// The blocks of so many stones by sum of distances, nearest first.
fn layers(index: &Index, stones: usize) -> Vec<Vec<Block>> {
    let mut layers = Vec::new();
    for movers in 1..stones {
        for block in index.blocks(movers, stones - movers) {
            let distance = distance(&block);
            if layers.len() <= distance {
                layers.resize_with(distance + 1, Vec::new);
            }
            layers[distance].push(block);
        }
    }
    layers
}

/// Steps along rows and columns that all stones together have to their goals.
fn distance(block: &Block) -> usize {
    let from_top_left = |square: u8| usize::from(square) / SIDE + usize::from(square) % SIDE;
    let movers: usize = members(block.mover).map(|s| 2 * (SIDE - 1) - from_top_left(s)).sum();
    let opponents: usize = members(block.opponent).map(from_top_left).sum();
    movers + opponents
}

/// Writes all values after an empty header; returns their checksum.
fn write_values(
    path: &Path,
    file: &mut File,
    values: &[AtomicU32],
    header: &Header,
    monitor: &Monitor,
) -> Result<[u8; 32], TableError> {
    monitor.begin("writing", values.len() as u64);
    let mut hasher = Sha256::new();
    let mut bytes = Vec::with_capacity(CHUNK * VALUE_LEN);
    file.write_all(&[0; HEADER_LEN]).map_err(|e| write_error(path, header, e))?;
    for chunk in values.chunks(CHUNK) {
        monitor.checkpoint()?;
        bytes.clear();
        for value in chunk {
            bytes.extend_from_slice(&round(value.load(Ordering::Relaxed)).0.to_le_bytes());
        }
        hasher.update(&bytes);
        file.write_all(&bytes).map_err(|e| write_error(path, header, e))?;
        monitor.bar.inc(chunk.len() as u64);
    }
    let mut checksum = [0; 32];
    checksum.copy_from_slice(&hasher.finalize());
    Ok(checksum)
}

/// To the nearest stored value: `ONE` is 65535 times 65537.
fn round(value: u32) -> Value {
    const UNIT: u64 = ONE as u64 / u16::MAX as u64;
    Value(((u64::from(value) + UNIT / 2) / UNIT) as u16)
}
