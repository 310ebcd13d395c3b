//! Files on Windows. A lock there also stops readers, so files for one writer are opened without the
//! permission to write for others.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::mem::MaybeUninit;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;
use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_SHARE_DELETE, FILE_SHARE_READ, GetFileInformationByHandle,
};

/// How long another program, such as a virus scanner, may keep a file open that is to be replaced.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Opens a file with these options, for one program only: no other can open it for writing, and every
/// program can read it. A file that is opened to append can also be cut; writing begins at the place
/// to which the caller seeks.
///
/// # Errors
///
/// `WouldBlock` if another program has the file open for writing.
pub fn open_alone(options: &mut OpenOptions, path: &Path) -> Result<File, TryLockError> {
    options.append(false).write(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    options.open(path).map_err(|e| match is(&e, ERROR_SHARING_VIOLATION) {
        true => TryLockError::WouldBlock,
        false => TryLockError::Error(e),
    })
}

/// Whether an open file is the one that `path` names.
///
/// # Errors
///
/// Fails with the system's error, `NotFound` if there is no file of this name.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    Ok(identity(file)? == identity(&File::open(path)?)?)
}

/// The volume of an open file and its number there.
fn identity(file: &File) -> io::Result<[u32; 3]> {
    let mut data = MaybeUninit::<BY_HANDLE_FILE_INFORMATION>::zeroed();
    // SAFETY: the handle is open, the pointer is to memory of the structure's size, and zeros are a valid
    // value of it.
    let data = unsafe {
        if GetFileInformationByHandle(file.as_raw_handle(), data.as_mut_ptr()) == 0 {
            return Err(io::Error::last_os_error());
        }
        data.assume_init()
    };
    Ok([data.dwVolumeSerialNumber, data.nFileIndexHigh, data.nFileIndexLow])
}

/// Renames a temporary file to `path`; an older file there is replaced at once. Waits a little for
/// other programs that have it open.
///
/// # Errors
///
/// Fails with the system's error; the older file then stays.
pub fn replace(aside: NamedTempFile, path: &Path) -> io::Result<()> {
    let end = Instant::now() + TIMEOUT;
    let mut aside = aside.into_temp_path();
    loop {
        match aside.persist(path) {
            Ok(()) => return Ok(()),
            Err(e) if is_open(&e.error) && Instant::now() < end => aside = e.path,
            Err(e) => return Err(e.error),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_open(error: &io::Error) -> bool {
    is(error, ERROR_SHARING_VIOLATION) || is(error, ERROR_ACCESS_DENIED)
}

fn is(error: &io::Error, code: u32) -> bool {
    error.raw_os_error() == i32::try_from(code).ok()
}

/// A temporary file. Who may read it depends on its folder.
///
/// # Errors
///
/// Fails with the system's error.
pub fn public_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

/// Windows cannot sync folders; it writes the names of new files with the files.
///
/// # Errors
///
/// None.
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Windows has no limit on the size of files that is told by a signal.
pub fn catch_size_limit() {}

/// What changes when a file's content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: u64,
    /// When the file was created and written to, in 100 ns.
    changed: [u64; 2],
}

impl Stamp {
    /// The stamp of a file with this metadata.
    pub fn of(data: &Metadata) -> Stamp {
        let changed = [data.creation_time(), data.last_write_time()];
        Stamp { size: data.file_size(), changed }
    }
}
