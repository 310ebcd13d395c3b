//! Games against engines and analysis: the sessions, their limits and their requests.

mod board;
mod clock;
mod game;
mod request;
#[cfg(test)]
mod tests;

use super::answer::{Body, HttpAnswer, Refusal, respond, respond_later};
use super::engines::{EngineChoice, EngineList};
use super::feed::Feed;
use super::options;
use super::position::PagePosition;
use super::session::{Message, SessionThread};
use super::thinker::{Thinker, ThinkerReport};
use agon_engine::driver::{EngineContext, Timeouts};
use agon_games::arbiter::GameKind;
use agon_games::option::{OptionKind, OptionSpec};
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use agon_matches::events::{Event, embedded};
use agon_matchlog::{EngineEntry, Setting};
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use board::GameBoard;
use game::{Opponent, PageGame, Strength};
use request::{GameCommand, NewGame, OptionsOf, SAVED_GAME};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Maximum number of open games: each has an engine.
const MAX_GAMES: usize = 8;

/// The time that a page has to show the game that it began.
const ARRIVAL: Duration = Duration::from_secs(3);

/// Options by engine and game.
type OptionLists = BTreeMap<(String, &'static str), Arc<[OptionSpec]>>;

/// The games of all pages.
struct OpenGames {
    engines: EngineList,
    timeouts: Timeouts,
    open: Mutex<BTreeMap<String, Open>>,
    /// The options of the engines that a page has asked for, by engine and game.
    options: Mutex<OptionLists>,
}

/// A game that runs.
#[derive(Clone)]
struct Open {
    session: SessionThread<GameCommand, ThinkerReport>,
    feed: Feed,
    begun: Instant,
    /// Dead once the game's thread has ended.
    thread: Weak<()>,
}

/// `api/engines`, `api/options`, `api/clocks`, `api/play`, `api/play/open`, `api/play/ID` and `api/play/ID/events`.
pub fn routes(engines: EngineList, timeouts: Timeouts) -> Router {
    let (open, options) = (Mutex::default(), Mutex::default());
    let games = Arc::new(OpenGames { engines, timeouts, open, options });
    Router::new()
        .route(
            "/api/engines",
            get(async |State(games): State<Arc<OpenGames>>| respond(Ok(games.engines.list()))),
        )
        .route(
            "/api/play",
            post(async |State(games): State<Arc<OpenGames>>, Body(new): Body<NewGame>| {
                respond_later(move || games.begin(&new)).await
            }),
        )
        .route(
            "/api/options",
            post(async |State(games): State<Arc<OpenGames>>, Body(of): Body<OptionsOf>| {
                respond_later(move || games.list_options(&of)).await
            }),
        )
        .route("/api/clocks", get(async || respond(clocks())))
        .route(
            "/api/play/open",
            post(async |State(games): State<Arc<OpenGames>>, Body(saved): Body<Value>| {
                respond_later(move || games.begin(&opened(saved)?)).await
            }),
        )
        .route("/api/play/{id}", post(command))
        .route("/api/play/{id}/events", get(events))
        .with_state(games)
}

/// The clocks of events: game, titles, and the time of each side.
fn clocks() -> HttpAnswer {
    let events = embedded().map_err(Refusal::conflict)?;
    let clock = |event: &Event| {
        json!({
            "game": event.kind.name, "title": event.title, "title_zh": event.title_zh,
            "clock": event.clock_text(),
        })
    };
    Ok(events.iter().map(clock).collect())
}

/// The game of a file.
fn opened(mut saved: Value) -> Result<NewGame, Refusal> {
    match saved.get("agon_game").and_then(Value::as_u64) {
        None => {
            return Err(Refusal::bad(phrase!("this is no saved game: it has no key `agon_game`")));
        }
        Some(SAVED_GAME) => {}
        Some(n) => {
            return Err(Refusal::bad(phrase!(
                "this game was saved in format {n}; this program reads format {own}",
                n,
                own = SAVED_GAME
            )));
        }
    }
    let game = serde_json::from_value(saved["game"].take());
    game.map_err(|e| {
        Refusal::bad(phrase!("the saved game: {cause}", cause = excerpt(&e.to_string())))
    })
}

async fn command(
    State(games): State<Arc<OpenGames>>,
    Path(id): Path<String>,
    Body(command): Body<GameCommand>,
) -> Response {
    match games.find(&id) {
        Ok(open) => respond(open.session.ask(command).await),
        Err(refusal) => refusal.into_response(),
    }
}

async fn events(State(games): State<Arc<OpenGames>>, Path(id): Path<String>) -> Response {
    games.find(&id).map_or_else(IntoResponse::into_response, |open| open.feed.stream())
}

impl OpenGames {
    fn find(&self, id: &str) -> Result<Open, Refusal> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let found = open.get(id).filter(|open| open.thread.strong_count() > 0);
        found.cloned().ok_or_else(|| {
            Refusal::unknown(phrase!(
                "no game `{id}`; it may have ended: begin a new one",
                id = excerpt(id)
            ))
        })
    }

    /// The options of an engine that a page may set.
    fn list_options(&self, of: &OptionsOf) -> HttpAnswer {
        let kind = PagePosition { game: of.game.clone(), ..PagePosition::default() }.kind()?;
        let choice = self.engines.find(&of.engine, kind.name)?;
        Ok(options::list(&self.options_of(&choice, kind)?))
    }

    /// The options of an engine, which is started for them once.
    fn options_of(
        &self,
        choice: &EngineChoice,
        kind: GameKind,
    ) -> Result<Arc<[OptionSpec]>, Refusal> {
        let mut known = self.options.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (choice.name.clone(), kind.name);
        if let Some(found) = known.get(&key) {
            return Ok(Arc::clone(found));
        }
        let failed = |reason: Phrase| {
            Refusal::conflict(phrase!(
                "engine {name}: {reason}",
                name = choice.name.as_str(),
                reason
            ))
        };
        let entry = choice.entry().map_err(failed)?;
        let listed: Arc<[OptionSpec]> =
            options::of_engine(entry, kind, self.timeouts).map_err(failed)?.into();
        known.insert(key, Arc::clone(&listed));
        Ok(listed)
    }

    /// The checked options of a new game.
    fn settings_of(
        &self,
        choice: Option<&EngineChoice>,
        kind: GameKind,
        wanted: &BTreeMap<String, String>,
    ) -> Result<Vec<Setting>, Refusal> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let choice =
            choice.ok_or_else(|| Refusal::bad(phrase!("options are for a game with an engine")))?;
        options::check(&self.options_of(choice, kind)?, wanted)
    }

    /// The strength that the settings of a game set.
    fn strength_of(
        &self,
        choice: Option<&EngineChoice>,
        kind: GameKind,
        settings: &[Setting],
    ) -> Result<Option<Strength>, Refusal> {
        let own = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case("Level"));
        let (Some(choice), Some(own)) = (choice, own) else { return Ok(None) };
        let specs = self.options_of(choice, kind)?;
        let most = specs.iter().find(|spec| spec.name == own.name).map(|spec| &spec.kind);
        let Some(&OptionKind::Spin { min, max, .. }) = most else { return Ok(None) };
        let full = Setting { name: own.name.clone(), value: max.to_string() };
        Ok(Some(Strength { own: own.clone(), full, range: [min, max] }))
    }

    /// Begins a game; the answer has its number.
    fn begin(&self, new: &NewGame) -> HttpAnswer {
        new.level.check(new.clock.is_some())?;
        new.check_names()?;
        if new.engine.is_none() && new.sides.contains(&request::SideChoice::Engine) {
            return Err(Refusal::bad(phrase!("an engine is to move, but none is chosen")));
        }
        let board = GameBoard::open(new)?;
        let kind = new.position.kind()?;
        let choice = new.engine.as_deref().map(|name| self.engines.find(name, kind.name));
        let choice = choice.transpose()?;
        let settings = self.settings_of(choice.as_ref(), kind, &new.options)?;
        let strength = self.strength_of(choice.as_ref(), kind, &settings)?;
        let shown: Vec<String> =
            settings.iter().map(|s| format!("{}={}", s.name, s.value)).collect();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, game| game.thread.strong_count() > 0);
        make_room(&mut open)?;
        let rules = new.position.rule_pairs();
        let rules = rules.into_iter().map(|(name, value)| Setting { name, value }).collect();
        let context = EngineContext::new(kind.name, rules, self.timeouts);
        let (feed, begun) = (Feed::default(), new.clone());
        let thread = Arc::new(());
        let (weak, own_feed) = (Arc::downgrade(&thread), feed.clone());
        let run = move |messages, events: std::sync::mpsc::Sender<_>| {
            let _alive = thread;
            let engine = choice.and_then(|choice| {
                let name = choice.name.clone();
                let report = move |report| drop(events.send(Message::Event(report)));
                let entry = move || choice.entry().map(|entry| with_options(entry, &settings));
                match Thinker::start(entry, context, report) {
                    Ok(thinker) => {
                        let (options, error) = (shown, None);
                        Some(Opponent { name, options, thinker, starts: true, error, strength })
                    }
                    Err(e) => {
                        log::error!("engine {name}: {e}");
                        None
                    }
                }
            });
            PageGame::new(kind.name, begun, board, engine, own_feed).run(&messages);
        };
        let session = SessionThread::start("game", run).map_err(|cause| {
            Refusal::conflict(phrase!("the machine has no thread left: {cause}", cause))
        })?;
        let id = format!(
            "{:016x}",
            getrandom::u64().map_err(|e| Refusal::conflict(Phrase::Plain(e.to_string())))?
        );
        open.insert(id.clone(), Open { session, feed, begun: Instant::now(), thread: weak });
        Ok(json!({ "id": id }))
    }
}

/// Makes room for a game: the oldest that no page shows ends if there are too many.
fn make_room(open: &mut BTreeMap<String, Open>) -> Result<(), Refusal> {
    if open.len() < MAX_GAMES {
        return Ok(());
    }
    let is_left = |game: &Open| !game.feed.has_listeners() && game.begun.elapsed() > ARRIVAL;
    let left = open.iter().filter(|(_, game)| is_left(game)).min_by_key(|(_, game)| game.begun);
    let id = left.map(|(id, _)| id.clone()).ok_or_else(|| {
        Refusal::conflict(phrase!(
            "{n} games are open already; close one of them first",
            n = MAX_GAMES
        ))
    })?;
    if let Some(game) = open.remove(&id) {
        game.session.tell(GameCommand::Close {});
    }
    Ok(())
}

/// The engine with these options instead of its own of the same names.
fn with_options(mut entry: EngineEntry, settings: &[Setting]) -> EngineEntry {
    let is_set = |own: &Setting| settings.iter().any(|s| s.name.eq_ignore_ascii_case(&own.name));
    entry.options.retain(|own| !is_set(own));
    entry.options.extend_from_slice(settings);
    entry
}
