//! A desk that is opened from the first page: for an event, with an engine that the page can choose.

use super::open::DeskPlan;
use super::routes::DeskPlace;
use super::setup::{FORMAT, Setup};
use agon_games::phrase::phrase;
use agon_games::text::{excerpt, visible};
use agon_matches::events::{self, Event};
use agon_matchlog::{EngineEntry, Limit};
use agon_web::clocks::ClockRule;
use agon_web::respond_later;
use agon_web::{Body, EngineList, HttpAnswer, Refusal, respond};
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// What the handlers need.
struct Door {
    place: DeskPlace,
    engines: EngineList,
    ready: Duration,
}

/// A desk as the page asks for it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewDesk {
    /// The name of a preset.
    event: String,
    /// The name of an engine; `None`: both teams are entered by hand.
    engine: Option<String>,
    /// The team of the engine: 0 is A, 1 is B.
    team: usize,
    /// The names of the teams; an empty one is that of the engine, or the letter.
    teams: [String; 2],
}

/// `api/door`: the events, and whether a desk is open; it is opened there, too.
pub fn routes(place: DeskPlace, engines: EngineList, ready: Duration) -> Router {
    let door = Arc::new(Door { place, engines, ready });
    Router::new().route("/api/door", get(what).post(begin)).with_state(door)
}

async fn what(State(door): State<Arc<Door>>) -> Response {
    respond(list(&door))
}

async fn begin(State(door): State<Arc<Door>>, Body(new): Body<NewDesk>) -> Response {
    respond_later(move || open(&door, &new)).await
}

fn list(door: &Door) -> HttpAnswer {
    let events = events::embedded().map_err(Refusal::bad)?;
    let events = events.iter().map(|event| {
        json!({
            "name": event.name, "game": event.kind.name, "title": event.title,
            "title_zh": event.title_zh,
        })
    });
    Ok(json!({ "events": events.collect::<Vec<_>>(), "desk": door.place.is_open() }))
}

/// Opens a desk; its session file is in the folder of the server.
fn open(door: &Door, new: &NewDesk) -> HttpAnswer {
    door.place.open(|| {
        let all = events::embedded().map_err(Refusal::bad)?;
        let known = all.into_iter().find(|event| event.name == new.event);
        let unknown = || phrase!("no event `{name}`", name = excerpt(&new.event));
        let event = known.ok_or_else(|| Refusal::unknown(unknown()))?;
        let engine = match new.engine.as_deref() {
            Some(name) => {
                let entry = door.engines.find(name, event.kind.name)?.entry();
                let entry = entry.map_err(Refusal::bad)?;
                Some(EngineEntry { limit: Limit::default(), ..entry })
            }
            None => None,
        };
        let setup = setup(new, &event, engine.as_ref());
        setup.check().map_err(Refusal::bad)?;
        let plan = DeskPlan {
            setup,
            engines: engine.into_iter().collect(),
            session: format!("{}.desk.jsonl", event.name).into(),
            records: None,
            auto: false,
            event_zh: event.title_zh.clone(),
            ready: door.ready,
        };
        plan.open().map(|opened| opened.desk).map_err(Refusal::bad)
    })?;
    Ok(json!({ "desk": true }))
}

fn setup(new: &NewDesk, event: &Event, engine: Option<&EngineEntry>) -> Setup {
    let team = engine.map(|_| new.team.min(1));
    let name = |side: usize| {
        let own = engine.filter(|_| team == Some(side)).map(|engine| engine.name.as_str());
        let other = if engine.is_some() { "Opponent" } else { ["A", "B"][side] };
        let given = Some(new.teams[side].trim()).filter(|name| !name.is_empty());
        visible(given.or(own).unwrap_or(other)).into_owned()
    };
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Setup {
        agon_desk: FORMAT,
        game: event.kind.name.into(),
        rules: event.rules.clone(),
        teams: [name(0), name(1)],
        engine: team,
        clock: ClockRule {
            time_ms: ms(event.time),
            increment_ms: ms(event.increment),
            per: event.scope,
        },
        length: event.length,
        order: event.first.iter().map(|&team| ['A', 'B'][team.min(1)]).collect(),
        event: visible(&event.title).into_owned(),
        place: String::new(),
        record: event.record.name().into(),
    }
}
