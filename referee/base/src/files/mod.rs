//! What systems do differently with files: use by one program only, replacement, and comparison.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{
    Stamp, catch_size_limit, is_at, open_alone, public_temporary, replace, sync_folder,
};

use std::fs::File;
use std::io::{self, BufWriter, Write};
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

/// Writes a file to a temporary one beside it and renames that: what fails or is interrupted leaves an older
/// file intact. Anything but an ordinary file (a link, a pipe) is written in place.
///
/// # Errors
///
/// Fails as `write` does, or with the system's error.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        let mut out = BufWriter::new(File::create(path)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let mut out = BufWriter::new(public_temporary(folder_of(path))?);
    write(&mut out)?;
    let aside = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(replace(aside, path)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{OpenOptions, TryLockError};
    use std::io::{Seek, SeekFrom};

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

    #[test]
    fn a_file_that_cannot_be_finished_leaves_the_older_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let write = |text: &'static str, done: io::Result<()>| {
            write_whole(&path, |out| out.write_all(text.as_bytes()).and(done))
        };
        write("whole", Ok(())).unwrap();
        assert!(write("half", Err(io::Error::other("an illegal move"))).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
