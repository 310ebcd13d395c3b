//! All classes in order of their number of pieces, and into the file.

use super::error::TableError;
use super::format::{HEADER_LEN, Header};
use super::index::Index;
use super::solve::{Solved, solve};
use super::{Bytes, MAX_PIECES, Table, Value};
use indicatif::ProgressBar;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::NamedTempFile;

/// Which table to build, and how.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The most pieces of a position: 2 to [`MAX_PIECES`].
    pub pieces: usize,
    /// Threads; 0 for as many as there are cores.
    pub threads: usize,
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

/// The values of all positions of fewer pieces than the class being solved.
struct Lower(Vec<u8>);

impl Solved for Lower {
    #[inline]
    fn value(&self, offset: u64) -> Value {
        Value(self.0[offset as usize])
    }
}

/// Where a class's values go: given their offset.
type Sink<'a> = &'a (dyn Fn(u64, &[u8]) -> Result<(), TableError> + Sync);

/// Builds a table and puts it at `path`, replacing what is there, all at once at the end.
///
/// Memory: the values of all but the largest positions, and 30 bytes for each position of the
/// classes that are being solved.
///
/// # Errors
///
/// If `options` are out of range, memory or disk do not suffice, or the monitor says stop; then
/// nothing is left at `path` or beside it.
pub fn build(path: &Path, options: &BuildOptions, monitor: &Monitor) -> Result<Header, TableError> {
    let pool = pool(options)?;
    let index = Index::new(options.pieces, 4, 8);
    let values = index.len();
    let mut header = Header { pieces: options.pieces, values, checksum: [0; 32] };
    let file = reserve(path, header.file_len())?;
    let writer = Mutex::new(file.reopen().map_err(TableError::io("opening", file.path()))?);
    let write = |offset: u64, bytes: &[u8]| {
        let mut writer = writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let place = SeekFrom::Start(HEADER_LEN as u64 + offset);
        let written = writer.seek(place).and_then(|_| writer.write_all(bytes));
        written.map_err(|e| write_error(path, values, e))
    };
    monitor.begin("solving", values);
    let lower = solve_lower(&index, &pool, monitor)?;
    write(0, &lower.0)?;
    level(&index, index.pieces(), &lower, &pool, monitor, &write)?;
    drop(lower);
    header.checksum = checksum(&file, monitor)?;
    let finish = || {
        let mut writer = writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        writer.seek(SeekFrom::Start(0))?;
        writer.write_all(&header.to_bytes())?;
        writer.sync_all()
    };
    finish().map_err(|e| write_error(path, values, e))?;
    monitor.checkpoint()?;
    file.persist(path).map_err(|e| TableError::io("writing", path)(e.error))?;
    Ok(header)
}

/// A table that is kept in memory, for a board of so many files and ranks, both even.
///
/// # Errors
///
/// As [`build`], the disk apart.
pub fn build_in_memory(
    options: &BuildOptions,
    (files, ranks): (u8, u8),
    monitor: &Monitor,
) -> Result<Table, TableError> {
    let pool = pool(options)?;
    let index = Index::new(options.pieces, files, ranks);
    monitor.begin("solving", index.len());
    let lower = solve_lower(&index, &pool, monitor)?;
    let all = Mutex::new(lower.0.clone());
    let keep = |offset: u64, bytes: &[u8]| {
        let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let end = offset as usize + bytes.len();
        if all.len() < end {
            all.resize(end, 0);
        }
        all[offset as usize..end].copy_from_slice(bytes);
        Ok(())
    };
    level(&index, index.pieces(), &lower, &pool, monitor, &keep)?;
    let values = all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let checksum = Sha256::digest(&values).into();
    let header = Header { pieces: options.pieces, values: values.len() as u64, checksum };
    Ok(Table { path: PathBuf::from("(memory)"), header, index, bytes: Bytes::Owned(values) })
}

fn pool(options: &BuildOptions) -> Result<ThreadPool, TableError> {
    if !(2..=MAX_PIECES).contains(&options.pieces) {
        return Err(TableError::Pieces(options.pieces));
    }
    ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|e| TableError::Threads { threads: options.threads, reason: e.to_string() })
}

/// Everything below the most pieces.
fn solve_lower(index: &Index, pool: &ThreadPool, monitor: &Monitor) -> Result<Lower, TableError> {
    let top = index.classes.iter().find(|c| usize::from(c.pieces()) == index.pieces());
    let len = top.map_or(0, |c| c.offset) as usize;
    let mut values = Vec::new();
    let memory = |_| TableError::Memory { pieces: index.pieces(), needed: len as u64 };
    values.try_reserve_exact(len).map_err(memory)?;
    values.resize(len, 0);
    let mut lower = Lower(values);
    for pieces in 2..index.pieces() {
        let solved = Mutex::new(Vec::new());
        let keep = |offset: u64, bytes: &[u8]| {
            let mut solved = solved.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            solved.push((offset as usize, bytes.to_vec()));
            Ok(())
        };
        level(index, pieces, &lower, pool, monitor, &keep)?;
        for (offset, bytes) in solved.into_inner().unwrap_or_else(|p| p.into_inner()) {
            lower.0[offset..offset + bytes.len()].copy_from_slice(&bytes);
        }
    }
    Ok(lower)
}

/// All classes of so many pieces.
fn level(
    index: &Index,
    pieces: usize,
    lower: &Lower,
    pool: &ThreadPool,
    monitor: &Monitor,
    sink: Sink,
) -> Result<(), TableError> {
    // Of a class and the same with the other side to move, the first solves both.
    let classes = (0..index.classes.len() as u32).filter(|&number| {
        let class = &index.classes[number as usize];
        usize::from(class.pieces()) == pieces && class.turned.class >= number
    });
    let classes: Vec<u32> = classes.collect();
    pool.install(|| {
        classes.par_iter().with_max_len(1).try_for_each(|&number| {
            monitor.checkpoint()?;
            for (class, values) in solve(index, number, lower)? {
                sink(index.classes[class as usize].offset, &values)?;
                monitor.bar.inc(values.len() as u64);
            }
            Ok(())
        })
    })
}

/// A new file beside `path` of the table's length.
fn reserve(path: &Path, len: u64) -> Result<NamedTempFile, TableError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".darkchess-table-").suffix(".part");
    // As any new file's, not a temporary one's: the table is for everyone whom the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder
        .tempfile_in(folder)
        .map_err(TableError::io("creating a file for the endgame table in", folder))?;
    file.as_file().set_len(len).map_err(|e| write_error(path, len, e))?;
    Ok(file)
}

fn write_error(path: &Path, needed: u64, cause: io::Error) -> TableError {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            TableError::DiskFull { path: path.into(), needed, cause }
        }
        _ => TableError::io("writing", path)(cause),
    }
}

/// SHA-256 of all values, read back from the file.
fn checksum(file: &NamedTempFile, monitor: &Monitor) -> Result<[u8; 32], TableError> {
    let io = |e| TableError::io("reading", file.path())(e);
    let mut reader: File = file.reopen().map_err(io)?;
    reader.seek(SeekFrom::Start(HEADER_LEN as u64)).map_err(io)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    loop {
        monitor.checkpoint()?;
        match reader.read(&mut chunk).map_err(io)? {
            0 => return Ok(hasher.finalize().into()),
            n => hasher.update(&chunk[..n]),
        }
    }
}
