//! The scratch folder of a build that can be interrupted: the unfinished tablebase, and files of
//! values that the solver still needs. Each of these files is complete, with a checksum, or absent.
//!
//! The folder stands beside the tablebase, `FILE.building`. One process at a time holds its lock.

use crate::error::TablebaseError;
use fs4::FileExt;
use memmap2::Mmap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The unfinished tablebase.
const OUTPUT: &str = "values.part";
const LOCK: &str = "lock";
/// Length of the checksum at the end of a file of values.
const SUM_LEN: usize = 4;

/// A locked scratch folder.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Locked as long as it is open.
    lock: Mutex<Option<File>>,
}

/// The scratch folder of a tablebase file.
pub fn scratch_folder(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".building");
    name.into()
}

impl Scratch {
    /// Opens or creates the scratch folder of the tablebase file `path` and locks it, provided that
    /// its file system has room for `needed` bytes; what the folder has already counts.
    ///
    /// # Errors
    ///
    /// Too little space: then nothing is created. Another process has locked the folder, or the
    /// system refuses.
    pub fn open(path: &Path, needed: u64) -> Result<Scratch, TablebaseError> {
        Scratch::open_with(path, needed, available)
    }

    /// [`Scratch::open`], given the function that tells the free bytes of a folder's file system,
    /// if it can.
    ///
    /// # Errors
    ///
    /// As [`Scratch::open`].
    pub fn open_with(
        path: &Path,
        needed: u64,
        available: fn(&Path) -> Option<u64>,
    ) -> Result<Scratch, TablebaseError> {
        let folder = scratch_folder(path);
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let missing = needed.saturating_sub(allocated(&folder));
        if let Some(free) = available(parent).filter(|&free| free < missing) {
            return Err(TablebaseError::Refused(format!(
                "building {} takes {} more of disk space for itself and its scratch files; {} has \
                 {} free",
                path.display(),
                gigabytes(missing),
                parent.display(),
                gigabytes(free),
            )));
        }
        fs::create_dir_all(&folder).map_err(TablebaseError::io("creating", &folder))?;
        let name = folder.join(LOCK);
        let lock = File::options().create(true).write(true).truncate(false).open(&name);
        let lock = lock.map_err(TablebaseError::io("opening", &name))?;
        match lock.try_lock() {
            Ok(()) => Ok(Scratch { folder, lock: Mutex::new(Some(lock)) }),
            Err(TryLockError::WouldBlock) => {
                let text = format!("another process is building in {}", folder.display());
                Err(TablebaseError::Refused(text))
            }
            Err(TryLockError::Error(error)) => Err(TablebaseError::io("locking", &name)(error)),
        }
    }

    /// The path of the unfinished tablebase.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.join(OUTPUT)
    }

    /// Waits until everything written to the unfinished tablebase is on the disk.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn sync_output(&self) -> Result<(), TablebaseError> {
        let path = self.output();
        let synced = File::options().write(true).open(&path).and_then(|file| file.sync_data());
        synced.map_err(TablebaseError::io("writing", &path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.values"))
    }

    /// Starts a file of values; it replaces an older one when it is complete.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn create(&self, name: &str) -> Result<ScratchWriter, TablebaseError> {
        let (path, aside) = (self.path(name), self.folder.join("next.part"));
        let file = File::create(&aside).map_err(TablebaseError::io("creating", &aside))?;
        Ok(ScratchWriter { path, aside, file: BufWriter::new(file), sum: start(name), values: 0 })
    }

    /// A file of this number of values, checked; `None` if it is absent or damaged.
    pub fn read(&self, name: &str, values: usize) -> Option<ScratchValues> {
        let mapped = ScratchValues::map(&self.path(name), values).ok()??;
        let mut sum = start(name);
        let (bytes, stored) = mapped.map.split_at(4 * values);
        sum.update(bytes);
        let matches = sum.finalize().to_ne_bytes() == *stored;
        if !matches {
            log::warn!("{} is damaged: it is computed again", self.path(name).display());
        }
        matches.then_some(mapped)
    }

    /// Removes a file of values, if it exists.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn remove(&self, name: &str) -> Result<(), TablebaseError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(TablebaseError::io("removing", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Removes all files of values.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(crate) fn clear(&self) -> Result<(), TablebaseError> {
        let clear = || -> io::Result<()> {
            for entry in fs::read_dir(&self.folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "values") {
                    fs::remove_file(path)?;
                }
            }
            Ok(())
        };
        clear().map_err(TablebaseError::io("clearing", &self.folder))
    }

    /// Unlocks and removes the folder. Windows removes no folder with an open file.
    pub(crate) fn finish(&self) -> Result<(), TablebaseError> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
        fs::remove_dir_all(&self.folder).map_err(TablebaseError::io("removing", &self.folder))
    }
}

/// The checksum of a file of values begins with its name, so that no file passes for another.
fn start(name: &str) -> crc32fast::Hasher {
    let mut sum = crc32fast::Hasher::new();
    sum.update(name.as_bytes());
    sum
}

/// A file of values being written.
#[derive(Debug)]
pub struct ScratchWriter {
    path: PathBuf,
    aside: PathBuf,
    file: BufWriter<File>,
    sum: crc32fast::Hasher,
    values: usize,
}

impl ScratchWriter {
    /// Appends values.
    ///
    /// # Errors
    ///
    /// The system refuses, for example because the disk is full.
    pub fn write(&mut self, values: &[u32]) -> Result<(), TablebaseError> {
        // SAFETY: every byte of a u32 is an initialised u8, and any address is aligned for u8.
        let (_, bytes, _) = unsafe { values.align_to::<u8>() };
        self.sum.update(bytes);
        self.values += values.len();
        self.file.write_all(bytes).map_err(TablebaseError::io("writing", &self.aside))
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn finish(self) -> Result<ScratchValues, TablebaseError> {
        let ScratchWriter { path, aside, mut file, sum, values } = self;
        let finish = || -> io::Result<Option<ScratchValues>> {
            file.write_all(&sum.finalize().to_ne_bytes())?;
            file.into_inner()?.sync_data()?;
            fs::rename(&aside, &path)?;
            ScratchValues::map(&path, values)
        };
        let missing = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let mapped = finish().and_then(|mapped| mapped.ok_or_else(missing));
        mapped.map_err(TablebaseError::io("writing", &path))
    }
}

/// A complete file of values in the byte order of this machine, memory-mapped: the system keeps in
/// memory what it has room for.
#[derive(Debug)]
pub struct ScratchValues {
    map: Mmap,
    values: usize,
}

impl ScratchValues {
    /// Maps a file; `None` if it has another size.
    fn map(path: &Path, values: usize) -> io::Result<Option<ScratchValues>> {
        let file = File::open(path)?;
        if file.metadata()?.len() != (4 * values + SUM_LEN) as u64 {
            return Ok(None);
        }
        // SAFETY: the map is read-only; the file lies in a locked folder and is replaced or removed
        // but never changed once it has its name.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Some(ScratchValues { map, values }))
    }

    /// The values.
    pub fn as_slice(&self) -> &[u32] {
        // SAFETY: any four initialised bytes are a u32. Maps begin at a page, so `before` is empty.
        let (before, values, _) = unsafe { self.map.align_to::<u32>() };
        debug_assert!(before.is_empty());
        &values[..self.values]
    }
}

/// The free bytes of a folder's file system, as far as the system tells.
fn available(folder: &Path) -> Option<u64> {
    fs4::available_space(folder).ok()
}

/// The bytes that the files of a folder occupy.
fn allocated(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: io::Result<fs::DirEntry>| {
        File::open(entry.ok()?.path()).and_then(|file| file.allocated_size()).ok()
    };
    entries.filter_map(size).sum()
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.2} GB", bytes as f64 / 1e9)
}
