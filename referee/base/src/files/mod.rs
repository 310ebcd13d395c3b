//! What systems do differently with files: use by one program only, replacement, and comparison.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{
    Stamp, catch_size_limit, is_at, open_alone, public_temporary, replace, sync_folder,
};

use std::io;
use std::path::Path;

/// Refuses what is there and is no regular file: reading a device or a pipe may never end.
///
/// # Errors
///
/// Says what `path` should be.
pub fn regular(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(data) if !data.is_file() => Err(io::Error::other("expected a regular file")),
        _ => Ok(()),
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, OpenOptions, TryLockError};
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn a_file_is_open_for_one_writer_and_all_readers_and_can_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let open = || open_alone(OpenOptions::new().read(true).append(true).create(true), &path);
        let mut file = open().unwrap();
        assert!(matches!(open(), Err(TryLockError::WouldBlock)));
        file.write_all(b"one\ntwo").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo");
        file.set_len(4).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(b"three\n").unwrap();
        assert!(is_at(&file, &path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"one\nthree\n");
        let mut aside = public_temporary(folder_of(&path)).unwrap();
        aside.write_all(b"other\n").unwrap();
        drop(file);
        replace(aside, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"other\n");
        let other = open().unwrap();
        assert!(is_at(&other, &path).unwrap());
        std::fs::rename(&path, folder.path().join("elsewhere")).unwrap();
        assert_eq!(is_at(&other, &path).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(&path, b"other\n").unwrap();
        assert!(!is_at(&other, &path).unwrap());
        sync_folder(folder_of(&path)).unwrap();
    }

    #[test]
    fn the_stamp_of_a_changed_file_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, "1").unwrap();
        let stamp = || Stamp::of(&File::open(&path).unwrap().metadata().unwrap());
        let before = stamp();
        assert_eq!(stamp(), before);
        std::fs::write(&path, "22").unwrap();
        assert_ne!(stamp(), before);
        assert_eq!(folder_of(Path::new("name")), Path::new("."));
    }
}
