//! Writes a log: creates or resumes it and writes one line per finished game immediately. Lines are only
//! added, so that a hash of the last one stays in the chain.

use super::chain::{Chain, Mark, linked};
use super::file::{LogFile, Rescue};
use super::read::open;
use super::{
    Continuation, GameRecord, LogEnd, LogError, LogGames, MatchHeader, Origin, Resumption,
};
use std::path::Path;

/// An open log, locked against other referees.
#[derive(Debug)]
pub struct LogWriter {
    file: LogFile,
    games: u64,
    /// Whether the log has its end line.
    ended: bool,
    /// What is to be said before the first game if the log was there already.
    resumption: Option<Resumption>,
    /// The length and the chain before the continuation that this writer has added.
    continued: Option<(u64, Chain)>,
}

impl LogWriter {
    /// Creates the log, resumes an existing one, or continues it if `header` has a continuation more.
    /// `create` is called before the header of a new log, or the continuation, is written; `resume`
    /// reads the games of an existing log to their end and checks them.
    ///
    /// # Errors
    ///
    /// Fails, without changing the file, if it is not a log, the log of another match, or locked, and
    /// with the errors of `create` and `resume`.
    pub fn open<E: From<LogError>>(
        path: &Path,
        header: &MatchHeader,
        create: impl FnOnce() -> Result<(), E>,
        resume: impl FnOnce(&mut LogGames) -> Result<(), E>,
    ) -> Result<LogWriter, E> {
        header.check().map_err(LogError::NoMatch)?;
        let error = |e| LogError::io(path, e);
        let line = header.line().map_err(|e| error(e.into()))?;
        let file = LogFile::open(path)?;
        let mut writer =
            LogWriter { file, games: 0, ended: false, resumption: None, continued: None };
        if !writer.has_complete_line().map_err(error)? {
            create()?;
            writer.file.begin(&line).map_err(error)?;
            return Ok(writer);
        }
        let (there, mut games) = open(path)?;
        header.expect_same_match(&there, path)?;
        resume(&mut games)?;
        writer.follow(&games, header.origin.clone());
        if let Some(next) = header.continuations.get(there.continuations.len()) {
            create()?;
            writer.proceed(next)?;
        }
        Ok(writer)
    }

    /// Goes on after the last complete line of a log that was read to its end.
    fn follow(&mut self, games: &LogGames, origin: Option<Origin>) {
        if let Some(chain) = games.followed() {
            self.file.follow(chain, games.complete_bytes());
        }
        self.games = games.games();
        self.ended = games.end().is_some();
        self.resumption = Some(Resumption { games: self.games, origin, discarded: None });
    }

    /// Adds a continuation: another section begins.
    fn proceed(&mut self, next: &Continuation) -> Result<(), LogError> {
        let torn = self.discard_torn()?;
        let (before, chain) = (self.file.complete(), self.file.chain().clone());
        self.append_mark(&Mark::Continue(next.clone()))?;
        // A torn line is said after the continuation, which then stays.
        self.continued = (!torn).then_some((before, chain));
        if std::mem::take(&mut self.ended) && !torn {
            // The end line says how many games there are, and the continuation who goes on.
            self.resumption = None;
        }
        Ok(())
    }

    /// Removes an incomplete last line; returns whether there was one.
    fn discard_torn(&mut self) -> Result<bool, LogError> {
        let torn = self.file.discard_torn()?;
        let found = torn.is_some();
        if let Some(resumption) = self.resumption.as_mut().filter(|_| found) {
            resumption.discarded = torn;
        }
        Ok(found)
    }

    /// Says in a log that was there already that games are added to it from now on.
    pub fn begin(&mut self) -> Result<(), LogError> {
        self.discard_torn()?;
        match self.resumption.take() {
            Some(resumption) => self.append_mark(&Mark::Resume(resumption)),
            None => Ok(()),
        }
    }

    /// Removes the continuation that this writer has added, if no line follows it. Nothing can be
    /// written afterwards. Returns whether it was removed.
    pub fn withdraw(&mut self) -> Result<bool, LogError> {
        let Some((before, chain)) = self.continued.take() else { return Ok(false) };
        self.file.withdraw(before, chain)?;
        Ok(true)
    }

    /// Whether the file has a complete line. A torn header line is rewritten. Any other file
    /// without a line break is an error, so that its contents are preserved.
    fn has_complete_line(&mut self) -> std::io::Result<bool> {
        let start = self.file.start(1 << 20)?;
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
    ///
    /// # Errors
    ///
    /// Fails if the line cannot be written, and without writing if somebody else has changed the file.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), LogError> {
        let line = self.game_line(self.file.head(), game)?;
        self.file.append(&line)?;
        self.continued = None;
        self.games += 1;
        Ok(())
    }

    fn game_line(&self, prev: &str, game: &GameRecord) -> Result<String, LogError> {
        let object = serde_json::to_string(game);
        Ok(linked(prev, &object.map_err(|e| LogError::io(self.file.path(), e.into()))?))
    }

    fn append_mark(&mut self, mark: &Mark) -> Result<(), LogError> {
        let line = mark.line(self.file.head());
        let line = line.map_err(|e| LogError::io(self.file.path(), e.into()))?;
        self.continued = None;
        self.file.append(&line)
    }

    /// Saves games that can no longer be appended, because somebody else has changed the file. `None`
    /// if there is nothing to save.
    pub fn rescue(&mut self, games: &[GameRecord]) -> Result<Option<Rescue>, LogError> {
        let mut chain = self.file.chain().clone();
        let mut lines = String::new();
        for game in games {
            let line = self.game_line(chain.head(), game)?;
            chain.push(&line);
            lines.push_str(&line);
        }
        let path = self.file.path().to_path_buf();
        self.file.rescue(&lines).map_err(|e| LogError::io(&path, e))
    }

    /// The path under which the log was opened.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The hash of the last line.
    pub fn head(&self) -> &str {
        self.file.head()
    }

    /// Completes a log: reads it once more, and renames it if it has a temporary name. A match that is
    /// over gets its end line, with the secret if it is revealed.
    ///
    /// # Errors
    ///
    /// Fails if somebody else has changed the file, or with the system's error.
    pub fn finish(&mut self, final_path: &Path, end: Option<EndOf>) -> Result<(), LogError> {
        self.file.sync()?;
        self.file.expect_whole()?;
        if let Some(EndOf { secret }) = end.filter(|_| !self.ended) {
            // Only the end line may have been missing.
            self.begin()?;
            self.append_mark(&Mark::End(LogEnd { games: self.games, secret }))?;
            self.file.sync()?;
        }
        if self.file.path() != final_path {
            let renamed = std::fs::rename(self.file.path(), final_path);
            renamed.map_err(|e| LogError::io(final_path, e))?;
        }
        Ok(())
    }
}

/// The end of a match, for the end line of its log.
#[derive(Clone, Debug, Default)]
pub struct EndOf {
    /// The secret in hexadecimal, if it is revealed.
    pub secret: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameResult, PlyScore, PlyStats, Reason, head, read};
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
            worker: None,
            stats: PlyStats {
                us: vec![1, 2],
                depth: vec![Some(1), None],
                nodes: vec![Some(9), None],
                leaves: vec![Some(7), None],
                stall_ms: vec![0, 25],
                score: vec![Some(PlyScore(Score::Cp(-5))), Some(PlyScore(Score::Mate(-2)))],
                expected: vec![Some(480), None],
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
        let resume = |games: &mut LogGames| games.try_for_each(|game| game.map(&mut seen));
        LogWriter::open(path, header, || Ok(()), resume)
    }

    fn write(path: &Path, games: &[u64]) -> Vec<u64> {
        let mut seen = Vec::new();
        let mut writer = open_log(path, &MatchHeader::example(), |g| seen.push(g.game)).unwrap();
        writer.begin().unwrap();
        games.iter().for_each(|&n| writer.append(&game(n)).unwrap());
        seen
    }

    fn resumptions(path: &Path) -> Vec<Resumption> {
        let (_, games) = open(path).unwrap();
        games.resumptions().iter().map(|(_, resumption)| resumption.clone()).collect()
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
            assert_eq!(read(&path).unwrap().games, [game(0), game(1), game(2)], "cut at {cut}");
            let found = resumptions(&path);
            let begins = whole[..cut].iter().rposition(|&b| b == b'\n').map(|at| at + 1);
            let Some(begins) = begins else { continue };
            let torn = found[0].discarded.as_ref().map_or(0, |torn| torn.bytes);
            assert_eq!((found[0].games, torn), (seen.len() as u64, (cut - begins) as u64));
            assert_eq!((found.len(), found[1].games), (2, seen.len() as u64), "cut at {cut}");
        }
    }

    #[test]
    fn a_resumption_that_lies_about_the_games_before_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &[0]);
        write(&path, &[1]);
        let text = std::fs::read_to_string(&path).unwrap();
        let other = text.replace("\"resume\":{\"games\":1", "\"resume\":{\"games\":2");
        assert_ne!(other, text);
        std::fs::write(&path, other).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(
            error.contains("line 3: resume.games is 2: the log has 1 game before it"),
            "{error}"
        );
        std::fs::write(&path, text.replace("log\":3", "log\":2")).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("line 3: only logs of format 3 have such a line"), "{error}");
        std::fs::write(&path, text.replace("log\":3", "log\":1")).unwrap();
        assert!(read(&path).is_err());
    }

    /// What somebody does to the log while a referee writes it.
    #[cfg(unix)]
    type Change = fn(&Path);

    #[cfg(unix)]
    const CHANGES: [(&str, bool, Change); 7] = [
        ("it is gone", true, |path| std::fs::remove_file(path).unwrap()),
        ("it is gone", true, |path| std::fs::rename(path, path.with_extension("x")).unwrap()),
        ("another file has taken its place", true, |path| {
            let text = std::fs::read(path).unwrap();
            std::fs::write(path.with_extension("new"), text).unwrap();
            std::fs::rename(path.with_extension("new"), path).unwrap();
        }),
        ("9 bytes were cut off at its end", false, |path| {
            let length = std::fs::metadata(path).unwrap().len();
            let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(length - 9).unwrap();
        }),
        ("4 bytes were added at its end", true, |path| {
            let text = std::fs::read_to_string(path).unwrap() + "{}\n\n";
            std::fs::write(path, text).unwrap();
        }),
        ("lines of it were changed", false, |path| {
            let text = std::fs::read_to_string(path).unwrap();
            std::fs::write(path, text.replacen("\"game\":1,", "\"game\":7,", 1)).unwrap();
        }),
        ("lines of it were changed", false, |path| {
            let text = std::fs::read_to_string(path).unwrap();
            std::fs::write(path, text.replacen("\"game\":0,", "\"game\":7,", 1)).unwrap();
        }),
    ];

    #[cfg(unix)]
    #[test]
    fn a_log_that_somebody_else_changes_is_left_alone_and_its_games_are_saved() {
        for (reason, whole, change) in CHANGES {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log");
            let mut writer = open_log(&path, &MatchHeader::example(), |_| ()).unwrap();
            [0, 1].iter().for_each(|&n| writer.append(&game(n)).unwrap());
            // The clock of the file system is coarse.
            std::thread::sleep(std::time::Duration::from_millis(20));
            change(&path);
            let there = std::fs::read(&path).ok();
            let error = writer.append(&game(2)).unwrap_err();
            assert!(matches!(error, LogError::Disturbed { .. }), "{error}");
            assert!(error.to_string().contains(reason), "{reason}: {error}");
            assert_eq!(std::fs::read(&path).ok(), there, "{reason}");
            let rescue = writer.rescue(&[game(2), game(3)]).unwrap().unwrap();
            assert_eq!(rescue.path, path.with_extension("rescue"));
            assert_eq!(rescue.follows.is_none(), whole, "{reason}");
            if whole {
                let log = read(&rescue.path).unwrap();
                assert_eq!(log.games, [0, 1, 2, 3].map(game), "{reason}");
                let (_, mut games) = open(&rescue.path).unwrap();
                assert_eq!(games.by_ref().filter_map(Result::ok).count(), 4);
            } else {
                let text = std::fs::read_to_string(&rescue.path).unwrap();
                let lines: Vec<&str> = text.lines().collect();
                assert_eq!(lines.len(), 2);
                assert!(lines[0].contains(writer.head()) && lines[1].contains("\"game\":3"));
            }
            let again = writer.rescue(&[game(2)]).unwrap().unwrap();
            assert_eq!(again.path, path.with_extension("rescue2"), "no file is overwritten");
            assert!(writer.finish(&path, Some(EndOf::default())).is_err(), "{reason}");
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
    fn a_finished_log_keeps_the_order_of_its_lines_and_so_every_hash() {
        let folder = tempfile::tempdir().unwrap();
        let (part, done) = (folder.path().join("log.part"), folder.path().join("log"));
        let mut writer = open_log(&part, &MatchHeader::example(), |_| ()).unwrap();
        [2, 0, 1].iter().for_each(|&n| writer.append(&game(n)).unwrap());
        let early = head(&part).unwrap();
        writer.finish(&done, Some(EndOf { secret: Some("ab".into()) })).unwrap();
        let (_, mut games) = open(&done).unwrap();
        games.look_for(&[early.to_uppercase(), "00".repeat(16)]);
        assert_eq!(games.by_ref().map(|g| g.unwrap().game).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(games.end(), Some(&LogEnd { games: 3, secret: Some("ab".into()) }));
        assert_eq!(games.followed().map(Chain::head), Some(writer.head()));
        assert_eq!(games.looked_for()[0], (early, Some((4, 3))));
        assert_eq!(games.looked_for()[1].1, None);
        assert_eq!(head(&done).unwrap(), writer.head());
        assert!(!part.exists());
    }
}
