//! Opened files: their games, and each as an analysis and as a replay.

use crate::file::{FileGame, games};
use crate::tree::GameTree;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::visible;
use agon_games::{Outcome, Turn};
use agon_matches::encoding;
use agon_matchlog::{
    EngineEntry, GameRecord, GameResult, Limit, MatchHeader, RuleEnding, Schedule, Setting,
};
use agon_report::report::replay;
use agon_web::{Refusal, message};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of opened files.
const MAX_FILES: usize = 64;

/// A file of games, opened.
pub struct GameFile {
    name: String,
    games: Vec<FileGame>,
}

impl GameFile {
    /// Reads a file of the command line.
    ///
    /// # Errors
    /// It cannot be read, or has no game that is known here.
    pub fn read(path: &Path) -> Result<GameFile, Phrase> {
        let shown = path.display().to_string();
        let named = |cause: Phrase| phrase!("{path}: {cause}", path = shown.as_str(), cause);
        let read = encoding::read(path).map_err(|e| named(Phrase::Plain(e.to_string())))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        GameFile::of_text(name, &read.text).map_err(named)
    }

    /// Reads a file that a page sends.
    ///
    /// # Errors
    /// It is no text, or has no game that is known here.
    pub fn of_bytes(name: &str, bytes: &[u8]) -> Result<GameFile, Phrase> {
        encoding::check(Path::new(name), bytes).map_err(Phrase::Plain)?;
        GameFile::of_text(name.into(), &encoding::decode_loosely(bytes).text)
    }

    fn of_text(name: String, text: &str) -> Result<GameFile, Phrase> {
        let games = games(&name, text)?;
        Ok(GameFile { name: visible(&name).into_owned(), games })
    }
}

/// The files of all pages, and the analyses of their games.
#[derive(Default)]
pub struct Files {
    files: Mutex<Vec<Arc<GameFile>>>,
    /// The analysis of each game that was opened, by the numbers of file and game from 0.
    opened: Mutex<BTreeMap<(usize, usize), String>>,
}

impl Files {
    /// The files of the command line.
    pub fn new(files: Vec<GameFile>) -> Files {
        let files = files.into_iter().map(Arc::new).collect();
        Files { files: Mutex::new(files), opened: Mutex::default() }
    }

    /// The names, with the numbers of games.
    pub fn list(&self) -> Value {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter().map(|file| json!({ "name": file.name, "games": file.games.len() })).collect()
    }

    /// Keeps a file; the answer has its number from 1.
    pub fn add(&self, file: GameFile) -> Result<Value, Refusal> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.len() >= MAX_FILES {
            let full = phrase!("{n} files are open already; start the server again", n = MAX_FILES);
            return Err(Refusal::conflict(full));
        }
        let games = file.games.len();
        files.push(Arc::new(file));
        Ok(json!({ "number": files.len(), "games": games }))
    }

    fn file(&self, number: usize) -> Result<Arc<GameFile>, Refusal> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let found = number.checked_sub(1).and_then(|i| files.get(i)).cloned();
        found.ok_or_else(|| Refusal::unknown(phrase!("no file {n} is open", n = number)))
    }

    /// Some games of a file from the index `from` on.
    pub fn games(&self, number: usize, from: usize, count: usize) -> Result<Value, Refusal> {
        let file = self.file(number)?;
        let rows = file.games.iter().enumerate().skip(from).take(count.min(500));
        let rows: Vec<Value> = rows
            .map(|(i, game)| {
                json!({
                    "number": i + 1,
                    "game": game.kind.name,
                    "players": game.players,
                    "event": game.event,
                    "date": game.date,
                    "result": game.result,
                    "moves": game.moves,
                })
            })
            .collect();
        Ok(json!({ "name": file.name, "total": file.games.len(), "games": rows }))
    }

    /// Reads a game of a file.
    fn with_game<T>(
        &self,
        number: usize,
        game: usize,
        act: impl FnOnce(&FileGame) -> Result<T, Phrase>,
    ) -> Result<T, Refusal> {
        let file = self.file(number)?;
        let found = game.checked_sub(1).and_then(|i| file.games.get(i));
        let found = found.ok_or_else(|| {
            let most = file.games.len();
            Refusal::unknown(phrase!("no game {n}; the file has {most}", n = game, most))
        })?;
        act(found).map_err(|cause| {
            Refusal::bad(phrase!(
                "{name}, game {n}: {cause}",
                name = file.name.as_str(),
                n = game,
                cause
            ))
        })
    }

    /// A game as an analysis: the one that was opened before and is still `alive`, or a new one by `begin`.
    pub fn open(
        &self,
        number: usize,
        game: usize,
        alive: impl Fn(&str) -> bool,
        begin: impl FnOnce(GameTree) -> Result<String, Refusal>,
    ) -> Result<Value, Refusal> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = opened.get(&(number, game)).filter(|id| alive(id)) {
            return Ok(json!({ "id": id, "problems": [] }));
        }
        let read = self.with_game(number, game, FileGame::tree)?;
        let problems: Vec<Value> = read.problems.iter().take(5).map(message).collect();
        let more = read.problems.len().saturating_sub(problems.len());
        let id = begin(read.tree)?;
        opened.insert((number, game), id.clone());
        Ok(json!({ "id": id, "problems": problems, "more": more }))
    }

    /// A game's main line for the replay.
    pub fn replay(&self, number: usize, game: usize) -> Result<Value, Refusal> {
        let read = self.with_game(number, game, FileGame::tree)?;
        let (header, record) = as_logged(&read.tree, game);
        let shown = replay::of(&header, &record);
        let mut shown = shown
            .ok_or_else(|| Refusal::bad(phrase!("the position of this game cannot be drawn")))?;
        if read.tree.result == "*" && record.ending.is_none() {
            shown["result"] = Value::Null;
        } else if record.ending.is_none() {
            shown["result"]["reason"] = json!("record");
        }
        shown["problems"] = read.problems.iter().take(5).map(message).collect();
        Ok(shown)
    }
}

/// The main line as a game of a log.
fn as_logged(tree: &GameTree, number: usize) -> (MatchHeader, GameRecord) {
    let name = |i: usize| match tree.players[i].as_str() {
        "" => "?",
        name => name,
    };
    let engines = [0, 1].map(|i| EngineEntry::without_program(name(i), Limit::default())).to_vec();
    let rules = tree.rules.iter().cloned();
    let rules = rules.map(|(name, value)| Setting { name, value }).collect();
    let header =
        MatchHeader { rules, ..MatchHeader::new(tree.kind.name, engines, Schedule::default()) };
    let line = tree.line_from(0);
    let by = |id: &usize| match tree.nodes()[*id].ply.as_ref().and_then(|ply| ply.by) {
        Some(0) => '1',
        Some(_) => '2',
        None => 'c',
    };
    let last = line.last().and_then(|&id| tree.position(id).ok());
    let last = last.unwrap_or_else(|| tree.start().boxed_clone());
    let by_rules = match last.turn() {
        Turn::Over(outcome) => Some(outcome),
        _ => None,
    };
    let result = match (by_rules, tree.result.as_str()) {
        (Some(Outcome::Win(player)), _) => [GameResult::First, GameResult::Second][player.index()],
        (None, "1-0") => GameResult::First,
        (None, "0-1") => GameResult::Second,
        _ => GameResult::Draw,
    };
    let record = GameRecord {
        game: number.saturating_sub(1) as u64,
        opening: if tree.is_usual_start() { "startpos".into() } else { tree.start().start_fen() },
        moves: tree.tokens(&line).join(" "),
        by: line.iter().map(by).collect(),
        ending: by_rules.and_then(|_| last.ending()).map(RuleEnding),
        fen: last.fen(),
        ..GameRecord::bare([0, 1], result)
    };
    (header, record)
}
