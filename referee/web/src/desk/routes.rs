//! The requests of the desk's page.

use super::command::{DeskCommand, DeskRequest};
use super::engine_thread::EngineReport;
use crate::assets::page;
use crate::{Body, Feed, Refusal, SessionThread, respond};
use agon_games::phrase::phrase;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;

/// The desk as the handlers see it.
#[derive(Clone)]
pub struct Desk {
    /// The thread that owns the session.
    pub session: SessionThread<DeskRequest, EngineReport>,
    /// What the pages are sent.
    pub feed: Feed,
}

/// `desk`, the page; `api/desk`, its commands; `api/desk/events`, what it shows; `api/desk/record`,
/// the record of the last game.
pub fn routes(desk: Desk) -> Router {
    Router::new()
        .route("/desk", get(async || page(include_str!("../assets/desk.html"))))
        .route("/api/desk", post(command))
        .route("/api/desk/events", get(async |State(desk): State<Desk>| desk.feed.stream()))
        .route("/api/desk/record", get(record))
        .with_state(desk)
}

async fn command(State(desk): State<Desk>, Body(request): Body<DeskRequest>) -> Response {
    respond(desk.session.ask(request).await)
}

/// The record of the last game that has ended, as a file.
async fn record(State(desk): State<Desk>) -> Response {
    let request = DeskRequest { at: None, act: DeskCommand::Record };
    let (name, text) = match desk.session.ask(request).await {
        Err(refusal) => return refusal.into_response(),
        Ok(Value::Object(fields)) => {
            let field = |name| fields.get(name).and_then(Value::as_str).unwrap_or("").to_string();
            (field("name"), field("text"))
        }
        Ok(_) => return Refusal::unknown(phrase!("no record")).into_response(),
    };
    let kind = "text/plain; charset=utf-8".to_string();
    let place = format!("attachment; filename*=UTF-8''{}", percent(&name));
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, place)], text).into_response()
}

/// Percent-encoding of everything but letters, digits, `-` and `.` (RFC 8187).
fn percent(name: &str) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    name.bytes()
        .map(|b| if plain(&b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}
