//! Files that an option or a flag names: regular files of a limited size. A device may never end, a pipe may
//! never begin, and a file that the system makes up (`/proc`) may do either.
//!
//! The errors say what was found and what would be right; the caller names the file.

use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The maximum size of a text that people write or a program has written for them.
pub const MAX_TEXT: u64 = 256 << 20;

/// Opens a regular file, for those who map it or read it in parts.
///
/// # Errors
///
/// The path leads to anything else, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    open_kind(path, false).map(|(file, _)| file)
}

/// As [`open`], but a pipe is allowed, such as `/dev/stdin` or what a shell makes of `<(command)`.
///
/// # Errors
///
/// As [`open`].
pub fn open_stream(path: &Path) -> io::Result<File> {
    open_kind(path, true).map(|(file, _)| file)
}

/// Reads a regular file of 1 to `max` bytes.
///
/// # Errors
///
/// As [`open`], or the file is empty or larger.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let (file, data) = open_kind(path, false)?;
    read_all(file, &data, max)
}

/// As [`read`], for a text in UTF-8.
///
/// # Errors
///
/// As [`read`], or the text is not in UTF-8.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    text(read(path, max)?)
}

/// As [`read_text`], but a pipe is allowed, as in [`open_stream`].
///
/// # Errors
///
/// As [`read_text`].
pub fn read_stream_text(path: &Path, max: u64) -> io::Result<String> {
    let (file, data) = open_kind(path, true)?;
    text(read_all(file, &data, max)?)
}

/// Reads what is left of a stream, at most `max` bytes.
///
/// # Errors
///
/// There is more, or the stream fails.
pub fn read_to_end(stream: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large("more bytes than that".into(), max));
    }
    Ok(bytes)
}

/// Refuses a path that is no folder.
///
/// # Errors
///
/// What is there instead, or that there is nothing.
pub fn folder(path: &Path) -> io::Result<()> {
    let data = path.metadata()?;
    if data.is_dir() { Ok(()) } else { Err(wrong(data.file_type(), "a folder")) }
}

/// The kind is looked at before the file is opened, because opening a pipe waits for its writer, and again
/// afterwards.
fn open_kind(path: &Path, pipe: bool) -> io::Result<(File, Metadata)> {
    let check = |data: Metadata| match data.is_file() || pipe && is_pipe(data.file_type()) {
        true => Ok(data),
        false if pipe => Err(wrong(data.file_type(), "a regular file or a pipe")),
        false => Err(wrong(data.file_type(), "a regular file")),
    };
    check(path.metadata()?)?;
    let file = File::open(path)?;
    let data = check(file.metadata()?)?;
    Ok((file, data))
}

fn read_all(file: File, data: &Metadata, max: u64) -> io::Result<Vec<u8>> {
    if data.is_file() && data.len() == 0 {
        let text = "an empty file, or one that the system makes up as it is read; expected a regular file with content";
        return Err(io::Error::other(text));
    }
    if data.is_file() && data.len() > max {
        return Err(too_large(format!("{} bytes", data.len()), max));
    }
    read_to_end(file, max)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "not a text in UTF-8"))
}

fn too_large(found: String, max: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it has {found}; expected at most {max} bytes"))
}

fn wrong(found: FileType, expected: &str) -> io::Error {
    io::Error::other(format!("{} is there; expected {expected}", name_of(found)))
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// What a person calls a file of this kind.
fn name_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    match kind {
        kind if kind.is_file() => "a regular file",
        kind if kind.is_dir() => "a folder",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_within_the_limit_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"four");
        assert_eq!(read_text(&path, 4).unwrap(), "four");
        assert_eq!(read_stream_text(&path, 4).unwrap(), "four");
        let error = read(&path, 3).unwrap_err().to_string();
        assert_eq!(error, "it has 4 bytes; expected at most 3 bytes");
        std::fs::write(&path, [0xff]).unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().to_string(), "not a text in UTF-8");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, 9).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(open(&path).unwrap().metadata().unwrap().len(), 1 << 40);
        File::create(&path).unwrap();
        assert!(read(&path, 4).unwrap_err().to_string().starts_with("an empty file"));
    }

    #[test]
    fn what_is_there_instead_is_named() {
        let place = tempfile::tempdir().unwrap();
        let folder_error = read(place.path(), 9).unwrap_err().to_string();
        assert_eq!(folder_error, "a folder is there; expected a regular file");
        folder(place.path()).unwrap();
        let file = place.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let error = folder(&file).unwrap_err().to_string();
        assert_eq!(error, "a regular file is there; expected a folder");
        assert_eq!(read(&place.path().join("none"), 9).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_without_an_end_is_read() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let socket = place.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for (path, found) in [
            (Path::new("/dev/zero"), "a device"),
            (Path::new("/dev/null"), "a device"),
            (&*link, "a device"),
            (&*socket, "a socket"),
            (&*pipe, "a pipe"),
        ] {
            let expected = format!("{found} is there; expected a regular file");
            for error in [open(path).unwrap_err(), read(path, 9).unwrap_err()] {
                assert_eq!(error.to_string(), expected);
            }
            if found != "a pipe" {
                assert!(read_stream_text(path, 9).unwrap_err().to_string().starts_with(&expected));
            }
        }
        // A pipe ends at the limit, too.
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, "0123456789")
        });
        let error = read_stream_text(&pipe, 9).unwrap_err().to_string();
        assert_eq!(error, "it has more bytes than that; expected at most 9 bytes");
        let _ = writer.join();
        assert_eq!(read_to_end(&b"012345678"[..], 9).unwrap(), b"012345678");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_that_the_system_makes_up_are_not_read() {
        let error = read(Path::new("/proc/self/status"), 1 << 20).unwrap_err().to_string();
        assert!(error.contains("expected a regular file with content"), "{error}");
    }
}
