//! The record of a game that has ended, as a file: the form of the game's federation or event.

use super::action::Why;
use super::game::DeskGame;
use super::setup::Setup;
use crate::files;
use crate::matchlog::{
    EngineEntry, GameRecord, GameResult, Header, Limit, PlyStats, Reason, Schedule, Timestamp,
};
use crate::output::export::ccgc::{self, Occasion};
use crate::output::export::sgf;
use crate::output::export::{pgn, wxf};
use agon_protocol::ccgc::file_name;
use agon_protocol::connect6::sgf::Form;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the record into the game's own folder below `folder`, completely or not at all, and returns
/// its path.
///
/// # Errors
/// Why there is no record, with the path.
pub fn write(folder: &Path, setup: &Setup, game: &DeskGame) -> Result<PathBuf, String> {
    let (name, text) = text(setup, game)?;
    let folder = folder_of(folder, game);
    let path = folder.join(name);
    let error = |e: std::io::Error| format!("record {}: {e}", path.display());
    std::fs::create_dir_all(&folder).map_err(error)?;
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(error)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(error)?;
    files::replace(file, &path).map_err(error)?;
    Ok(path)
}

/// The path of the record of a game that has ended; `None` if there is no such record.
pub fn path(folder: &Path, setup: &Setup, game: &DeskGame) -> Option<PathBuf> {
    let (name, _) = text(setup, game).ok()?;
    Some(folder_of(folder, game).join(name))
}

/// Two games of a match may have the same name in the national form.
fn folder_of(folder: &Path, game: &DeskGame) -> PathBuf {
    folder.join(format!("game-{}", game.number))
}

/// The name of the file and the record.
///
/// # Errors
/// Why there is no record.
pub fn text(setup: &Setup, game: &DeskGame) -> Result<(String, String), String> {
    let (header, record) = log_of(setup, game)?;
    let name = format!("{}-game-{}.{}", setup.game, game.number, setup.record);
    let written = match setup.record.as_str() {
        "ccgc" => {
            let (place, event) = (setup.place.clone(), setup.event.clone());
            let occasion = Occasion { place, event, blue_first: false };
            let national = ccgc::record(&header, &record, &occasion).map_err(|e| e.to_string())?;
            let text = ccgc::game(&header, &record, &occasion).map_err(|e| e.to_string())?;
            return Ok((file_name(&national), text));
        }
        "wxf" => wxf::game(&header, &record),
        "sgf" => sgf::game(&header, &record, Form::LittleGolem),
        _ => pgn::game(&header, &record),
    };
    written.map(|text| (name, text)).map_err(|e| e.to_string())
}

/// The game as a match log has it.
fn log_of(setup: &Setup, game: &DeskGame) -> Result<(Header, GameRecord), String> {
    let end = game.end.as_ref().ok_or("the game has not ended")?;
    let engines = setup.teams.iter().map(|name| team(setup, name)).collect();
    let mut header = Header::new(&setup.game, engines, Schedule::of_two([1, 0]));
    header.rules = setup.rules.clone();
    let result = match end.winner {
        None => GameResult::Draw,
        Some(team) if team == game.first => GameResult::First,
        Some(_) => GameResult::Second,
    };
    let reason = match end.why {
        Why::Rules => Reason::Rules,
        Why::Resigned => Reason::Resignation,
        Why::Time => Reason::Time,
        Why::Agreed | Why::Adjudicated => Reason::Agreement,
    };
    let number = u64::from(game.number).saturating_sub(1);
    let decisions = game.plies.iter().filter(|ply| ply.player.is_some()).count();
    let record = GameRecord {
        game: number,
        pair: number / 2,
        players: [game.first, 1 - game.first],
        opening: "startpos".into(),
        moves: game.tokens().join(" "),
        by: game.plies.iter().map(|ply| ply.player.map_or('c', |p| ['1', '2'][p])).collect(),
        result,
        reason,
        ending: None,
        detail: (!end.note.is_empty()).then(|| end.note.clone()),
        fen: game.board.fen(),
        start: at(game.begun),
        end: at(end.at),
        stats: PlyStats {
            us: times(game),
            depth: vec![None; decisions],
            nodes: vec![None; decisions],
            leaves: Vec::new(),
            stall_ms: Vec::new(),
            score: vec![None; decisions],
        },
        stderr: None,
        stdout: None,
    };
    Ok((header, record))
}

/// The microseconds of each decision, from the ply before it.
fn times(game: &DeskGame) -> Vec<u64> {
    let mut last = game.begun;
    let mut times = Vec::new();
    for ply in &game.plies {
        if ply.player.is_some() {
            times.push(ply.at.saturating_sub(last).saturating_mul(1000));
        }
        last = ply.at;
    }
    times
}

fn at(ms: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(ms).ok()?).ok()
}

/// A team as an engine without a program.
fn team(setup: &Setup, name: &str) -> EngineEntry {
    let clock = crate::matchlog::Clock {
        time_ms: setup.clock.time_ms,
        increment_ms: setup.clock.increment_ms,
        moves: None,
    };
    EngineEntry {
        name: name.into(),
        command: Vec::new(),
        sha256: String::new(),
        dialect: "ugi".into(),
        options: Vec::new(),
        dir: None,
        env: Vec::new(),
        memory_mib: None,
        cpus: Vec::new(),
        ponder: false,
        sandbox: false,
        files: Vec::new(),
        limit: Limit { clock: (clock.time_ms > 0).then_some(clock), ..Limit::default() },
    }
}
