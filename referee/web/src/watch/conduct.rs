//! Plays a match and serves its pages meanwhile.

use super::super::engines::EngineList;
use super::super::play::routes as play_routes;
use super::super::position::routes as position_routes;
use super::super::server::{PageServer, ServerSettings};
use super::live::LiveMatch;
use super::logs::{Logs, routes};
use agon_matches::session::{MatchOutcome, MatchSession};
use agon_report::recorder;
use anyhow::Result;
use std::sync::Arc;
use std::time::Duration;

/// How long the pages are served after the last game, so that they get to know its end.
const FAREWELL: Duration = Duration::from_secs(1);

/// Plays a match according to its flags; with `--serve` its pages are served meanwhile.
///
/// # Errors
///
/// Fails as [`MatchSession::play`], or if the server cannot start.
pub fn play(session: &MatchSession<'_>) -> Result<MatchOutcome> {
    let Some(port) = session.run.serve else { return recorder::play(session, None) };
    let live = Arc::new(LiveMatch::new(session));
    let logs = Logs::of_match(Arc::clone(&live))?;
    let news = logs.news();
    let games = play_routes(EngineList::default(), session.run.timeouts);
    let pages = position_routes().merge(games).merge(routes(logs));
    let server = PageServer::start(&ServerSettings { port, ..ServerSettings::default() }, pages)?;
    eprintln!("the match can be watched at {}", server.url());
    let outcome = recorder::play(session, Some(&*live));
    live.end_match();
    if news() {
        // The server sends the last state before it ends.
        std::thread::sleep(FAREWELL);
    }
    outcome
}
