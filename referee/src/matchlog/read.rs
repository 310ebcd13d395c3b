//! Reads logs line by line; a last line torn by a crash is dropped.

use super::chain::{Chain, parse_end, split};
use super::{End, FORMAT, GameRecord, Header, LogError};
use agon_protocol::text::{visible, visible_lines};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A whole log in memory, games in schedule order.
#[derive(Clone, Debug)]
pub struct Log {
    /// The match.
    pub header: Header,
    /// The finished games, sorted by [`GameRecord::game`] without duplicates.
    pub games: Vec<GameRecord>,
}

/// Reads the games of a log one at a time, in file order.
#[derive(Debug)]
pub struct Games {
    path: PathBuf,
    input: BufReader<File>,
    line: u64,
    buffer: String,
    /// Number of bytes of the complete lines read so far.
    complete: u64,
    /// The chain, if it is followed.
    chain: Option<Chain>,
    /// What is wrong with the link of the last line.
    broken: Option<String>,
    /// The end line, once it was read.
    end: Option<End>,
}

/// Opens a log and reads its header; the games are read on demand.
pub fn open(path: &Path) -> Result<(Header, Games), LogError> {
    let file = File::open(path).map_err(|e| LogError::io(path, e))?;
    let mut games = Games {
        path: path.to_path_buf(),
        input: BufReader::with_capacity(1 << 16, file),
        line: 0,
        buffer: String::new(),
        complete: 0,
        chain: None,
        broken: None,
        end: None,
    };
    let not_a_log = |reason: String| LogError::NotALog { path: path.display().to_string(), reason };
    if !games.next_line()? {
        return Err(not_a_log("it has no complete first line".into()));
    }
    let header: Header = from_line(&games.buffer).map_err(|e| {
        match serde_json::from_str::<Value>(&games.buffer) {
            Ok(v) if v.get("agon_match_log").is_some_and(|f| f != FORMAT && f != 1) => {
                not_a_log(format!(
                    "its format is {}, this program reads formats 1 and {FORMAT}",
                    v["agon_match_log"]
                ))
            }
            _ => not_a_log(format!("its first line is no match header: {e}")),
        }
    })?;
    if !(1..=FORMAT).contains(&header.agon_match_log) {
        let format = header.agon_match_log;
        return Err(not_a_log(format!(
            "its format is {format}, this program reads formats 1 and {FORMAT}"
        )));
    }
    header.check().map_err(|reason| games.bad_line(reason))?;
    Ok((header, games))
}

/// The secret in the end line of a log, in hexadecimal; `None` before the end of the match.
pub fn revealed_secret(path: &Path) -> Result<Option<String>, LogError> {
    /// More than the length of an end line.
    const TAIL: u64 = 1024;
    let error = |e| LogError::io(path, e);
    let mut file = File::open(path).map_err(error)?;
    let length = file.metadata().map_err(error)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).map_err(error)?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).map_err(error)?;
    let tail = String::from_utf8_lossy(&tail);
    let complete = tail.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let end = complete.lines().last().and_then(parse_end);
    Ok(end.and_then(Result::ok).and_then(|end| end.secret))
}

/// Reads a whole log. Fails if a game occurs twice.
pub fn read(path: &Path) -> Result<Log, LogError> {
    let (header, games) = open(path)?;
    let mut games: Vec<GameRecord> = games.collect::<Result<_, _>>()?;
    games.sort_by_key(|g| g.game);
    if let Some(twice) = games.windows(2).find(|w| w[0].game == w[1].game) {
        return Err(LogError::NotALog {
            path: path.display().to_string(),
            reason: format!("game {} is in it twice", twice[0].game),
        });
    }
    Ok(Log { header, games })
}

impl Games {
    /// Follows the chain from the header on; call it before the first game is read. Logs of format 1
    /// have none.
    pub fn follow_chain(&mut self, header: &Header) {
        if header.agon_match_log > 1 && self.line == 1 {
            self.chain = Some(Chain::new(&self.buffer));
        }
    }

    /// The chain up to the last line, if it is followed.
    pub fn followed(&self) -> Option<&Chain> {
        self.chain.as_ref()
    }

    /// What is wrong with the link of the last line, if the chain is followed; said once.
    pub fn take_broken_link(&mut self) -> Option<String> {
        self.broken.take()
    }

    /// The end line, after the last game was read.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Reads the next game's complete line for [`Games::last_line`]; returns `false` at the end line,
    /// at the end of the file or at a torn last line.
    ///
    /// # Errors
    ///
    /// Fails on a line after the end line.
    pub fn next_line(&mut self) -> Result<bool, LogError> {
        if !self.next_complete()? {
            return Ok(false);
        }
        if let Some(chain) = &mut self.chain {
            self.broken = chain.check(&self.buffer).err();
        }
        let Some(end) = parse_end(&self.buffer) else { return Ok(true) };
        self.end = Some(end.map_err(|e| self.bad_line(e))?);
        let at = self.line;
        if self.next_complete()? {
            return Err(self.bad_line("a line after the end of the log"));
        }
        self.line = at;
        Ok(false)
    }

    fn next_complete(&mut self) -> Result<bool, LogError> {
        self.buffer.clear();
        self.line += 1;
        let mut bytes = std::mem::take(&mut self.buffer).into_bytes();
        let n =
            self.input.read_until(b'\n', &mut bytes).map_err(|e| LogError::io(&self.path, e))?;
        if bytes.last() != Some(&b'\n') {
            return Ok(false);
        }
        self.buffer = String::from_utf8(bytes).map_err(|_| self.bad_line("not UTF-8 text"))?;
        self.complete += n as u64;
        Ok(true)
    }

    /// An error in the last line.
    pub fn bad_line(&self, reason: impl ToString) -> LogError {
        LogError::BadLine {
            path: self.path.display().to_string(),
            line: self.line,
            reason: reason.to_string(),
        }
    }

    /// The fields of the last line after its link, without the opening brace.
    pub fn last_fields(&self) -> &str {
        split(&self.buffer).1
    }

    /// Reads the next line for [`Games::last_line`] and returns its game number; `None` at the end.
    pub fn next_number(&mut self) -> Result<Option<u64>, LogError> {
        #[derive(serde::Deserialize)]
        struct Numbered {
            game: u64,
        }
        if !self.next_line()? {
            return Ok(None);
        }
        let line: Numbered = serde_json::from_str(&self.buffer).map_err(|e| self.bad_line(e))?;
        Ok(Some(line.game))
    }

    /// The length in bytes of the complete lines read so far. After a crash, writing resumes there.
    pub fn complete_bytes(&self) -> u64 {
        self.complete
    }

    /// The last line read, including its line break.
    pub fn last_line(&self) -> &str {
        &self.buffer
    }
}

/// Reads a line of a log, and makes all its texts safe to show: a log may come from anywhere.
///
/// # Errors
///
/// Fails if the line is not JSON or does not fit the type.
pub fn from_line<T: DeserializeOwned>(line: &str) -> serde_json::Result<T> {
    let read = serde_json::from_str(line)?;
    if !may_be_unsafe(line) {
        return Ok(read);
    }
    let mut value = serde_json::from_str(line)?;
    make_visible(&mut value, false);
    serde_json::from_value(value)
}

/// Whether a JSON line may hold an unsafe character, as it is or as an escape.
fn may_be_unsafe(line: &str) -> bool {
    let mut rest = line.trim_end_matches('\n');
    if visible(rest) != rest {
        return true;
    }
    while let Some(at) = rest.find('\\') {
        match rest.as_bytes().get(at + 1) {
            Some(b'"' | b'\\' | b'/') => rest = &rest[at + 2..],
            _ => return true,
        }
    }
    false
}

/// Makes all strings of a value visible; only the output of an engine has several lines.
fn make_visible(value: &mut Value, is_output: bool) {
    match value {
        Value::String(text) if is_output => *text = visible_lines(text).into_owned(),
        Value::String(text) => *text = visible(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(|v| make_visible(v, is_output)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(name, v)| make_visible(v, ["stdout", "stderr"].contains(&name.as_str()))),
        _ => {}
    }
}

impl Iterator for Games {
    type Item = Result<GameRecord, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_line();
        if let (Ok(_), Some(broken)) = (&next, self.take_broken_link()) {
            return Some(Err(self.bad_line(broken)));
        }
        match next {
            Err(e) => Some(Err(e)),
            Ok(false) => None,
            Ok(true) => Some(from_line(&self.buffer).map_err(|e| self.bad_line(e))),
        }
    }
}
