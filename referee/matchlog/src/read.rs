//! Reads logs line by line; a last line torn by a crash is dropped.

use super::chain::{Chain, MARK, is_continuation, is_mark, parse_end, split};
use super::{Continuation, FORMAT, GameRecord, LogEnd, LogError, MatchHeader};
use agon_base::files;
use agon_games::text::{visible, visible_lines};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A whole log in memory, games in schedule order.
#[derive(Clone, Debug)]
pub struct Log {
    /// The match.
    pub header: MatchHeader,
    /// The finished games, sorted by [`GameRecord::game`] without duplicates.
    pub games: Vec<GameRecord>,
}

/// Reads the games of a log one at a time, in file order.
#[derive(Debug)]
pub struct LogGames {
    path: PathBuf,
    input: BufReader<File>,
    line: u64,
    buffer: String,
    /// Number of bytes of the complete lines read so far.
    complete: u64,
    /// The chain, if it is followed.
    chain: Option<Chain>,
    /// The first line whose link is wrong, and how.
    broken: Option<(u64, String)>,
    /// The end line of each section.
    ends: Vec<Option<LogEnd>>,
    at: SectionState,
    start: SectionStart,
    /// The number of games read so far.
    games: u64,
}

#[derive(serde::Deserialize)]
struct ContinuationLine {
    #[serde(rename = "continue")]
    continuation: Continuation,
}

/// What is wrong with a line that should not be there.
const AFTER_END: &str = "a line after the end of the log";

/// Where the reader is in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SectionState {
    /// Among the games.
    Games,
    /// After the end line.
    End,
    /// After the section: the last line is the continuation.
    Continuation,
}

/// Where a section begins.
#[derive(Clone, Debug, Default)]
pub struct SectionStart {
    /// The length of the file before its first game, in bytes.
    pub bytes: u64,
    /// The number of games before it.
    pub games: u64,
    /// The chain up to there, if it is followed.
    pub chain: Option<Chain>,
}

/// Opens a log and reads its header, with all continuations; the games are read on demand.
pub fn open(path: &Path) -> Result<(MatchHeader, LogGames), LogError> {
    let error = |e| LogError::io(path, e);
    files::regular(path).map_err(error)?;
    let file = File::open(path).map_err(error)?;
    let mut games = LogGames {
        path: path.to_path_buf(),
        input: BufReader::with_capacity(1 << 16, file),
        line: 0,
        buffer: String::new(),
        complete: 0,
        chain: None,
        broken: None,
        ends: Vec::new(),
        at: SectionState::Games,
        start: SectionStart::default(),
        games: 0,
    };
    let not_a_log = |reason: String| LogError::NotALog { path: path.display().to_string(), reason };
    if !games.next_complete()? {
        return Err(not_a_log("it has no complete first line".into()));
    }
    let mut header: MatchHeader =
        from_line(&games.buffer).map_err(|e| {
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
    games.start.bytes = games.complete;
    games.find_sections(&mut header)?;
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
            reason: format!("game {} is in it twice", twice[0].number()),
        });
    }
    Ok(Log { header, games })
}

impl LogGames {
    /// Finds the continuations and the end lines, then returns to the line after the header.
    fn find_sections(&mut self, header: &mut MatchHeader) -> Result<(), LogError> {
        let first_line = std::mem::take(&mut self.buffer);
        let mut end: Option<LogEnd> = None;
        let path = self.path.clone();
        let io = |e| LogError::io(&path, e);
        let mut line = Vec::new();
        loop {
            line.clear();
            let next = self.input.fill_buf().map_err(io)?;
            // A game costs only the search for its end.
            let is_game = end.is_none() && next.len() >= MARK && !is_mark(next);
            self.line += 1;
            if is_game {
                self.input.skip_until(b'\n').map_err(io)?;
                continue;
            }
            self.input.read_until(b'\n', &mut line).map_err(io)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            // Game lines are only looked at later.
            if !is_mark(&line) {
                if end.is_some() {
                    return Err(self.bad_line(AFTER_END));
                }
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            if let Some(read) = parse_end(&text) {
                if end.is_some() {
                    return Err(self.bad_line(AFTER_END));
                }
                end = Some(read.map_err(|e| self.bad_line(e))?);
                continue;
            }
            let next: ContinuationLine = from_line(&text).map_err(|e| self.bad_line(e))?;
            let revealed = end.as_ref().is_some_and(|end| end.secret.is_some());
            header.extend(next.continuation, revealed).map_err(|e| self.bad_line(e))?;
            self.ends.push(end.take());
        }
        self.ends.push(end);
        self.input.seek(SeekFrom::Start(self.complete)).map_err(io)?;
        (self.line, self.buffer) = (1, first_line);
        Ok(())
    }

    /// Follows the chain from the header on; call it before the first game is read. Logs of format 1
    /// have none.
    pub fn follow_chain(&mut self, header: &MatchHeader) {
        if header.agon_match_log > 1 && self.line == 1 {
            self.chain = Some(Chain::new(&self.buffer));
            self.start.chain.clone_from(&self.chain);
        }
    }

    /// The chain up to the last line, if it is followed.
    pub fn followed(&self) -> Option<&Chain> {
        self.chain.as_ref()
    }

    /// The number of the first line whose link is wrong, and what is wrong with it, if the chain is
    /// followed; said once.
    pub fn take_broken_link(&mut self) -> Option<(u64, String)> {
        self.broken.take()
    }

    /// The end line of each section, in order; the last one is that of the log.
    pub fn ends(&self) -> &[Option<LogEnd>] {
        &self.ends
    }

    /// The end line of the log.
    pub fn end(&self) -> Option<&LogEnd> {
        self.ends.last()?.as_ref()
    }

    /// Where the section begins that is being read.
    pub fn section_start(&self) -> &SectionStart {
        &self.start
    }

    /// Goes to the first game of the last section.
    pub fn skip_to_last_section(&mut self) -> Result<(), LogError> {
        for _ in 1..self.ends.len() {
            while self.next_in_section()? {}
            self.next_section();
        }
        Ok(())
    }

    /// Reads the next game's complete line for [`LogGames::last_line`]; returns `false` at the end of the
    /// log or at a torn last line.
    ///
    /// # Errors
    ///
    /// Fails on a game after the end line.
    pub fn next_line(&mut self) -> Result<bool, LogError> {
        while !self.next_in_section()? {
            if !self.next_section() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// As [`LogGames::next_line`], but returns `false` also at a continuation.
    pub fn next_in_section(&mut self) -> Result<bool, LogError> {
        while self.at != SectionState::Continuation {
            if !self.next_complete()? {
                return Ok(false);
            }
            if let Some(Err(broken)) = self.chain.as_mut().map(|chain| chain.check(&self.buffer)) {
                self.broken.get_or_insert((self.line, broken));
            }
            if is_continuation(&self.buffer) {
                self.at = SectionState::Continuation;
            } else if self.at == SectionState::End {
                return Err(self.bad_line(AFTER_END));
            } else if parse_end(&self.buffer).is_some() {
                self.at = SectionState::End;
            } else {
                self.games += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Enters the next section; returns `false` if there is none.
    pub fn next_section(&mut self) -> bool {
        let more = self.at == SectionState::Continuation;
        if more {
            self.at = SectionState::Games;
            let chain = self.chain.clone();
            self.start = SectionStart { bytes: self.complete, games: self.games, chain };
        }
        more
    }

    fn next_complete(&mut self) -> Result<bool, LogError> {
        self.buffer.clear();
        let mut bytes = std::mem::take(&mut self.buffer).into_bytes();
        let n =
            self.input.read_until(b'\n', &mut bytes).map_err(|e| LogError::io(&self.path, e))?;
        if bytes.last() != Some(&b'\n') {
            return Ok(false);
        }
        self.line += 1;
        self.buffer = String::from_utf8(bytes).map_err(|_| self.bad_line("not UTF-8 text"))?;
        self.complete += n as u64;
        Ok(true)
    }

    /// The number of the last complete line, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
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

    /// Reads the next line for [`LogGames::last_line`] and returns its game number; `None` at the end.
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

impl Iterator for LogGames {
    type Item = Result<GameRecord, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_line();
        if let (Ok(_), Some((line, reason))) = (&next, self.take_broken_link()) {
            self.line = line;
            return Some(Err(self.bad_line(reason)));
        }
        match next {
            Err(e) => Some(Err(e)),
            Ok(false) => None,
            Ok(true) => Some(from_line(&self.buffer).map_err(|e| self.bad_line(e))),
        }
    }
}
