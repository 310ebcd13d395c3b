//! The games of a log in schedule order, whatever their order in the file.

use super::game_line::GameReader;
use super::read::open;
use super::{GameRecord, GameSet, LogError, MatchHeader};
use agon_base::ordinal::Ordinal;
use std::cmp::Reverse;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A whole log in memory, games in schedule order.
#[derive(Clone, Debug)]
pub struct Log {
    /// The match.
    pub header: MatchHeader,
    /// The finished games, sorted by [`GameRecord::game`] without duplicates.
    pub games: Vec<GameRecord>,
}

/// Reads a whole log.
pub fn read(path: &Path) -> Result<Log, LogError> {
    let (header, games) = open_sorted(path)?;
    Ok(Log { header, games: games.collect::<Result<_, _>>()? })
}

/// The games, read one at a time. Every line was judged before the first game is returned.
#[derive(Debug)]
pub struct SortedGames {
    path: PathBuf,
    input: BufReader<File>,
    at: u64,
    reader: GameReader,
    /// The last game first.
    left: Vec<GamePlace>,
}

#[derive(Debug)]
struct GamePlace {
    game: u64,
    /// Where its line begins, in bytes.
    begin: u64,
    /// The number of its line.
    line: u64,
}

/// Opens a log for reading in schedule order. It keeps the places of the games, not the games.
///
/// # Errors
///
/// Fails on a line that is wrong.
pub fn open_sorted(path: &Path) -> Result<(MatchHeader, SortedGames), LogError> {
    let (header, mut games) = open(path)?;
    let mut left = Vec::new();
    while let Some(game) = games.next().transpose()? {
        let begin = games.complete_bytes() - games.last_line().len() as u64;
        left.push(GamePlace { game: game.game, begin, line: games.line() });
    }
    left.sort_unstable_by_key(|place| Reverse(place.game));
    let reader = GameReader::new(&header);
    let input = BufReader::new(File::open(path).map_err(|e| LogError::io(path, e))?);
    Ok((header, SortedGames { path: path.to_path_buf(), input, at: 0, reader, left }))
}

impl SortedGames {
    /// The game with this number only, if there is one.
    pub fn only(mut self, number: Option<Ordinal>) -> SortedGames {
        if let Some(number) = number {
            self.left.retain(|place| place.game == number.index());
        }
        self
    }

    /// The games of this set only.
    #[must_use]
    pub fn among(mut self, games: &GameSet) -> SortedGames {
        self.left.retain(|place| games.contains(place.game));
        self
    }

    fn line_at(&mut self, begin: u64) -> std::io::Result<String> {
        self.input.seek_relative(begin.cast_signed() - self.at.cast_signed())?;
        let mut line = String::new();
        self.at = begin + self.input.read_line(&mut line)? as u64;
        Ok(line)
    }
}

impl Iterator for SortedGames {
    type Item = Result<GameRecord, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let GamePlace { begin, line, .. } = self.left.pop()?;
        let text = match self.line_at(begin) {
            Ok(text) => text,
            Err(e) => return Some(Err(LogError::io(&self.path, e))),
        };
        let path = || self.path.display().to_string();
        let game = self.reader.read(&text);
        Some(game.map_err(|reason| LogError::BadLine { path: path(), line, reason }))
    }
}
