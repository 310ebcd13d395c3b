//! `--pgnout`: a PGN file that is written while a match runs.
//!
//! A game is appended when it ends, so the games are in the order in which they end. The file may
//! hold games of other matches. The tags `Match` and `Round` tell which games of this match it holds,
//! so a resumed match adds exactly the games of the log that the file lacks, and a game that was torn
//! by a crash is written again.

use super::export::{ExportError, Occasion, pgn};
use agon_base::files;
use agon_base::ordinal::Ordinal;
use agon_matches::run_settings::PgnForm;
use agon_matchlog::{GameRecord, GameSet, LogError, MatchHeader};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Error: the file cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum PgnOutError {
    /// A file-system error.
    #[error("--pgnout {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// Another program writes the file.
    #[error("--pgnout {0}: it is being written by another referee")]
    Locked(PathBuf),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A game cannot be written as PGN.
    #[error("--pgnout: {0}")]
    Export(#[from] ExportError),
}

/// An open PGN file, locked against other referees.
#[derive(Debug)]
pub struct PgnOut {
    path: PathBuf,
    file: File,
    header: MatchHeader,
    occasion: Occasion,
    /// The games of this match that are in the file.
    present: GameSet,
}

impl PgnOut {
    /// Checks before a match that the file can be written, without creating it.
    pub fn check(path: &Path) -> Result<(), PgnOutError> {
        let error = |cause| PgnOutError::Io { path: path.into(), cause };
        if path.exists() {
            return open_alone(path, OpenOptions::new().read(true).append(true)).map(drop);
        }
        match files::folder_of(path).metadata().map_err(error)?.is_dir() {
            true => Ok(()),
            false => Err(error(std::io::ErrorKind::NotADirectory.into())),
        }
    }

    /// Opens the file, or creates it, and appends the games of the log that it lacks.
    pub fn open(path: &Path, log: &Path, form: &PgnForm) -> Result<PgnOut, PgnOutError> {
        let error = |cause| PgnOutError::Io { path: path.into(), cause };
        let mut options = OpenOptions::new();
        let file = open_alone(path, options.read(true).append(true).create(true))?;
        let (header, _) = agon_matchlog::open(log)?;
        let (present, complete) = scan(&file, &pgn::match_id(&header)).map_err(error)?;
        let occasion = Occasion {
            event: form.event.clone(),
            place: form.site.clone(),
            runner: form.runner,
            ..Occasion::default()
        };
        let mut out = PgnOut { path: path.into(), file, header, occasion, present };
        out.drop_torn_game(log, complete)?;
        for game in agon_matchlog::open(log)?.1 {
            out.game(&game?)?;
        }
        Ok(out)
    }

    /// Appends a game unless it is in the file. After an error the file is as before.
    pub fn game(&mut self, game: &GameRecord) -> Result<(), PgnOutError> {
        if self.present.contains(game.game) {
            return Ok(());
        }
        let text = pgn::game(&self.header, game, &self.occasion)?;
        self.append(&text).map_err(|cause| PgnOutError::Io { path: self.path.clone(), cause })?;
        self.present.insert(game.game);
        Ok(())
    }

    fn append(&mut self, text: &str) -> std::io::Result<()> {
        let before = self.file.seek(SeekFrom::End(0))?;
        let written = self.file.write_all(text.as_bytes());
        if written.is_err() {
            // If the disk is full, half a game may have been written.
            let _ = self.file.set_len(before);
        }
        written
    }

    /// Removes the beginning of a game of this match at the end of the file, which a crash has left
    /// there. Any other text is kept and ended by an empty line.
    fn drop_torn_game(&mut self, log: &Path, complete: u64) -> Result<(), PgnOutError> {
        let path = self.path.clone();
        let error = |cause| PgnOutError::Io { path: path.clone(), cause };
        let mut tail = Vec::new();
        self.file.seek(SeekFrom::Start(complete)).map_err(error)?;
        self.file.read_to_end(&mut tail).map_err(error)?;
        if tail.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        for game in agon_matchlog::open(log)?.1 {
            let game = game?;
            if self.present.contains(game.game) {
                continue;
            }
            let text = pgn::game(&self.header, &game, &self.occasion)?;
            if text.as_bytes().starts_with(&tail) {
                return self.file.set_len(complete).map_err(error);
            }
        }
        self.append("\n\n").map_err(error)
    }
}

fn open_alone(path: &Path, options: &mut OpenOptions) -> Result<File, PgnOutError> {
    files::regular(path).map_err(|cause| PgnOutError::Io { path: path.into(), cause })?;
    files::open_alone(options, path).map_err(|e| match e {
        TryLockError::WouldBlock => PgnOutError::Locked(path.into()),
        TryLockError::Error(cause) => PgnOutError::Io { path: path.into(), cause },
    })
}

/// The games of the match `id` in a file, and the number of bytes before its last incomplete game.
fn scan(file: &File, id: &str) -> std::io::Result<(GameSet, u64)> {
    let (mut present, mut complete, mut at) = (GameSet::default(), 0, 0);
    let mut input = BufReader::new(file);
    let mut line = Vec::new();
    let (mut is_ours, mut number, mut in_moves) = (false, None, false);
    loop {
        line.clear();
        let n = input.read_until(b'\n', &mut line)?;
        if n == 0 || line.last() != Some(&b'\n') {
            return Ok((present, complete));
        }
        at += n as u64;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if in_moves && text.is_empty() {
            if let (true, Some(number)) = (is_ours, number) {
                present.insert(number);
            }
            (complete, is_ours, number, in_moves) = (at, false, None, false);
        } else if let Some(tag) = text.strip_prefix('[').filter(|_| !in_moves) {
            let value = tag.split('"').nth(1).unwrap_or("");
            is_ours |= tag.starts_with("Match ") && value == id;
            if tag.starts_with("Round ") {
                // No schedule has a billion games.
                let game = value.split_once('.').and_then(|(_, game)| game.parse().ok());
                number = game.map(Ordinal::index).filter(|n| *n < 1 << 30);
            }
        } else if !text.is_empty() {
            in_moves = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::export::tests::example;
    use super::*;
    use agon_matchlog::LogWriter;

    /// A log with `count` games.
    fn log(folder: &Path, count: u64) -> PathBuf {
        let path = folder.join("log.jsonl");
        let (header, record) = example("amazons", "startpos", "d1d7,d7g7 a7b7,b7b1 d7d6,d6d7");
        let _ = std::fs::remove_file(&path);
        let none = || Ok::<(), LogError>(());
        let mut log = LogWriter::open(&path, &header, none, |_| none()).unwrap();
        for game in 0..count {
            let game = GameRecord { game, pair: game / 2, ..record.clone() };
            log.append(&game).unwrap();
        }
        path
    }

    #[test]
    fn a_file_torn_at_any_byte_gets_every_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let pgn = folder.path().join("games.pgn");
        let log = log(folder.path(), 3);
        PgnOut::open(&pgn, &log, &PgnForm::default()).unwrap();
        let whole = std::fs::read_to_string(&pgn).unwrap();
        assert_eq!(whole.matches("[White ").count(), 3);
        for cut in (0..whole.len()).step_by(11).chain(whole.len() - 30..whole.len()) {
            std::fs::write(&pgn, &whole[..cut]).unwrap();
            PgnOut::open(&pgn, &log, &PgnForm::default()).unwrap();
            assert_eq!(std::fs::read_to_string(&pgn).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn games_of_others_stay_and_those_of_the_log_are_added_once() {
        let folder = tempfile::tempdir().unwrap();
        let pgn = folder.path().join("games.pgn");
        let others = "[White \"x\"]\n[Round \"1.1\"]\n\n1. e4 {not ours";
        std::fs::write(&pgn, others).unwrap();
        let path = log(folder.path(), 1);
        PgnOut::open(&pgn, &path, &PgnForm::default()).unwrap();
        let path = log(folder.path(), 2);
        let mut out = PgnOut::open(&pgn, &path, &PgnForm::default()).unwrap();
        assert!(matches!(
            PgnOut::open(&pgn, &path, &PgnForm::default()),
            Err(PgnOutError::Locked(_))
        ));
        for game in agon_matchlog::open(&path).unwrap().1 {
            out.game(&game.unwrap()).unwrap();
        }
        let text = std::fs::read_to_string(&pgn).unwrap();
        assert!(text.starts_with(&format!("{others}\n\n[Event ")), "{text}");
        assert_eq!(text.matches("[White ").count(), 3, "{text}");
    }
}
