//! The requests of the desk's page.

use super::command::{DeskCommand, DeskRequest};
use super::engine_thread::EngineReport;
use agon_games::phrase::phrase;
use agon_web::{Body, Feed, Refusal, SessionThread, attachment, respond};
use agon_web::{DESK, INDEX, page};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The desk as the handlers see it.
#[derive(Clone)]
pub struct Desk {
    /// The thread that owns the session.
    pub session: SessionThread<DeskRequest, EngineReport>,
    /// What the pages are sent.
    pub feed: Feed,
}

/// Where a desk is, or will be once a page opens one.
#[derive(Clone, Default)]
pub struct DeskPlace(Arc<Mutex<Place>>);

#[derive(Default)]
enum Place {
    #[default]
    Free,
    /// Its engine starts.
    Opening,
    Open(Desk),
}

impl DeskPlace {
    /// With this desk.
    pub fn of(desk: Desk) -> DeskPlace {
        DeskPlace(Arc::new(Mutex::new(Place::Open(desk))))
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn desk(&self) -> Result<Desk, Refusal> {
        match &*self.place() {
            Place::Open(desk) => Ok(desk.clone()),
            _ => Err(Refusal::unknown(phrase!("no desk is open; open one on the first page"))),
        }
    }

    /// Whether there is a desk.
    pub fn is_open(&self) -> bool {
        matches!(*self.place(), Place::Open(_))
    }

    /// Opens a desk, if none is open. Requests are answered meanwhile.
    ///
    /// # Errors
    ///
    /// One is open or opens, or `open` fails.
    pub fn open(&self, open: impl FnOnce() -> Result<Desk, Refusal>) -> Result<(), Refusal> {
        let before = match &mut *self.place() {
            place @ Place::Free => std::mem::replace(place, Place::Opening),
            _ => return Err(Refusal::conflict(phrase!("a desk is open already"))),
        };
        let (place, answer) = match open() {
            Ok(desk) => (Place::Open(desk), Ok(())),
            Err(refusal) => (before, Err(refusal)),
        };
        *self.place() = place;
        answer
    }
}

/// `desk`, the page; `api/desk`, its commands; `api/desk/events`, what it shows; `api/desk/record`,
/// the record of the last game.
pub fn routes(place: DeskPlace) -> Router {
    Router::new()
        .route("/desk", get(desk_page))
        .route("/api/desk", post(command))
        .route("/api/desk/events", get(events))
        .route("/api/desk/record", get(record))
        .with_state(place)
}

/// The page of the desk; without one the first page, which opens it.
async fn desk_page(State(place): State<DeskPlace>) -> Response {
    page(if place.is_open() { DESK } else { INDEX })
}

async fn command(State(place): State<DeskPlace>, Body(request): Body<DeskRequest>) -> Response {
    match place.desk() {
        Ok(desk) => respond(desk.session.ask(request).await),
        Err(refusal) => refusal.into_response(),
    }
}

async fn events(State(place): State<DeskPlace>) -> Response {
    place.desk().map_or_else(IntoResponse::into_response, |desk| desk.feed.stream())
}

/// The record of the last game that has ended, as a file.
async fn record(State(place): State<DeskPlace>) -> Response {
    let desk = match place.desk() {
        Ok(desk) => desk,
        Err(refusal) => return refusal.into_response(),
    };
    let request = DeskRequest { at: None, act: DeskCommand::Record };
    let (name, text) = match desk.session.ask(request).await {
        Err(refusal) => return refusal.into_response(),
        Ok(Value::Object(fields)) => {
            let field = |name| fields.get(name).and_then(Value::as_str).unwrap_or("").to_string();
            (field("name"), field("text"))
        }
        Ok(_) => return Refusal::unknown(phrase!("no record")).into_response(),
    };
    attachment(&name, "text/plain; charset=utf-8", text.into())
}
