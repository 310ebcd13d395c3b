//! Writes a log: creates or resumes it and writes one line per finished game immediately.

use super::chain::{Chain, continuation_line, end_line, linked};
use super::read::SectionStart;
use super::record::GameSet;
use super::{Continuation, FORMAT, GameRecord, LogEnd, LogError, LogGames, MatchHeader, open};
use agon_base::files;
use agon_games::hash::FastMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An open log, locked against other referees.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
    /// Whether all games of the section so far arrived in schedule order.
    sorted: bool,
    last: Option<u64>,
    chain: Chain,
    games: u64,
    /// Whether the log has its end line.
    ended: bool,
    section: SectionStart,
    /// The length of the file before the continuation that this writer has added, in bytes.
    continued: Option<u64>,
}

/// The numbers of the games in the last section of a log that is resumed.
#[derive(Clone, Debug, Default)]
pub struct ExpectedGames {
    sorted_games: u64,
    games: u64,
    last: Option<u64>,
}

impl ExpectedGames {
    /// Another section begins.
    pub fn next_section(&mut self) {
        *self = ExpectedGames::default();
    }

    /// Counts the next game of the log.
    pub fn push(&mut self, game: u64) {
        let sorted = self.sorted_games == self.games && self.last.is_none_or(|last| last < game);
        self.sorted_games += u64::from(sorted);
        self.games += 1;
        self.last = Some(game);
    }
}

impl LogWriter {
    /// Creates the log, resumes an existing one, or continues it if `header` has a continuation more.
    /// `create` is called before the header of a new log, or the continuation, is written; `resume`
    /// reads the games of an existing log and checks them.
    ///
    /// # Errors
    ///
    /// Fails, without changing the file, if it is not a log, the log of another match, or locked, and
    /// with the errors of `create` and `resume`.
    pub fn open<E: From<LogError>>(
        path: &Path,
        header: &MatchHeader,
        create: impl FnOnce() -> Result<(), E>,
        resume: impl FnOnce(&mut LogGames) -> Result<ExpectedGames, E>,
    ) -> Result<LogWriter, E> {
        header.check().map_err(LogError::NoMatch)?;
        let error = |e| LogError::io(path, e);
        let line = header.line().map_err(|e| error(e.into()))?;
        let mut writer = LogWriter::without_games(path, &line)?;
        if !writer.has_complete_line().map_err(error)? {
            create()?;
            writer.file.set_len(0).map_err(error)?;
            writer.file.rewind().map_err(error)?;
            writer.file.write_all(line.as_bytes()).map_err(error)?;
            return Ok(writer);
        }
        let (there, mut games) = open(path)?;
        header.expect_same_match(&there, path)?;
        games.follow_chain(&there);
        let order = resume(&mut games)?;
        writer.follow(&games, &order)?;
        if let Some(next) = header.continuations.get(there.continuations.len()) {
            create()?;
            writer.proceed(next)?;
        }
        Ok(writer)
    }

    /// Opens and locks the file of a log, whose first line is to be `header`.
    fn without_games(path: &Path, header: &str) -> Result<LogWriter, LogError> {
        let error = |e| LogError::io(path, e);
        files::regular(path).map_err(error)?;
        let mut options = OpenOptions::new();
        let opened = files::open_alone(options.read(true).append(true).create(true), path);
        let file = opened.map_err(|e| match e {
            TryLockError::WouldBlock => LogError::Locked { path: path.display().to_string() },
            TryLockError::Error(e) => error(e),
        })?;
        let chain = Chain::new(header);
        let (bytes, games) = (header.len() as u64, 0);
        Ok(LogWriter {
            path: path.into(),
            file,
            sorted: true,
            last: None,
            section: SectionStart { bytes, games, chain: Some(chain.clone()) },
            chain,
            games,
            ended: false,
            continued: None,
        })
    }

    /// Continues after the last complete line of a log that was read to its end.
    fn follow(&mut self, games: &LogGames, order: &ExpectedGames) -> Result<(), LogError> {
        if let Some(chain) = games.followed() {
            self.chain = chain.clone();
        }
        self.section = games.section_start().clone();
        self.sorted = order.sorted_games == order.games;
        (self.last, self.games) = (order.last, self.section.games + order.games);
        self.ended = games.end().is_some();
        self.file.set_len(games.complete_bytes()).map_err(|e| LogError::io(&self.path, e))
    }

    /// Adds a continuation: another section begins.
    fn proceed(&mut self, next: &Continuation) -> Result<(), LogError> {
        let error = |e| LogError::io(&self.path, e);
        let before = self.file.metadata().map_err(error)?.len();
        let line = continuation_line(self.chain.head(), next).map_err(|e| error(e.into()))?;
        self.append_line(&line)?;
        let bytes = before + line.len() as u64;
        self.section = SectionStart { bytes, games: self.games, chain: Some(self.chain.clone()) };
        (self.sorted, self.last, self.ended) = (true, None, false);
        self.continued = Some(before);
        Ok(())
    }

    /// Removes the continuation that this writer has added, if no game follows it. Nothing can be
    /// written afterwards. Returns whether it was removed.
    pub fn withdraw(&mut self) -> Result<bool, LogError> {
        let Some(before) = self.continued.filter(|_| self.games == self.section.games) else {
            return Ok(false);
        };
        self.file.set_len(before).map_err(|e| LogError::io(&self.path, e))?;
        Ok(true)
    }

    /// Whether the file has a complete line. A torn header line is rewritten. Any other file
    /// without a line break is an error, so that its contents are preserved.
    fn has_complete_line(&mut self) -> std::io::Result<bool> {
        let mut start = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        (&self.file).take(1 << 20).read_to_end(&mut start)?;
        if start.contains(&b'\n') {
            return Ok(true);
        }
        let torn_header = br#"{"agon_match_log":"#;
        let common = start.len().min(torn_header.len());
        if start[..common] == torn_header[..common] {
            return Ok(false);
        }
        Err(std::io::Error::other("the file exists and is not a match log"))
    }

    /// Appends a finished game. After an error the log still contains all earlier games.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), LogError> {
        let object = serde_json::to_string(game).map_err(|e| LogError::io(&self.path, e.into()))?;
        self.append_line(&linked(self.chain.head(), &object))?;
        self.sorted &= self.last.is_none_or(|last| last < game.game);
        self.last = Some(game.game);
        self.games += 1;
        Ok(())
    }

    fn append_line(&mut self, line: &str) -> Result<(), LogError> {
        let error = |e| LogError::io(&self.path, e);
        let before = self.file.seek(SeekFrom::End(0)).map_err(error)?;
        if let Err(e) = self.file.write_all(line.as_bytes()) {
            // If the disk is full, half a line may have been written.
            let _ = self.file.set_len(before);
            return Err(error(e));
        }
        self.chain.push(line);
        Ok(())
    }

    /// Completes a log: sorts the games into schedule order and renames the log if it has a
    /// temporary name. A match that is over gets its end line, with the secret if it is revealed.
    /// Returns the hash of the last line.
    pub fn finish(mut self, final_path: &Path, end: Option<EndOf>) -> Result<String, LogError> {
        let error = |e| LogError::io(&self.path, e);
        self.file.sync_all().map_err(error)?;
        let end = end.filter(|_| !self.ended);
        let head = if !self.sorted && !self.ended {
            let _lock = files::before_replacing(self.file);
            sort_section(&self.path, &self.section, self.chain, end.as_ref())?
        } else if let Some(EndOf { secret }) = end {
            let end = LogEnd { games: self.games, secret };
            let line = end_line(self.chain.head(), &end).map_err(|e| error(e.into()))?;
            self.append_line(&line)?;
            self.file.sync_all().map_err(|e| LogError::io(&self.path, e))?;
            self.chain.head().to_string()
        } else {
            self.chain.head().to_string()
        };
        if self.path != final_path {
            std::fs::rename(&self.path, final_path).map_err(|e| LogError::io(final_path, e))?;
        }
        Ok(head)
    }
}

/// Rewrites a log with the games of its last section in schedule order. `chain` is that of the whole
/// log.
fn sort_section(
    path: &Path,
    section: &SectionStart,
    chain: Chain,
    end: Option<&EndOf>,
) -> Result<String, LogError> {
    let start = File::open(path).map_err(|e| LogError::io(path, e))?.take(section.bytes);
    let chain = section.chain.clone().unwrap_or(chain);
    let logs = [path.to_path_buf()];
    Sorting { logs: &logs, start, chain, games: section.games }.write(end, path, |path| {
        let (_, mut games) = open(path)?;
        games.skip_to_last_section()?;
        Ok(games)
    })
}

/// The end of a match, for the end line of its log.
#[derive(Clone, Debug, Default)]
pub struct EndOf {
    /// The secret in hexadecimal, if it is revealed.
    pub secret: Option<String>,
}

/// Writes the games of `logs` to `out` in schedule order, either completely or not at all, with the
/// header and without continuations. Game lines are copied, duplicates once; only their links are new.
/// Memory grows with the disorder of the games, and by one bit per game. Returns the hash of the last
/// line.
pub fn write_sorted(
    logs: &[PathBuf],
    header: &MatchHeader,
    end: Option<&EndOf>,
    out: &Path,
) -> Result<String, LogError> {
    // A log of format 1 is written with a chain.
    let header = MatchHeader { agon_match_log: FORMAT, ..header.clone() };
    let line = header.line().map_err(|e| LogError::io(out, e.into()))?;
    let chain = Chain::new(&line);
    Sorting { logs, start: line.as_bytes(), chain, games: 0 }
        .write(end, out, |path| open(path).map(|(_, games)| games))
}

/// Games that are written in schedule order.
struct Sorting<'a, R> {
    logs: &'a [PathBuf],
    /// What stands before the games.
    start: R,
    /// The chain up to there.
    chain: Chain,
    /// The number of games there.
    games: u64,
}

impl<R: Read> Sorting<'_, R> {
    /// Writes the games that `read` gives of each log.
    fn write(
        mut self,
        end: Option<&EndOf>,
        out: &Path,
        read: impl Fn(&Path) -> Result<LogGames, LogError>,
    ) -> Result<String, LogError> {
        let mut present = GameSet::default();
        let mut cursors = Vec::new();
        for path in self.logs {
            let mut games = read(path)?;
            while let Some(number) = games.next_number()? {
                present.insert(number);
            }
            cursors.push(Cursor { games: read(path)?, last: None, ended: false });
        }
        let error = |e| LogError::io(out, e);
        let aside = files::public_temporary(files::folder_of(out)).map_err(error)?;
        let mut writer = BufWriter::with_capacity(1 << 16, aside);
        std::io::copy(&mut self.start, &mut writer).map_err(error)?;
        let Sorting { start, mut chain, mut games, .. } = self;
        let mut waiting: FastMap<u64, String> = FastMap::default();
        for number in present.iter() {
            while !waiting.contains_key(&number) {
                // The cursor with the lowest number is the most likely to have the wanted game next.
                let behind = cursors.iter_mut().filter(|c| !c.ended).min_by_key(|c| c.last);
                let Some(cursor) = behind else { break };
                cursor.advance(number, &mut waiting)?;
            }
            if let Some(object) = waiting.remove(&number) {
                let line = linked(chain.head(), &object);
                writer.write_all(line.as_bytes()).map_err(error)?;
                chain.push(&line);
                games += 1;
            }
        }
        if let Some(end) = end {
            let end = LogEnd { games, secret: end.secret.clone() };
            let line = end_line(chain.head(), &end).map_err(|e| error(e.into()))?;
            writer.write_all(line.as_bytes()).map_err(error)?;
            chain.push(&line);
        }
        let aside = writer.into_inner().map_err(|e| error(e.into_error()))?;
        aside.as_file().sync_all().map_err(error)?;
        // One of the logs may be the one to replace, and Windows replaces no open file.
        drop((start, cursors));
        files::replace(aside, out).map_err(error)?;
        Ok(chain.head().to_string())
    }
}

/// The read position in one log.
struct Cursor {
    games: LogGames,
    /// The number of the last game read.
    last: Option<u64>,
    ended: bool,
}

impl Cursor {
    /// Reads the next game. Its line waits, unless it is a duplicate of one before `number`, which is
    /// written already.
    fn advance(&mut self, number: u64, waiting: &mut FastMap<u64, String>) -> Result<(), LogError> {
        let Some(next) = self.games.next_number()? else {
            self.ended = true;
            return Ok(());
        };
        self.last = Some(next);
        if next >= number {
            waiting.entry(next).or_insert_with(|| format!("{{{}", self.games.last_fields()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameResult, PlyScore, PlyStats, Reason, read};
    use agon_wire::message::Score;

    fn game(number: u64) -> GameRecord {
        GameRecord {
            game: number,
            pair: number / 2,
            players: [0, 1],
            opening: "startpos".into(),
            moves: "a b".into(),
            by: "12".into(),
            result: GameResult::First,
            reason: Reason::Rules,
            ending: None,
            detail: None,
            fen: "x".into(),
            start: None,
            end: None,
            stats: PlyStats {
                us: vec![1, 2],
                depth: vec![Some(1), None],
                nodes: vec![Some(9), None],
                leaves: vec![Some(7), None],
                stall_ms: vec![0, 25],
                score: vec![Some(PlyScore(Score::Cp(-5))), Some(PlyScore(Score::Mate(-2)))],
            },
            stderr: None,
            stdout: None,
        }
    }

    fn open_log(
        path: &Path,
        header: &MatchHeader,
        mut seen: impl FnMut(GameRecord),
    ) -> Result<LogWriter, LogError> {
        let resume = |games: &mut LogGames| {
            let mut order = ExpectedGames::default();
            while let Some(game) = games.next().transpose()? {
                order.push(game.game);
                seen(game);
            }
            Ok(order)
        };
        LogWriter::open(path, header, || Ok(()), resume)
    }

    fn write(path: &Path, games: &[u64]) -> Vec<u64> {
        let mut seen = Vec::new();
        let mut writer = open_log(path, &MatchHeader::example(), |g| seen.push(g.game)).unwrap();
        games.iter().for_each(|&n| writer.append(&game(n)).unwrap());
        seen
    }

    #[test]
    fn a_log_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &[1, 0]);
        let log = read(&path).unwrap();
        assert_eq!(log.header, MatchHeader::example());
        assert_eq!(log.games, [game(0), game(1)]);
    }

    #[test]
    fn a_log_torn_at_any_byte_is_resumed_without_loss() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &[0, 1, 2]);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let seen = write(&path, &[]);
            let lines = whole[..cut].iter().filter(|&&b| b == b'\n').count();
            assert_eq!(seen.len(), lines.saturating_sub(1), "cut at {cut}");
            write(&path, &[0, 1, 2][seen.len()..]);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_log_of_another_match_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &[0]);
        let whole = std::fs::read(&path).unwrap();
        let mut other = MatchHeader::example();
        other.seed = Some(99);
        let message = open_log(&path, &other, |_| ()).unwrap_err().to_string();
        assert!(message.contains("seed is 1 there and 99 here"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        std::fs::write(&path, "my diary").unwrap();
        assert!(open_log(&path, &other, |_| ()).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"my diary");
    }

    #[test]
    fn a_second_referee_on_the_same_log_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let _first = open_log(&path, &MatchHeader::example(), |_| ()).unwrap();
        let second = open_log(&path, &MatchHeader::example(), |_| ()).unwrap_err();
        assert!(matches!(second, LogError::Locked { .. }), "{second}");
    }

    #[test]
    fn a_finished_log_is_in_schedule_order() {
        let folder = tempfile::tempdir().unwrap();
        let (part, done) = (folder.path().join("log.part"), folder.path().join("log"));
        let mut writer = open_log(&part, &MatchHeader::example(), |_| ()).unwrap();
        [2, 0, 1].iter().for_each(|&n| writer.append(&game(n)).unwrap());
        let head = writer.finish(&done, Some(EndOf { secret: Some("ab".into()) })).unwrap();
        let (header, mut games) = open(&done).unwrap();
        games.follow_chain(&header);
        assert_eq!(games.by_ref().map(|g| g.unwrap().game).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(games.end(), Some(&LogEnd { games: 3, secret: Some("ab".into()) }));
        assert_eq!(games.followed().map(Chain::head), Some(head.as_str()));
        assert!(!part.exists());
    }
}
