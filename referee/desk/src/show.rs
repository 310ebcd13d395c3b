//! The state of the desk as JSON for the pages.

use super::action::{Action, By, EngineEvent};
use super::engine_thread::score_text;
use super::game::{DeskGame, DeskGameEnd};
use super::state::{DeskState, Remark};
use agon_games::arbiter::game as game_kind;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::visible;
use agon_matches::events::Length;
use agon_matchlog::{EngineEntry, rule_pairs};
use agon_report::shown;
use agon_report::view::View;
use agon_web::clocks::Mode;
use agon_web::{Viewing, message};
use agon_wire::message::Info;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The number of remarks that pages get.
const REMARKS: usize = 30;
/// Most moves of a variation.
const MAX_PV: usize = 12;

/// What is shown beside the state.
pub struct Extras<'a> {
    /// The time of day.
    pub now: u64,
    /// The engine and its stand-by.
    pub engines: &'a [Arc<EngineEntry>],
    /// The index of the engine that is being started.
    pub starts: Option<usize>,
    /// Whether an engine looks for a move.
    pub thinking: bool,
    /// Why the engines gave no move here, so that one is entered by hand.
    pub stuck: Option<EngineEvent>,
    /// Whether proposals are played without asking.
    pub auto: bool,
    /// The last report of the search.
    pub info: Option<&'a Info>,
    /// What went wrong.
    pub trouble: Option<&'a Phrase>,
    /// The session file.
    pub session: &'a Path,
    /// The folder of the records.
    pub records: &'a Path,
    /// The event's name in Chinese.
    pub event_zh: &'a str,
}

/// The state: the match, the game on the board, its view and its moves.
pub fn state(state: &DeskState, extras: &Extras<'_>) -> Value {
    let setup = &state.setup;
    let points = state.half_points();
    let team = |i: usize| {
        json!({
            "name": visible(&setup.teams[i]), "half_points": points[i],
            "engine": setup.engine == Some(i),
        })
    };
    let (length, count) = match setup.length {
        Length::FirstTo(n) => ("first_to", n),
        Length::BestOf(n) => ("best_of", n),
        Length::Games(n) => ("games", n),
    };
    let next = state.next_game().ok().and_then(|next| match next {
        Action::Begin { game, first } => Some(json!({ "number": game, "first": first })),
        _ => None,
    });
    let engines: Vec<&str> = extras.engines.iter().map(|entry| entry.name.as_str()).collect();
    json!({
        "n": state.n,
        "game_name": setup.game,
        "event": visible(&setup.event),
        "event_zh": visible(extras.event_zh),
        "place": visible(&setup.place),
        "teams": [team(0), team(1)],
        "engine_team": setup.engine,
        "engines": engines,
        "auto": extras.auto,
        "starts": extras.starts.and_then(|i| engines.get(i).copied()),
        "stuck": extras.stuck,
        "clock": {
            "time_ms": setup.clock.time_ms, "increment_ms": setup.clock.increment_ms,
            "per": setup.clock.per,
        },
        "match": {
            "length": length, "count": count, "order": setup.order,
            "games": state.games().map(game_line).collect::<Vec<_>>(),
            "over": state.decided().is_some(),
            "winner": state.decided().flatten(),
            "next": next,
        },
        "start": state.game.is_none().then(|| start_view(state)).flatten(),
        "game": state.game.as_ref().map(|game| game_value(state, game)),
        "remarks": remarks(state),
        "trouble": extras.trouble.map(|text| message(&text.clone().map(&|text| visible(text).into_owned()))),
        "session": visible(&extras.session.display().to_string()),
        "records": visible(&extras.records.display().to_string()),
    })
}

/// The board before the first game.
fn start_view(state: &DeskState) -> Option<View> {
    let game = game_kind(&state.setup.game)?;
    let board = state.start_position().ok()?;
    let rules = rule_pairs(&state.setup.rules);
    Viewing { game, rules, viewer: None, legal: false }.view(&*board).ok()
}

/// A game in the list of the match.
fn game_line(game: &DeskGame) -> Value {
    json!({
        "number": game.number, "first": game.first, "plies": game.plies.len(),
        "end": game.end.as_ref().map(end_value),
    })
}

fn end_value(end: &DeskGameEnd) -> Value {
    json!({ "winner": end.winner, "why": end.why, "note": visible(&end.note) })
}

/// The game on the board.
fn game_value(state: &DeskState, game: &DeskGame) -> Value {
    let rules = rule_pairs(&state.setup.rules);
    let view = match game_kind(&state.setup.game) {
        Some(kind) => Viewing { game: kind, rules, viewer: None, legal: game.end.is_none() }
            .view(&*game.board)
            .map_err(Phrase::Plain),
        None => Err(phrase!("unknown game `{name}`", name = state.setup.game)),
    };
    let plies: Vec<Value> =
        game.plies.iter().map(|ply| json!({ "by": ply.by, "player": ply.player })).collect();
    json!({
        "number": game.number,
        "first": game.first,
        "view": view.as_ref().ok(),
        "error": view.as_ref().err().map(message),
        "plies": plies,
        "set_up_due": game.awaits_set_up(),
        "on_duty": game.on_duty(),
        "flag": game.clocks.fallen(),
        "correcting": game.clocks.is_correcting(game.plies.len()),
        "ruled": game.ruled().map(|winner| json!({ "winner": winner })),
        "end": game.end.as_ref().map(end_value),
        "proposal": game.proposal.as_ref().map(|p| json!({
            "shown": p.texts, "score": visible(&p.score), "expected": p.expected,
            "depth": p.depth, "ms": p.ms, "standby": p.by == By::Standby,
        })),
        "agreement": {
            "committed": game.agreement.hashes, "revealed": [
                game.agreement.secrets[0].is_some(), game.agreement.secrets[1].is_some(),
            ],
        },
    })
}

fn remarks(state: &DeskState) -> Vec<Value> {
    let skipped = state.remarks.len().saturating_sub(REMARKS);
    let remarks = state.remarks.iter().skip(skipped);
    let told = |remark: &Remark| {
        let mut action = json!(remark.action);
        if let Action::Engine { detail, .. } = &remark.action {
            action["engine"]["detail"] = message(detail);
        }
        json!({ "game": remark.game, "at": remark.at, "do": action })
    };
    remarks.map(told).collect()
}

/// The clocks at a time of day.
pub fn clocks(state: &DeskState, now: u64) -> Value {
    let Some(game) = &state.game else { return Value::Null };
    let left = game.clocks.left(now);
    let time = i64::try_from(state.setup.clock.time_ms).unwrap_or(i64::MAX);
    // A tenth of the time, but at least ten seconds and at most a minute.
    let low = (time / 10).clamp(10_000, 60_000);
    json!({
        "left_ms": left,
        "running": game.clocks.running(),
        "mode": match game.clocks.mode() {
            Mode::Waiting => "waiting",
            Mode::Running => "running",
            Mode::Paused => "paused",
        },
        "low": left.map(|ms| time > 0 && ms < low),
        "out": left.map(|ms| time > 0 && ms <= 0),
    })
}

/// The engine's thinking.
pub fn engine(state: &DeskState, extras: &Extras<'_>) -> Value {
    let info = extras.info.map(|info| {
        // Empty once the position has changed.
        let pv = &info.pv[..info.pv.len().min(MAX_PV)];
        json!({
            "depth": info.depth,
            "nodes": info.nodes,
            "score": score_text(info),
            "expected": info.expected_score(),
            "shown": state.game.as_ref().map(|game| shown::line(&*game.board, pv)),
        })
    });
    json!({ "thinking": extras.thinking, "info": info })
}
