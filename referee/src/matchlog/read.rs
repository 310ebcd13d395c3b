//! Reads logs line by line; a last line torn by a crash is dropped.

use super::{FORMAT, GameRecord, Header, LogError};
use agon_protocol::text::{visible, visible_lines};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
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
    };
    let not_a_log = |reason: String| LogError::NotALog { path: path.display().to_string(), reason };
    if !games.next_line()? {
        return Err(not_a_log("it has no complete first line".into()));
    }
    let header: Header = from_line(&games.buffer).map_err(|e| {
        match serde_json::from_str::<Value>(&games.buffer) {
            Ok(v) if v.get("agon_match_log").is_some_and(|f| f != FORMAT) => not_a_log(format!(
                "its format is {}, this program reads format {FORMAT}",
                v["agon_match_log"]
            )),
            _ => not_a_log(format!("its first line is no match header: {e}")),
        }
    })?;
    if header.agon_match_log != FORMAT {
        let format = header.agon_match_log;
        return Err(not_a_log(format!(
            "its format is {format}, this program reads format {FORMAT}"
        )));
    }
    Ok((header, games))
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
    /// Reads the next complete line for [`Games::last_line`]; returns `false` at the end or at a
    /// torn last line.
    pub fn next_line(&mut self) -> Result<bool, LogError> {
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

    fn bad_line(&self, reason: impl ToString) -> LogError {
        LogError::BadLine {
            path: self.path.display().to_string(),
            line: self.line,
            reason: reason.to_string(),
        }
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
        match self.next_line() {
            Err(e) => Some(Err(e)),
            Ok(false) => None,
            Ok(true) => Some(from_line(&self.buffer).map_err(|e| self.bad_line(e))),
        }
    }
}
