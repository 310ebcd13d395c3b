//! Reads logs line by line; a last line torn by a crash is dropped.

use super::chain::{Chain, MARK, Mark, is_mark, line_hash, split};
use super::game_line::GameReader;
use super::header::newer_field;
use super::line::from_line;
use super::{FORMAT, GameRecord, GameSet, LogEnd, LogError, MatchHeader, MergedPart, Resumption};
use agon_base::counted;
use agon_wire::input_file;
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Reads the games of a log one at a time, in file order.
#[derive(Debug)]
pub struct LogGames {
    path: PathBuf,
    input: BufReader<File>,
    line: u64,
    buffer: String,
    /// Number of bytes of the complete lines read so far.
    complete: u64,
    /// The chain; logs of format 1 have none.
    chain: Option<Chain>,
    /// Whether the lines are chained.
    chained: bool,
    /// The lines whose link is wrong, or that contradict the lines before them, and how.
    broken: VecDeque<(u64, String)>,
    is_broken: bool,
    /// The end line of each section.
    ends: Vec<Option<LogEnd>>,
    /// The lines of resumptions, with their numbers.
    resumptions: Vec<(u64, Resumption)>,
    /// The logs that were merged into this one.
    parts: Vec<MergedPart>,
    at: SectionState,
    reader: GameReader,
    /// The number of games read so far.
    games: u64,
    /// The number of bytes after the last complete line.
    torn: usize,
    /// The last line of a section before its end line.
    last_of_section: u64,
    /// Hashes that are looked for, and the line, with the games up to it, that has each of them.
    wanted: Vec<(String, Option<(u64, u64)>)>,
    /// The games that [`LogGames::next`] has returned.
    seen: GameSet,
}

/// What is wrong with a line that should not be there.
const AFTER_END: &str = "a line after the end of the log";

/// What is wrong with a file without a header.
const NO_LINE: &str = "it has no complete first line";

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

/// Opens a log and reads its header, with all continuations; the games are read on demand.
pub fn open(path: &Path) -> Result<(MatchHeader, LogGames), LogError> {
    let error = |e| LogError::io(path, e);
    let file = input_file::open(path).map_err(error)?;
    let not_a_log = |reason: String| LogError::NotALog { path: path.display().to_string(), reason };
    // A file that the system makes up as it is read may never end.
    if file.metadata().map_err(error)?.len() == 0 {
        return Err(not_a_log(NO_LINE.into()));
    }
    let mut games = LogGames {
        path: path.to_path_buf(),
        input: BufReader::with_capacity(1 << 16, file),
        line: 0,
        buffer: String::new(),
        complete: 0,
        chain: None,
        chained: true,
        broken: VecDeque::new(),
        is_broken: false,
        ends: Vec::new(),
        resumptions: Vec::new(),
        parts: Vec::new(),
        at: SectionState::Games,
        reader: GameReader::default(),
        games: 0,
        torn: 0,
        last_of_section: 1,
        wanted: Vec::new(),
        seen: GameSet::default(),
    };
    if !games.next_complete()? {
        return Err(not_a_log(NO_LINE.into()));
    }
    let mut header: MatchHeader =
        from_line(&games.buffer).map_err(|e| {
            match serde_json::from_str::<Value>(&games.buffer) {
                Ok(v) if v.get("agon_match_log").is_some_and(|f| !is_known(f)) => {
                    not_a_log(unknown_format(&v["agon_match_log"]))
                }
                _ => not_a_log(format!("its first line is no match header: {e}")),
            }
        })?;
    if !(1..=FORMAT).contains(&header.agon_match_log) {
        return Err(not_a_log(unknown_format(&header.agon_match_log)));
    }
    header.check().map_err(|reason| games.bad_line(reason))?;
    games.chained = header.agon_match_log > 1;
    games.chain = games.chained.then(|| Chain::new(&games.buffer));
    if let Some(field) = newer_field(&games.buffer, &header) {
        games.broken.push_back((1, taken_back(&format!("`{field}`"))));
    }
    games.find_sections(&mut header)?;
    games.reader = GameReader::new(&header);
    Ok((header, games))
}

fn is_known(format: &Value) -> bool {
    format.as_u64().is_some_and(|format| (1..=u64::from(FORMAT)).contains(&format))
}

fn unknown_format(format: &impl std::fmt::Display) -> String {
    format!("its format is {format}, this program reads formats 1 to {FORMAT}")
}

/// What is wrong with a log that claims format 1 and has what only newer ones have.
fn taken_back(what: &str) -> String {
    format!(
        "it has {what}, and the header says format 1, which has none: the header was taken back from a \
         newer format"
    )
}

/// The hash of a log's last complete line.
pub fn head(path: &Path) -> Result<String, LogError> {
    let error = |e| LogError::io(path, e);
    let mut file = input_file::open(path).map_err(error)?;
    let length = file.seek(SeekFrom::End(0)).map_err(error)?;
    let (mut bytes, mut begin) = (Vec::new(), length);
    loop {
        let step = begin.min(1 << 16);
        begin -= step;
        let mut block = vec![0; step as usize];
        file.seek(SeekFrom::Start(begin)).map_err(error)?;
        file.read_exact(&mut block).map_err(error)?;
        bytes.splice(..0, block);
        let mut ends = (0..bytes.len()).rev().filter(|&i| bytes[i] == b'\n');
        let (end, before) = (ends.next(), ends.next());
        if let Some(end) = end.filter(|_| before.is_some() || begin == 0) {
            let line = &bytes[before.map_or(0, |at| at + 1)..end];
            return Ok(line_hash(&String::from_utf8_lossy(line)));
        }
        if begin == 0 {
            let (path, reason) = (path.display().to_string(), "it has no complete line".into());
            return Err(LogError::NotALog { path, reason });
        }
    }
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
                self.torn = line.len();
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
            let Some(object) = Mark::object(&text) else { continue };
            let mark: Mark = from_line(&object).map_err(|e| self.bad_line(e))?;
            let (format, needed) = (header.agon_match_log, mark.format());
            if format < needed {
                return Err(self.bad_line(format!(
                    "only logs of format {needed} have such a line: the header says format {format}"
                )));
            }
            if end.is_some() && !matches!(mark, Mark::Continue(_)) {
                return Err(self.bad_line(AFTER_END));
            }
            match mark {
                Mark::End(read) => end = Some(read),
                Mark::Resume(resumption) => self.resumptions.push((self.line, resumption)),
                Mark::Merged(parts) => self.parts.extend(parts),
                Mark::Continue(next) => {
                    let revealed = end.as_ref().is_some_and(|end| end.secret.is_some());
                    header.extend(next, revealed).map_err(|e| self.bad_line(e))?;
                    self.ends.push(end.take());
                }
            }
        }
        self.ends.push(end);
        self.input.seek(SeekFrom::Start(self.complete)).map_err(io)?;
        (self.line, self.buffer) = (1, first_line);
        Ok(())
    }

    /// Looks for lines with these hashes; call it before the first game is read.
    pub fn look_for(&mut self, heads: &[String]) {
        self.wanted = heads.iter().map(|head| (head.to_lowercase(), None)).collect();
        self.compare_head();
    }

    /// The hashes that are looked for, and the number of the line, with the number of games up to it, that
    /// has each of them.
    pub fn looked_for(&self) -> &[(String, Option<(u64, u64)>)] {
        &self.wanted
    }

    fn compare_head(&mut self) {
        let Some(chain) = &self.chain else { return };
        let found = self.wanted.iter_mut().filter(|(head, _)| head == chain.head());
        found.for_each(|(_, place)| *place = Some((self.line, self.games)));
    }

    /// The chain up to the last line; `None` in logs of format 1.
    pub fn followed(&self) -> Option<&Chain> {
        self.chain.as_ref()
    }

    /// The number of the first line whose link is wrong, or that contradicts what was read before it, and
    /// what is wrong with it; said once.
    pub fn take_broken_link(&mut self) -> Option<(u64, String)> {
        self.broken.pop_front()
    }

    /// Fails with what [`LogGames::take_broken_link`] says.
    pub fn expect_sound(&mut self) -> Result<(), LogError> {
        let Some((line, reason)) = self.take_broken_link() else { return Ok(()) };
        self.line = line;
        Err(self.bad_line(reason))
    }

    /// The end line of each section, in order; the last one is that of the log.
    pub fn ends(&self) -> &[Option<LogEnd>] {
        &self.ends
    }

    /// The end line of the log.
    pub fn end(&self) -> Option<&LogEnd> {
        self.ends.last()?.as_ref()
    }

    /// The number of bytes after the end line of a log; the system may leave some at the end of a file after a
    /// crash, but not where nothing more is written.
    pub fn after_end(&self) -> usize {
        self.end().map_or(0, |_| self.torn)
    }

    /// The lines of resumptions, with their numbers.
    pub fn resumptions(&self) -> &[(u64, Resumption)] {
        &self.resumptions
    }

    /// The logs that were merged into this one.
    pub fn parts(&self) -> &[MergedPart] {
        &self.parts
    }

    /// The number of games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of the last line of the section read so far, without its end line.
    pub fn last_of_section(&self) -> u64 {
        self.last_of_section
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
                // One broken link is enough.
                if !std::mem::replace(&mut self.is_broken, true) {
                    self.broken.push_back((self.line, broken));
                }
            }
            let (prev, fields) = split(&self.buffer);
            if prev.is_some() && !self.chained && !std::mem::replace(&mut self.is_broken, true) {
                let reason = taken_back("a hash of the line before (\"prev\")");
                self.broken.push_back((self.line, reason));
            }
            if fields.starts_with("\"continue\":") {
                self.at = SectionState::Continuation;
            } else if self.at == SectionState::End {
                return Err(self.bad_line(AFTER_END));
            } else if fields.starts_with("\"end\":") {
                self.at = SectionState::End;
            } else {
                self.last_of_section = self.line;
            }
            let is_game = !is_mark(self.buffer.as_bytes());
            self.games += u64::from(is_game);
            self.compare_head();
            if is_game {
                return Ok(true);
            }
            self.compare_resumption();
            self.compare_end();
        }
        Ok(false)
    }

    /// Compares what a resumption has found with the games before it.
    fn compare_resumption(&mut self) {
        let this = self.resumptions.iter().find(|(line, _)| *line == self.line);
        let Some((line, found)) = this.filter(|(_, found)| found.games != self.games) else {
            return;
        };
        let (is, wanted) = (found.games, self.games);
        let reason = format!(
            "resume.games is {is}: the log has {wanted} before it",
            wanted = counted(wanted, "game")
        );
        self.broken.push_back((*line, reason));
    }

    /// Compares the number of games in an end line with the games before it.
    fn compare_end(&mut self) {
        if self.at != SectionState::End {
            return;
        }
        let Ok(Mark::End(end)) = from_line::<Mark>(&Mark::object(&self.buffer).unwrap_or_default())
        else {
            return;
        };
        let (is, wanted) = (end.games, self.games);
        if is != wanted {
            let reason = format!(
                "end.games is {is}: the log has {wanted}",
                wanted = counted(wanted, "game")
            );
            self.broken.push_back((self.line, reason));
        }
    }

    /// Enters the next section; returns `false` if there is none.
    pub fn next_section(&mut self) -> bool {
        let more = self.at == SectionState::Continuation;
        if more {
            self.at = SectionState::Games;
            self.last_of_section = self.line;
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

    /// Reads the next line for [`LogGames::last_line`] and returns its game number and its worker; `None` at the end.
    pub fn next_numbered(&mut self) -> Result<Option<(u64, Option<String>)>, LogError> {
        #[derive(serde::Deserialize)]
        struct Numbered {
            game: u64,
            #[serde(default)]
            worker: Option<String>,
        }
        if !self.next_line()? {
            return Ok(None);
        }
        let line: Numbered = serde_json::from_str(&self.buffer).map_err(|e| self.bad_line(e))?;
        Ok(Some((line.game, line.worker)))
    }

    /// Reads the last line, which is that of a game.
    fn read_game(&mut self) -> Result<GameRecord, String> {
        let game = self.reader.read(&self.buffer)?;
        let number = game.number();
        let is_new = self.seen.insert(game.game);
        is_new.then_some(game).ok_or_else(|| format!("game {number} is in the log already"))
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

impl Iterator for LogGames {
    type Item = Result<GameRecord, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_line();
        match next.and_then(|more| self.expect_sound().map(|()| more)) {
            Err(e) => Some(Err(e)),
            Ok(false) => None,
            Ok(true) => Some(self.read_game().map_err(|e| self.bad_line(e))),
        }
    }
}
