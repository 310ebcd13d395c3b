//! Writes a log: creates or resumes it and writes one line per finished game immediately.

use super::game_set::GameSet;
use super::{GameRecord, Games, Header, LogError, open};
use agon_protocol::hash::FastMap;
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An open log, locked against other referees.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Whether all games so far arrived in schedule order.
    sorted: bool,
    last: Option<u64>,
}

impl Writer {
    /// Creates the log or resumes an existing one: `seen` is called with every game in it.
    ///
    /// # Errors
    ///
    /// Fails, without changing the file, if it is not a log, the log of another match, or locked.
    pub fn open(
        path: &Path,
        header: &Header,
        mut seen: impl FnMut(GameRecord),
    ) -> Result<Writer, LogError> {
        let error = |e| LogError::io(path, e);
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let file = options.open(path).map_err(error)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| LogError::Locked { path: path.display().to_string() })?;
        let mut writer = Writer { path: path.into(), file, sorted: true, last: None };
        if !writer.has_complete_line().map_err(error)? {
            writer.file.set_len(0).map_err(error)?;
            let line = header.line().map_err(|e| error(e.into()))?;
            writer.file.write_all(line.as_bytes()).map_err(error)?;
            return Ok(writer);
        }
        let (there, mut games) = open(path)?;
        let differences = header.differences(&there);
        if !differences.is_empty() {
            return Err(LogError::OtherMatch {
                path: path.display().to_string(),
                differences: differences.join("; "),
            });
        }
        for game in games.by_ref() {
            let game = game?;
            writer.note(&game);
            seen(game);
        }
        writer.file.set_len(games.complete_bytes()).map_err(error)?;
        Ok(writer)
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

    fn note(&mut self, game: &GameRecord) {
        self.sorted &= self.last.is_none_or(|last| last < game.game);
        self.last = Some(game.game);
    }

    /// Appends a finished game. After an error the log still contains all earlier games.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), LogError> {
        let error = |e| LogError::io(&self.path, e);
        let mut line = serde_json::to_string(game).map_err(|e| error(e.into()))?;
        line.push('\n');
        let before = self.file.metadata().map_err(error)?.len();
        if let Err(e) = self.file.write_all(line.as_bytes()) {
            // If the disk is full, half a line may have been written.
            let _ = self.file.set_len(before);
            return Err(error(e));
        }
        self.note(game);
        Ok(())
    }

    /// Completes a log: sorts the games into schedule order and renames the log if it has a
    /// temporary name.
    pub fn finish(self, final_path: &Path) -> Result<(), LogError> {
        self.file.sync_all().map_err(|e| LogError::io(&self.path, e))?;
        if !self.sorted {
            write_sorted(std::slice::from_ref(&self.path), None, &self.path)?;
        }
        if self.path != final_path {
            std::fs::rename(&self.path, final_path).map_err(|e| LogError::io(final_path, e))?;
        }
        Ok(())
    }
}

/// Writes the games of `logs` to `out` in schedule order, either completely or not at all. The
/// header is `header`, or else the first log's. Game lines are copied unchanged, duplicates once.
/// Memory grows with the disorder of the games, and by one bit per game.
pub fn write_sorted(logs: &[PathBuf], header: Option<&Header>, out: &Path) -> Result<(), LogError> {
    let mut present = GameSet::default();
    let mut cursors = Vec::new();
    let mut first_header = None;
    for path in logs {
        let (log_header, mut games) = open(path)?;
        first_header.get_or_insert(log_header);
        while let Some(number) = games.next_number()? {
            present.insert(number);
        }
        cursors.push(Cursor { games: open(path)?.1, last: None, ended: false });
    }
    let error = |e| LogError::io(out, e);
    let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let aside = tempfile::NamedTempFile::new_in(folder).map_err(error)?;
    let mut writer = BufWriter::with_capacity(1 << 16, aside);
    if let Some(header) = header.or(first_header.as_ref()) {
        let line = header.line().map_err(|e| error(e.into()))?;
        writer.write_all(line.as_bytes()).map_err(error)?;
    }
    let mut waiting: FastMap<u64, String> = FastMap::default();
    for number in present.iter() {
        while !waiting.contains_key(&number) {
            // The cursor with the lowest number is the most likely to have the wanted game next.
            let behind = cursors.iter_mut().filter(|c| !c.ended).min_by_key(|c| c.last);
            let Some(cursor) = behind else { break };
            match cursor.games.next_number()? {
                Some(n) => {
                    cursor.last = Some(n);
                    // Skip a duplicate line of a game that is already written.
                    if n >= number {
                        waiting.entry(n).or_insert_with(|| cursor.games.last_line().to_string());
                    }
                }
                None => cursor.ended = true,
            }
        }
        if let Some(line) = waiting.remove(&number) {
            writer.write_all(line.as_bytes()).map_err(error)?;
        }
    }
    let aside = writer.into_inner().map_err(|e| error(e.into_error()))?;
    make_readable(aside.as_file()).map_err(error)?;
    aside.as_file().sync_all().map_err(error)?;
    aside.persist(out).map_err(|e| error(e.error))?;
    Ok(())
}

/// The read position in one log.
struct Cursor {
    games: Games,
    /// The number of the last game read.
    last: Option<u64>,
    ended: bool,
}

/// Temporary files are private, but logs are ordinary files.
fn make_readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchlog::header::tests::example;
    use crate::matchlog::{GameResult, PlyScore, PlyStats, Reason, read};
    use agon_protocol::message::Score;

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
                score: vec![Some(PlyScore(Score::Cp(-5))), Some(PlyScore(Score::Mate(-2)))],
            },
            stderr: None,
            stdout: None,
        }
    }

    fn write(path: &Path, games: &[u64]) -> Vec<u64> {
        let mut seen = Vec::new();
        let mut writer = Writer::open(path, &example(), |g| seen.push(g.game)).unwrap();
        games.iter().for_each(|&n| writer.append(&game(n)).unwrap());
        seen
    }

    #[test]
    fn a_log_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &[1, 0]);
        let log = read(&path).unwrap();
        assert_eq!(log.header, example());
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
        let mut other = example();
        other.seed = 99;
        let message = Writer::open(&path, &other, |_| ()).unwrap_err().to_string();
        assert!(message.contains("seed is 1 there and 99 here"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        std::fs::write(&path, "my diary").unwrap();
        assert!(Writer::open(&path, &other, |_| ()).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"my diary");
    }

    #[test]
    fn a_second_referee_on_the_same_log_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let _first = Writer::open(&path, &example(), |_| ()).unwrap();
        let second = Writer::open(&path, &example(), |_| ()).unwrap_err();
        assert!(matches!(second, LogError::Locked { .. }), "{second}");
    }

    #[test]
    fn a_finished_log_is_in_schedule_order() {
        let folder = tempfile::tempdir().unwrap();
        let (part, done) = (folder.path().join("log.part"), folder.path().join("log"));
        let mut writer = Writer::open(&part, &example(), |_| ()).unwrap();
        [2, 0, 1].iter().for_each(|&n| writer.append(&game(n)).unwrap());
        writer.finish(&done).unwrap();
        let (_, games) = open(&done).unwrap();
        assert_eq!(games.map(|g| g.unwrap().game).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(!part.exists());
    }
}
