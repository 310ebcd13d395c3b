//! The whole dialogue with every engine, for `--engine-log`.
//!
//! A line of a file is `TIME game N ENGINE#P D TEXT`: the time in UTC, the number of the game,
//! counted from 1 (`-` outside of games), the engine's name, the number of its process, and a direction: `>` was sent to
//! the engine, `<` is its standard output, `!` its standard error. Text is made visible. The size of
//! a file is bounded: its older half is dropped as a whole, and the file stays the same one, which engines in
//! a sandbox cannot see.

use super::sandbox;
use agon_base::ordinal::Ordinal;
use agon_games::text::{SafeText, visible};
use agon_matchlog::Timestamp;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of bytes of a line; the rest of a longer one becomes another line.
const MAX_LINE_BYTES: usize = 1 << 16;
/// Files are cut and copied in units of this size, a multiple of the blocks of all file systems.
const BLOCK: u64 = 1 << 20;

/// The files of all engines of a match.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    /// Whether each engine has a file of its own in the folder `path`.
    is_folder: bool,
    /// Maximum number of bytes of a file.
    limit: u64,
    files: Mutex<BTreeMap<PathBuf, BoundedFile>>,
    processes: AtomicU64,
    failed: AtomicBool,
}

/// A file whose older half is dropped when its limit is reached.
#[derive(Debug)]
struct BoundedFile {
    file: File,
    bytes: u64,
}

impl Transcript {
    /// Opens the file or folder; lines are appended to existing files. A path that is a folder or
    /// ends with a slash is one for a file per engine.
    pub fn open(path: &Path, limit: u64) -> std::io::Result<Transcript> {
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with('/');
        if is_folder {
            std::fs::create_dir_all(path)?;
        } else {
            append(path)?;
        }
        sandbox::hide(path);
        Ok(Transcript {
            path: path.into(),
            is_folder,
            limit,
            files: Mutex::default(),
            processes: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        })
    }

    /// The part of a new process of the engine `name`.
    pub fn process(self: &Arc<Transcript>, name: &str) -> EngineTranscript {
        let number = 1 + self.processes.fetch_add(1, Ordering::Relaxed);
        let file_name = name.replace(|c: char| !c.is_alphanumeric() && !"-._".contains(c), "_");
        EngineTranscript {
            path: match self.is_folder {
                true => self.path.join(format!("{file_name}.log")),
                false => self.path.clone(),
            },
            all: Arc::clone(self),
            engine: format!("{}#{number}", visible(name)),
            game: None,
            partial: Default::default(),
        }
    }

    /// Appends a line. After an error, which is reported once, nothing more is written.
    fn write(&self, path: &Path, line: &str) {
        if self.failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(e) = self.try_write(path, line)
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            log::warn!("--engine-log ends here: {}: {e}", path.display());
        }
    }

    fn try_write(&self, path: &Path, line: &str) -> std::io::Result<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if !files.contains_key(path) {
            files.insert(path.into(), append(path)?);
        }
        let Some(open) = files.get_mut(path) else { return Ok(()) };
        if open.bytes + line.len() as u64 > self.limit {
            open.drop_older_half()?;
        }
        // Another referee may write to the same file.
        open.file.seek(SeekFrom::End(0))?;
        open.file.write_all(line.as_bytes())?;
        open.bytes += line.len() as u64;
        Ok(())
    }
}

impl BoundedFile {
    /// Drops about the older half. The first line that is left may have lost its beginning.
    fn drop_older_half(&mut self) -> std::io::Result<()> {
        let half = self.bytes / 2 / BLOCK * BLOCK;
        if half == 0 || cut_out(&self.file, half).is_err() {
            self.move_newer_half()?;
        }
        self.bytes = self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// Copies the lines of the newer half to the beginning.
    fn move_newer_half(&mut self) -> std::io::Result<()> {
        let mut chunk = vec![0; BLOCK as usize];
        let (mut from, mut to, mut begins) = (self.bytes / 2, 0, false);
        loop {
            self.file.seek(SeekFrom::Start(from))?;
            let n = self.file.read(&mut chunk)?;
            if n == 0 {
                return self.file.set_len(to);
            }
            from += n as u64;
            let line = chunk[..n].iter().position(|&b| b == b'\n').map_or(n, |at| at + 1);
            let kept = &chunk[if begins { 0 } else { line }..n];
            begins |= !kept.is_empty();
            self.file.seek(SeekFrom::Start(to))?;
            self.file.write_all(kept)?;
            to += kept.len() as u64;
        }
    }
}

/// Cuts the first bytes out of a file without copying the others. Not every file system can.
#[cfg(target_os = "linux")]
fn cut_out(file: &File, bytes: u64) -> std::io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    Ok(fallocate(file, FallocateFlags::COLLAPSE_RANGE, 0, bytes)?)
}

#[cfg(not(target_os = "linux"))]
fn cut_out(_file: &File, _bytes: u64) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

fn append(path: &Path) -> std::io::Result<BoundedFile> {
    // A file that is opened to append can neither be written elsewhere nor, on Windows, be cut.
    let mut options = OpenOptions::new();
    let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
    file.seek(SeekFrom::End(0))?;
    let bytes = file.metadata()?.len();
    Ok(BoundedFile { file, bytes })
}

/// A stream from an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineStream {
    /// Its standard output.
    Output,
    /// Its standard error.
    Error,
}

/// The dialogue with one process.
#[derive(Debug)]
pub struct EngineTranscript {
    all: Arc<Transcript>,
    path: PathBuf,
    engine: String,
    game: Option<Ordinal>,
    /// The unfinished lines of both streams.
    partial: [Vec<u8>; 2],
}

impl EngineTranscript {
    /// All further lines belong to this game.
    pub fn enter_game(&mut self, game: Option<Ordinal>) {
        self.game = game;
    }

    /// The game of the last lines.
    pub fn game(&self) -> Option<Ordinal> {
        self.game
    }

    /// Records lines that were sent to the engine.
    pub fn sent(&self, text: &[u8]) {
        text.split(|b| *b == b'\n').filter(|l| !l.is_empty()).for_each(|l| self.line('>', l));
    }

    /// Records output of the engine as it arrived.
    pub fn received(&mut self, stream: EngineStream, bytes: &[u8]) {
        let mut open = std::mem::take(&mut self.partial[stream as usize]);
        for piece in bytes.split_inclusive(|b| *b == b'\n') {
            open.extend_from_slice(piece);
            if piece.ends_with(b"\n") || open.len() > MAX_LINE_BYTES {
                self.line(direction(stream), &open);
                open.clear();
            }
        }
        self.partial[stream as usize] = open;
    }

    fn line(&self, direction: char, bytes: &[u8]) {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let (now, text) = (Timestamp::now(), SafeText::from_bytes(bytes));
        let game = self.game.map_or("-".into(), |game| game.to_string());
        let line = format!("{now:.6} game {game} {} {direction} {text}\n", self.engine);
        self.all.write(&self.path, &line);
    }
}

impl Drop for EngineTranscript {
    fn drop(&mut self) {
        for stream in [EngineStream::Output, EngineStream::Error] {
            let rest = std::mem::take(&mut self.partial[stream as usize]);
            if !rest.is_empty() {
                self.line(direction(stream), &rest);
            }
        }
    }
}

fn direction(stream: EngineStream) -> char {
    match stream {
        EngineStream::Output => '<',
        EngineStream::Error => '!',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(path).unwrap();
        // Without the time.
        text.lines().map(|l| l.split_once(' ').unwrap().1.to_string()).collect()
    }

    #[test]
    fn a_dialogue_is_written_line_by_line_with_its_game_and_direction() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dialogue");
        let all = Arc::new(Transcript::open(&path, 1 << 20).unwrap());
        let mut one = all.process("best");
        one.sent(b"ugi\n");
        one.enter_game(Some(Ordinal::of_index(6)));
        one.received(EngineStream::Output, b"bestm");
        one.received(EngineStream::Error, b"\x1b[2J\r\nhalf");
        one.received(EngineStream::Output, b"ove a1\nnext");
        one.sent(b"position startpos\ngo\n");
        drop(one);
        assert_eq!(
            lines(&path),
            [
                "game - best#1 > ugi",
                "game 7 best#1 ! \\u{1b}[2J",
                "game 7 best#1 < bestmove a1",
                "game 7 best#1 > position startpos",
                "game 7 best#1 > go",
                "game 7 best#1 < next",
                "game 7 best#1 ! half",
            ]
        );
    }

    #[test]
    fn large_files_are_cut_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dialogue");
        let all = Arc::new(Transcript::open(&path, 6 * BLOCK).unwrap());
        let one = all.process("best");
        let text = "x".repeat(60_000);
        for i in 0..200 {
            one.sent(format!("{text} {i}\n").as_bytes());
        }
        let size = std::fs::metadata(&path).unwrap().len();
        assert!((3 * BLOCK - 120_000..=6 * BLOCK).contains(&size), "{size}");
        let kept = std::fs::read_to_string(&path).unwrap();
        let numbers =
            kept.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap());
        assert!(numbers.eq(200 - kept.lines().count()..200usize));
    }

    #[test]
    fn files_are_bounded_and_keep_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let all = Arc::new(Transcript::open(folder.path(), 2000).unwrap());
        let one = all.process("../a b");
        for i in 0..500 {
            one.sent(format!("line {i}\n").as_bytes());
        }
        let path = folder.path().join(".._a_b.log");
        let size = std::fs::metadata(&path).unwrap().len();
        assert!((900..=2000).contains(&size), "{size}");
        let kept = lines(&path);
        assert!(kept.last().unwrap().ends_with("> line 499"));
        let numbers =
            kept.iter().map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap());
        assert!(numbers.eq(500 - kept.len()..500), "{kept:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
