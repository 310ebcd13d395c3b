//! Plays a match and shows it meanwhile: serves its pages, or publishes them.

use super::super::engines::EngineList;
use super::super::play::routes as play_routes;
use super::super::position::routes as position_routes;
use super::super::server::{PageServer, ServerSettings};
use super::live::{LiveMatch, MatchNews};
use super::logs::{Logs, routes};
use super::publish::{Publisher, check};
use agon_matches::session::{MatchOutcome, MatchSession};
use agon_report::recorder;
use anyhow::Result;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long the pages are served after the last game, so that they get to know its end.
const FAREWELL: Duration = Duration::from_secs(1);

/// Plays a match according to its flags; with `--serve` its pages are served meanwhile, with `--publish` they are
/// written as files.
///
/// # Errors
///
/// Fails as [`MatchSession::play`], or if the server cannot start, or the pages cannot be published.
pub fn play(session: &MatchSession<'_>) -> Result<MatchOutcome> {
    let (folder, port) = (&session.run.publish, session.run.serve);
    if folder.is_none() && port.is_none() {
        return recorder::play(session, None);
    }
    folder.as_ref().map_or(Ok(()), |folder| check(folder, session))?;
    let (news, events) = channel();
    let live = Arc::new(LiveMatch::new(session, folder.as_ref().map(|_| news)));
    let logs = Logs::of_match(Arc::clone(&live))?;
    let publisher = match (folder, logs.feed()) {
        (Some(folder), Some(feed)) => Some(Publisher::start(folder, &live, feed.listen(), events)?),
        _ => None,
    };
    let send_news = logs.news();
    let (server, _unserved) = match port {
        Some(port) => (Some(serve(session, port, logs)?), None),
        None => (None, Some(logs)),
    };
    let outcome = recorder::play(session, Some(&*live));
    live.end_match();
    let is_watched = send_news();
    let log = outcome.as_ref().map_or(live.log(), |outcome| outcome.log.as_path());
    live.tell(MatchNews::Ended(log.into()));
    publisher.into_iter().for_each(Publisher::wait);
    if is_watched && server.is_some() {
        // The server sends the last state before it ends.
        std::thread::sleep(FAREWELL);
    }
    outcome
}

/// Serves the pages of a running match.
fn serve(session: &MatchSession<'_>, port: u16, logs: Logs) -> Result<PageServer> {
    let games = play_routes(EngineList::default(), session.run.timeouts);
    let pages = position_routes().merge(games).merge(routes(logs));
    let server = PageServer::start(&ServerSettings { port, ..ServerSettings::default() }, pages)?;
    eprintln!("the match can be watched at {}", server.url());
    Ok(server)
}
