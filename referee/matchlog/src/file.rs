//! The file of a log that is written. It is looked at before each line: if somebody else has changed it
//! meanwhile, nothing more is written to it.

use super::LogError;
use super::chain::{Chain, line_hash};
use super::entries::TornLine;
use agon_base::counted;
use agon_base::files::{self, Stamp};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How many bytes of a torn line are kept.
const TORN: u64 = 400;

/// A log's file, locked against other referees.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    file: File,
    /// The chain of its complete lines.
    chain: Chain,
    /// The length of its complete lines in bytes.
    complete: u64,
    /// The length of the last one, if it is known.
    last: u64,
    /// The length of an incomplete line that follows.
    torn: u64,
    /// The file when it was last known to hold this.
    stamp: Stamp,
}

/// What of a disturbed log could be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescue {
    /// The new file.
    pub path: PathBuf,
    /// The hash of the line that its first line follows; `None`: it is the whole log.
    pub follows: Option<String>,
}

impl LogFile {
    /// Opens and locks a file; creates it if there is none.
    pub fn open(path: &Path) -> std::result::Result<LogFile, LogError> {
        let error = |e| LogError::io(path, e);
        files::regular(path).map_err(error)?;
        let mut options = OpenOptions::new();
        let opened = files::open_alone(options.read(true).append(true).create(true), path);
        let file = opened.map_err(|e| match e {
            TryLockError::WouldBlock => LogError::Locked { path: path.display().to_string() },
            TryLockError::Error(e) => error(e),
        })?;
        let data = file.metadata().map_err(error)?;
        Ok(LogFile {
            path: path.into(),
            file,
            chain: Chain::new(""),
            complete: 0,
            last: 0,
            torn: data.len(),
            stamp: Stamp::of(&data),
        })
    }

    /// The path under which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The hash of its last line.
    pub fn head(&self) -> &str {
        self.chain.head()
    }

    /// The chain of its complete lines.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The length of its complete lines in bytes.
    pub fn complete(&self) -> u64 {
        self.complete
    }

    /// Its first bytes, at most `n`.
    pub fn start(&mut self, n: u64) -> Result<Vec<u8>> {
        self.read(0, n)
    }

    fn read(&mut self, from: u64, n: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(from))?;
        (&self.file).take(n).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Takes over what was read of it: the chain and the length of its complete lines.
    pub fn follow(&mut self, chain: &Chain, complete: u64) {
        let whole = self.complete + self.torn;
        self.chain.clone_from(chain);
        (self.complete, self.torn) = (complete, whole.saturating_sub(complete));
    }

    /// Writes the first line. What the file held before is dropped.
    pub fn begin(&mut self, header: &str) -> Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(header.as_bytes())?;
        (self.complete, self.torn) = (0, 0);
        self.chain = Chain::new(header);
        self.wrote(header)
    }

    fn wrote(&mut self, line: &str) -> Result<()> {
        self.last = line.len() as u64;
        self.complete += self.last;
        self.stamp = Stamp::of(&self.file.metadata()?);
        Ok(())
    }

    /// Removes an incomplete last line and returns it.
    pub fn discard_torn(&mut self) -> std::result::Result<Option<TornLine>, LogError> {
        if self.torn == 0 {
            return Ok(None);
        }
        self.expect_unchanged()?;
        let path = self.path.clone();
        let error = |e| LogError::io(&path, e);
        let text = self.read(self.complete, TORN).map_err(error)?;
        let torn = TornLine {
            bytes: std::mem::take(&mut self.torn),
            text: String::from_utf8_lossy(&text).into_owned(),
        };
        self.cut(self.complete).map_err(error)?;
        Ok(Some(torn))
    }

    fn cut(&mut self, length: u64) -> Result<()> {
        self.file.set_len(length)?;
        self.stamp = Stamp::of(&self.file.metadata()?);
        Ok(())
    }

    /// Appends a line, which carries the hash of the last one.
    pub fn append(&mut self, line: &str) -> std::result::Result<(), LogError> {
        self.expect_unchanged()?;
        let path = self.path.clone();
        let error = |e| LogError::io(&path, e);
        self.file.seek(SeekFrom::End(0)).map_err(error)?;
        if let Err(e) = self.file.write_all(line.as_bytes()) {
            // If the disk is full, half a line may have been written.
            let _ = self.cut(self.complete);
            return Err(error(e));
        }
        self.chain.push(line);
        self.wrote(line).map_err(error)
    }

    /// Removes its last line, after which the file had `complete` bytes and this chain.
    pub fn withdraw(&mut self, complete: u64, chain: Chain) -> std::result::Result<(), LogError> {
        self.expect_unchanged()?;
        (self.complete, self.chain, self.last) = (complete, chain, 0);
        let cut = self.cut(complete);
        cut.map_err(|e| LogError::io(&self.path, e))
    }

    /// Looks at the file. One whose stamp has changed is read again.
    pub fn expect_unchanged(&mut self) -> std::result::Result<(), LogError> {
        let found = self.found(false).map_err(|e| LogError::io(&self.path, e))?;
        self.disturbed(found)
    }

    /// Reads the whole file again.
    pub fn expect_whole(&mut self) -> std::result::Result<(), LogError> {
        let found = self.found(true).map_err(|e| LogError::io(&self.path, e))?;
        self.disturbed(found)
    }

    fn disturbed(&self, found: Option<String>) -> std::result::Result<(), LogError> {
        let path = self.path.display().to_string();
        found.map_or(Ok(()), |found| Err(LogError::Disturbed { path, found }))
    }

    /// What somebody else has done to the file; `None`: nothing.
    fn found(&mut self, read: bool) -> Result<Option<String>> {
        match files::is_at(&self.file, &self.path) {
            Ok(true) => {}
            Ok(false) => return Ok(Some("another file has taken its place".into())),
            Err(e) if e.kind() == ErrorKind::NotFound => {
                return Ok(Some("it is gone: it was removed or renamed".into()));
            }
            Err(e) => return Err(e),
        }
        let data = self.file.metadata()?;
        let (is, wanted) = (data.len(), self.complete + self.torn);
        if is != wanted {
            let (n, done) = (is.abs_diff(wanted), if is < wanted { "cut off" } else { "added" });
            let were = if n == 1 { "was" } else { "were" };
            return Ok(Some(format!("{} {were} {done} at its end", counted(n, "byte"))));
        }
        let stamp = Stamp::of(&data);
        let last = (self.last > 0).then(|| self.read(self.complete - self.last, self.last));
        let is_last = match last.transpose()? {
            Some(line) => line_hash(&String::from_utf8_lossy(&line)) == self.chain.head(),
            None => true,
        };
        if !is_last || (read || stamp != self.stamp) && !self.holds_chain()? {
            return Ok(Some("lines of it were changed".into()));
        }
        self.stamp = stamp;
        Ok(None)
    }

    /// Whether its first bytes are the lines of the chain.
    fn holds_chain(&mut self) -> Result<bool> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut input = BufReader::with_capacity(1 << 16, (&self.file).take(self.complete));
        let mut line = String::new();
        let mut chain: Option<Chain> = None;
        loop {
            line.clear();
            match input.read_line(&mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::InvalidData => return Ok(false),
                Err(e) => return Err(e),
            }
            match &mut chain {
                None => chain = Some(Chain::new(&line)),
                Some(chain) => {
                    if chain.check(&line).is_err() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(chain.is_some_and(|chain| chain.head() == self.chain.head()))
    }

    /// Writes what can be saved of a disturbed log to a new file beside it: the whole log with `lines`,
    /// or only these if the file no longer holds it. `None` if there is nothing to save.
    pub fn rescue(&mut self, lines: &str) -> Result<Option<Rescue>> {
        let whole = self.holds_chain()?;
        if !whole && lines.is_empty() {
            return Ok(None);
        }
        let (path, mut out) = self.beside()?;
        if whole {
            self.file.seek(SeekFrom::Start(0))?;
            std::io::copy(&mut (&self.file).take(self.complete), &mut out)?;
        }
        out.write_all(lines.as_bytes())?;
        out.sync_all()?;
        let follows = (!whole).then(|| self.chain.head().to_string());
        Ok(Some(Rescue { path, follows }))
    }

    /// A new file `LOG.rescue`, or `LOG.rescue2` and so on.
    fn beside(&self) -> Result<(PathBuf, File)> {
        let numbers = std::iter::once(String::new()).chain((2..).map(|n: u32| n.to_string()));
        for number in numbers {
            let mut path = self.path.clone().into_os_string();
            path.push(format!(".rescue{number}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                file => return Ok((path.into(), file?)),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Makes sure that all lines are on the disk.
    pub fn sync(&self) -> std::result::Result<(), LogError> {
        self.file.sync_all().map_err(|e| LogError::io(&self.path, e))
    }
}
