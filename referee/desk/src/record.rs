//! The record of a game that has ended, as a file: the form of the game's federation or event.

use super::action::{Action, Why};
use super::game::{DeskGame, DeskGameEnd};
use super::setup::{FORMS, Setup, usual_form};
use super::state::DeskState;
use agon_base::files;
use agon_base::ordinal::Ordinal;
use agon_games::ccgc::{Record, file_name};
use agon_games::connect6::sgf::Form;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matchlog::{
    EngineEntry, GameRecord, GameResult, Limit, MatchHeader, PlyStats, Reason, Schedule,
    TimeControl, Timestamp,
};
use agon_report::export::{Occasion, ccgc, pgn, sgf, wxf};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A record.
pub struct Written {
    /// The file's name.
    pub name: String,
    /// The contents.
    pub text: String,
    /// Why it is not in the form that the session asks for.
    pub remark: Option<Phrase>,
}

/// Makes the folders of the games hold their records: one for each game that has ended, written
/// completely or not at all. What the desk wrote for an earlier result is renamed, so that nothing is
/// lost. A record that is there stays as it is, unless its game has ended just now. Returns what went
/// wrong, or what is remarkable about the last record.
pub fn keep(folder: &Path, state: &DeskState, has_ended_now: bool) -> Option<Phrase> {
    let (mut error, mut remark) = (None, None);
    let last = state.game.as_ref().map(|game| game.number);
    for game in state.games() {
        let place = folder_of(folder, game);
        let is_new = has_ended_now && last == Some(game.number);
        match keep_game(&place, state, game, is_new) {
            Ok(found) => remark = found,
            Err(cause) => {
                let path = place.display();
                error.get_or_insert(phrase!("record {path}: {cause}", path, cause));
            }
        }
    }
    error.or(remark)
}

/// The record of one game.
fn keep_game(
    folder: &Path,
    state: &DeskState,
    game: &DeskGame,
    is_new: bool,
) -> Result<Option<Phrase>, Phrase> {
    let current = game.end.as_ref().map(|_| of(&state.setup, game)).transpose()?;
    let name = current.as_ref().map(|record| record.name.as_str());
    let error = |e: std::io::Error| e.to_phrase();
    for earlier in names(state, game).iter().filter(|earlier| Some(earlier.as_str()) != name) {
        supersede(folder, earlier).map_err(error)?;
    }
    let Some(record) = current else { return Ok(None) };
    let path = folder.join(&record.name);
    let is_written = match std::fs::read(&path) {
        Ok(bytes) => !is_new || bytes == record.text.as_bytes(),
        Err(e) if e.kind() == ErrorKind::NotFound => false,
        Err(e) => return Err(error(e)),
    };
    if !is_written {
        std::fs::create_dir_all(folder).map_err(error)?;
        let mut file = files::public_temporary(folder).map_err(error)?;
        let text = record.text.as_bytes();
        file.write_all(text).and_then(|()| file.as_file().sync_all()).map_err(error)?;
        supersede(folder, &record.name).map_err(error)?;
        files::replace(file, &path).map_err(error)?;
    }
    Ok(record.remark)
}

/// Renames a file to `superseded-N-NAME`, if it is there.
fn supersede(folder: &Path, name: &str) -> std::io::Result<()> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(());
    }
    let free = (1..).map(|n| folder.join(format!("superseded-{n}-{name}"))).find(|to| !to.exists());
    free.map_or(Ok(()), |to| std::fs::rename(path, to))
}

/// The names that the desk gives the records of a game: in each form, for each of its results so far.
fn names(state: &DeskState, game: &DeskGame) -> BTreeSet<String> {
    let forms = FORMS.iter().filter(|form| **form != "ccgc");
    let mut names: BTreeSet<String> =
        forms.map(|form| plain_name(&state.setup, game, form)).collect();
    let ends = state.remarks.iter().filter(|remark| remark.game == game.number);
    for remark in ends {
        let Action::End { winner, why, .. } = remark.action else { continue };
        let end = DeskGameEnd { winner, why, note: String::new(), at: remark.at };
        // The name does not depend on the moves.
        let game = game.without_moves(end);
        let national = log_of(&state.setup, &game)
            .and_then(|(header, record)| national(&state.setup, &header, &record));
        names.extend(national.ok().map(|record| file_name(&record)));
    }
    names
}

fn plain_name(setup: &Setup, game: &DeskGame, form: &str) -> String {
    format!("{}-game-{}.{form}", setup.game, game.number)
}

/// Two games of a match may have the same name in the national form.
fn folder_of(folder: &Path, game: &DeskGame) -> PathBuf {
    folder.join(format!("game-{}", game.number))
}

/// The record of a game that has ended: in the session's form, or in the usual one of the field if
/// that form cannot hold the game.
///
/// # Errors
/// Why there is no record.
pub fn of(setup: &Setup, game: &DeskGame) -> Result<Written, Phrase> {
    let (header, record) = log_of(setup, game)?;
    let occasion = occasion(setup);
    let mut reason = None;
    for form in [setup.record.as_str(), usual_form(&setup.game), "pgn"] {
        let written = match form {
            "ccgc" => national(setup, &header, &record).and_then(|national| {
                let text = agon_games::ccgc::write(&national).map_err(Phrase::Plain)?;
                Ok((file_name(&national), text))
            }),
            form => {
                let text = match form {
                    "wxf" => wxf::game(&header, &record, &occasion),
                    "sgf" => sgf::game(&header, &record, Form::LittleGolem, &occasion),
                    _ => pgn::game(&header, &record, &occasion),
                };
                let text = text.map_err(|e| Phrase::Plain(e.reason));
                text.map(|text| (plain_name(setup, game, form), text))
            }
        };
        match written {
            Ok((name, text)) => {
                let remark = reason.map(|cause: Phrase| {
                    phrase!(
                        "game {n}: {cause}; the record is in the form {form}",
                        n = game.number,
                        cause,
                        form
                    )
                });
                return Ok(Written { name, text, remark });
            }
            Err(e) => drop(reason.get_or_insert(e)),
        }
    }
    Err(reason.unwrap_or_default())
}

/// The game in the national form.
fn national(setup: &Setup, header: &MatchHeader, record: &GameRecord) -> Result<Record, Phrase> {
    ccgc::record(header, record, &occasion(setup)).map_err(|e| Phrase::Plain(e.reason))
}

fn occasion(setup: &Setup) -> Occasion {
    Occasion { place: setup.place.clone(), event: setup.event.clone(), ..Occasion::default() }
}

/// The game as a match log has it.
fn log_of(setup: &Setup, game: &DeskGame) -> Result<(MatchHeader, GameRecord), Phrase> {
    let end = game.end.as_ref().ok_or_else(|| phrase!("the game has not ended"))?;
    let (time_ms, increment_ms) = (setup.clock.time_ms, setup.clock.increment_ms);
    let clock = (time_ms > 0).then_some(TimeControl { time_ms, increment_ms, moves: None });
    let limit = Limit { clock, ..Limit::default() };
    let team = |name: &String| EngineEntry::without_program(name, limit.clone());
    let engines = setup.teams.iter().map(team).collect();
    let mut header = MatchHeader::new(&setup.game, engines, Schedule::of_two([1, 0]));
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
    let number = Ordinal::try_from(u64::from(game.number))
        .map_err(|e| Phrase::Plain(e.to_string()))?
        .index();
    let mut us = times(game);
    if reason == Reason::Time {
        // The move that came too late has its time, too.
        let last = game.plies.last().map_or(game.begun, |ply| ply.at);
        us.push(end.at.saturating_sub(last).saturating_mul(1000));
    }
    let decisions = us.len();
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
        detail: (!end.note.is_empty()).then(|| Phrase::Plain(end.note.clone())),
        fen: game.board.fen(),
        start: at(game.begun),
        end: at(end.at),
        worker: None,
        stats: PlyStats {
            us,
            depth: vec![None; decisions],
            nodes: vec![None; decisions],
            leaves: Vec::new(),
            stall_ms: Vec::new(),
            score: vec![None; decisions],
            expected: Vec::new(),
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
