//! Files on Unix.

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use tempfile::NamedTempFile;

/// Opens a file with these options and locks it: no other referee can open it in this way, and every
/// program can read it. Writing begins at the place to which the caller seeks.
///
/// # Errors
///
/// `WouldBlock` if another referee has the file open.
pub fn open_alone(options: &mut OpenOptions, path: &Path) -> Result<File, TryLockError> {
    let file = options.open(path).map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// Whether an open file is the one that `path` names.
///
/// # Errors
///
/// Fails with the system's error, `NotFound` if there is no file of this name.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let id = |data: Metadata| (data.dev(), data.ino());
    Ok(id(file.metadata()?) == id(path.metadata()?))
}

/// Renames a temporary file to `path`; an older file there is replaced at once.
///
/// # Errors
///
/// Fails with the system's error; the older file then stays.
pub fn replace(aside: NamedTempFile, path: &Path) -> io::Result<()> {
    aside.persist(path).map(drop).map_err(|e| e.error)
}

/// A temporary file with the permissions of an ordinary file: the umask applies.
///
/// # Errors
///
/// Fails with the system's error.
pub fn public_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// Makes sure that the names of new files in a folder are on disk.
///
/// # Errors
///
/// Fails with the system's error.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes a write beyond the limit on the size of files (`ulimit -f`) fail, like one to a full disk. The
/// signal that comes with it would end the program.
pub fn catch_size_limit() {
    // Engines would inherit a signal that is ignored, but no handler. Nobody reads this one's flag.
    if let Err(error) = signal_hook::flag::register(libc::SIGXFSZ, Arc::default()) {
        log::warn!("a file at its limit of size will end the program: {error}");
    }
}

/// What changes when a file's content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds of the last change of the content and of the inode.
    changed: [i64; 4],
}

impl Stamp {
    /// The stamp of a file with this metadata.
    pub fn of(data: &Metadata) -> Stamp {
        Stamp {
            device: data.dev(),
            inode: data.ino(),
            size: data.size(),
            changed: [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()],
        }
    }
}
