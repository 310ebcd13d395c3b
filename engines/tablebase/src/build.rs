//! Builds a tablebase file: writes the solver's values block by block, under a temporary name. The file
//! is renamed once it is complete.

use crate::error::TablebaseError;
use crate::format::{BLOCK, ENTRY_LEN, HEADER_LEN, STATISTICS, TableHeader, pack};
use crate::indexer::{Encoding, Format, Indexer, Monitor, Solver, Statistics};
use crate::scratch::Scratch;
use fs4::FileExt;
use memmap2::Mmap;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};
use tempfile::TempPath;

/// Solves all positions and writes the file to `path`, replacing an existing file at the very end.
/// `threads` 0 uses all cores.
///
/// # Errors
///
/// The solver fails, memory or disk space runs out, or the monitor stops the job. Then `path` is
/// unchanged and no temporary file remains.
pub fn build<I: Indexer, S: Solver<I>>(
    path: &Path,
    indexer: &I,
    solver: &S,
    threads: usize,
    monitor: &Monitor<'_>,
) -> Result<TableHeader, TablebaseError> {
    in_pool(threads, || {
        let writer = Writer::create(path, indexer)?;
        fill(writer, indexer, solver, monitor)
    })
}

/// As [`build`], with the unfinished file in a scratch folder, where an interrupted build leaves it.
/// The solver decides which values the unfinished file has already. At the end the folder is
/// removed.
///
/// # Errors
///
/// As [`build`], but the scratch folder remains, and the same build continues; or the folder belongs
/// to another tablebase.
pub fn resume<I: Indexer, S: Solver<I>>(
    path: &Path,
    indexer: &I,
    (solver, scratch): (&S, &Scratch),
    threads: usize,
    monitor: &Monitor<'_>,
) -> Result<TableHeader, TablebaseError> {
    let header = in_pool(threads, || {
        let writer = Writer::resume(path, indexer, scratch)?;
        fill(writer, indexer, solver, monitor)
    })?;
    scratch.finish()?;
    Ok(header)
}

fn in_pool<T: Send>(
    threads: usize,
    job: impl FnOnce() -> Result<T, TablebaseError> + Send,
) -> Result<T, TablebaseError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|e| TablebaseError::Refused(format!("starting {threads} threads: {e}")))?;
    pool.install(job)
}

fn fill<I: Indexer, S: Solver<I>>(
    writer: Writer,
    indexer: &I,
    solver: &S,
    monitor: &Monitor<'_>,
) -> Result<TableHeader, TablebaseError> {
    let sink = |first: u64, bytes: &[u8]| writer.write(first, bytes);
    let statistics = solver.solve(indexer, &sink, monitor)?;
    monitor.checkpoint()?;
    writer.finish(statistics)
}

/// The name of a file before it is complete.
enum Unfinished {
    /// Removed if the build fails.
    Temporary(TempPath),
    /// Kept in a scratch folder, for a build that continues.
    Kept(PathBuf),
}

/// The name of a temporary file is `.GAME-tablebase-` and random characters, with this end.
const INFIX: &str = "-tablebase-";
const SUFFIX: &str = ".part";

/// Removes the temporary files in a folder whose programs have been killed: those that no program has
/// locked. Errors are ignored, as others may remove them at the same time.
pub(crate) fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with('.') || !name.contains(INFIX) || !name.ends_with(SUFFIX) {
            continue;
        }
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let file = is_file.then(|| File::open(entry.path()));
        if file.is_some_and(|file| file.is_ok_and(|file| file.try_lock().is_ok())) {
            log::info!("removing {}, an abandoned build", entry.path().display());
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file being written. If dropped before [`Writer::finish`], it leaves nothing behind but what is
/// in a scratch folder.
pub(crate) struct Writer {
    path: PathBuf,
    format: Format,
    header: TableHeader,
    name: Unfinished,
    file: Mutex<File>,
    /// The stored bytes of each block, for [`Encoding::Deflate`].
    packed: Mutex<BTreeMap<usize, Vec<u8>>>,
}

impl Writer {
    /// Creates a file next to `path`, with space reserved for raw values where the system can.
    pub(crate) fn create<I: Indexer>(path: &Path, indexer: &I) -> Result<Writer, TablebaseError> {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let prefix = format!(".{}{INFIX}", I::FORMAT.game);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        // With the default permissions: everyone whom the umask allows may read the tablebase.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder
            .tempfile_in(folder)
            .map_err(TablebaseError::io("creating a file in", folder))?;
        let (file, name) = file.into_parts();
        // As long as the file is open, it is in use: see `remove_abandoned`.
        let _ = file.try_lock();
        let writer = Writer::new(path, indexer, Unfinished::Temporary(name), file);
        if writer.format.encoding == Encoding::Raw {
            writer.reserve().map_err(|e| writer.error(e))?;
        }
        Ok(writer)
    }

    /// Opens the file that an earlier build left in a scratch folder, or creates it and removes the
    /// folder's other files.
    pub(crate) fn resume<I: Indexer>(
        path: &Path,
        indexer: &I,
        scratch: &Scratch,
    ) -> Result<Writer, TablebaseError> {
        const { assert!(matches!(I::FORMAT.encoding, Encoding::Raw), "values are written in place") };
        let name = scratch.output();
        let opened =
            File::options().read(true).write(true).create(true).truncate(false).open(&name);
        let mut file = opened.map_err(TablebaseError::io("opening", &name))?;
        let expected = TableHeader::new(indexer).to_bytes(&I::FORMAT);
        let mut found = Vec::new();
        let read = Read::by_ref(&mut file).take(expected.len() as u64).read_to_end(&mut found);
        read.map_err(TablebaseError::io("reading", &name))?;
        // The rest of the header changes when the file is finished.
        let same = found.len() == expected.len() && found[..STATISTICS] == expected[..STATISTICS];
        if found.len() == expected.len() && !same && found.iter().any(|&b| b != 0) {
            let folder = name.parent().unwrap_or(path).display();
            return Err(TablebaseError::Refused(format!(
                "{folder} holds the unfinished build of another tablebase: finish that one first, \
                 or remove the folder"
            )));
        }
        let len = file.metadata().map_err(TablebaseError::io("reading", &name))?.len();
        let writer = Writer::new(path, indexer, Unfinished::Kept(name), file);
        if !same || len != writer.file_len() {
            scratch.clear()?;
            let start = || {
                writer.reserve()?;
                writer.write_at(0, &expected)
            };
            start().map_err(|e| writer.error(e))?;
            scratch.sync_output()?;
        }
        Ok(writer)
    }

    fn new<I: Indexer>(path: &Path, indexer: &I, name: Unfinished, file: File) -> Writer {
        let (format, path, header) = (I::FORMAT, path.to_path_buf(), TableHeader::new(indexer));
        Writer { path, format, header, name, file: Mutex::new(file), packed: Mutex::default() }
    }

    fn file_len(&self) -> u64 {
        self.header.data_start() as u64 + self.header.unpacked_len()
    }

    fn reserve(&self) -> io::Result<()> {
        let file = self.file();
        match file.allocate(self.file_len()) {
            Err(e) if matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::FileTooLarge) => {
                Err(e)
            }
            // Other errors say that the file system cannot reserve space.
            _ => file.set_len(self.file_len()),
        }
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, cause: io::Error) -> TablebaseError {
        TablebaseError::io("writing", &self.path)(cause)
    }

    /// Writes the bytes of consecutive values: see [`crate::Sink`].
    pub(crate) fn write(&self, first: u64, bytes: &[u8]) -> Result<(), TablebaseError> {
        let at = first * self.header.value_len as u64;
        match self.format.encoding {
            Encoding::Raw => self
                .write_at(self.header.data_start() as u64 + at, bytes)
                .map_err(|e| self.error(e)),
            Encoding::Deflate => {
                let block = (at / BLOCK as u64) as usize;
                debug_assert_eq!(bytes.len(), self.header.block_len(block), "whole blocks");
                let stored = pack(Encoding::Deflate, bytes);
                self.packed.lock().unwrap_or_else(PoisonError::into_inner).insert(block, stored);
                Ok(())
            }
        }
    }

    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.file();
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    /// Writes the header and the directory and renames the file.
    pub(crate) fn finish(mut self, statistics: Statistics) -> Result<TableHeader, TablebaseError> {
        let directory = self.directory().map_err(|e| self.error(e))?;
        self.header.statistics = statistics;
        self.header.checksum = crc32fast::hash(&directory);
        let bytes = self.header.to_bytes(&self.format);
        let head = [&bytes[..], &directory].concat();
        self.write_at(0, &head).and_then(|()| self.file().sync_all()).map_err(|e| self.error(e))?;
        // Let the system drop the written pages, which are small, so that readers of the file get
        // large pages.
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(&*self.file(), 0, None, rustix::fs::Advice::DontNeed);
        let path = &self.path;
        let renamed = match self.name {
            Unfinished::Temporary(name) => name.persist(path).map_err(|e| e.error),
            Unfinished::Kept(name) => fs::rename(name, path),
        };
        renamed.map_err(TablebaseError::io("writing", path))?;
        Ok(self.header)
    }

    /// The entries of all blocks. Writes packed blocks; reads raw ones back.
    fn directory(&mut self) -> io::Result<Vec<u8>> {
        let entry = |end: u64, sum: u32| {
            let mut entry = [0; ENTRY_LEN];
            entry[..8].copy_from_slice(&end.to_le_bytes());
            entry[8..].copy_from_slice(&sum.to_le_bytes());
            entry
        };
        let data = self.header.data_start();
        if self.format.encoding == Encoding::Raw {
            // SAFETY: nobody else knows the file, and nothing writes to it while the map is read.
            let map = unsafe { Mmap::map(&*self.file()) }?;
            let blocks = map[data..].par_chunks(BLOCK).enumerate();
            let entries = blocks
                .map(|(i, block)| entry((i * BLOCK + block.len()) as u64, crc32fast::hash(block)));
            return Ok(entries.collect::<Vec<_>>().into_flattened());
        }
        let packed = std::mem::take(self.packed.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut directory = Vec::with_capacity(data - HEADER_LEN);
        let mut end = 0;
        for stored in packed.values() {
            end += stored.len() as u64;
            directory.extend(entry(end, crc32fast::hash(stored)));
        }
        let stored = packed.into_values().collect::<Vec<_>>().concat();
        self.write_at(data as u64, &stored)?;
        Ok(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_files_that_nobody_has_locked_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let names = [".darkchess-tablebase-abc.part", ".darkchess-tablebase-def.part", "a.part"];
        names.iter().for_each(|name| fs::write(place(name), "x").unwrap());
        let used = File::open(place(names[1])).unwrap();
        used.try_lock().unwrap();
        remove_abandoned(folder.path());
        assert_eq!(names.map(|name| place(name).exists()), [false, true, true]);
        drop(used);
        remove_abandoned(folder.path());
        assert_eq!(names.map(|name| place(name).exists()), [false, false, true]);
        remove_abandoned(&place("none"));
    }
}
