//! Opens a desk: its engine, its session file, its folder of records and its thread.

use super::controller::{Controller, Equipment};
use super::engine_thread::Started;
use super::journal::Journal;
use super::routes::Desk;
use super::setup::Setup;
use agon_base::language;
use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::{Driver, StartError, StartFault};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matchlog::{EngineEntry, Limit, TimeControl};
use agon_web::clocks::ClockRule;
use agon_web::{Feed, SessionThread};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What a desk needs.
pub struct DeskPlan {
    /// What the session is about.
    pub setup: Setup,
    /// The engine and its stand-by; their clocks are those of the set-up.
    pub engines: Vec<EngineEntry>,
    /// The session file; a session that it holds is resumed.
    pub session: PathBuf,
    /// The folder of the records; `None`: beside the session file.
    pub records: Option<PathBuf>,
    /// Play the engine's moves without a confirmation.
    pub auto: bool,
    /// The name of the event in Chinese.
    pub event_zh: String,
    /// How long an engine may take to start.
    pub ready: Duration,
}

/// A desk that runs.
pub struct OpenedDesk {
    /// The desk for its routes.
    pub desk: Desk,
    /// The number of actions of the session that it resumes.
    pub resumed: u64,
    /// The engine that still starts.
    pub in_background: Option<String>,
}

impl DeskPlan {
    /// Starts the engine, opens the session file and starts the thread.
    ///
    /// # Errors
    ///
    /// An engine of a new session does not start, or a file cannot be used; nothing has been written then.
    pub fn open(self) -> Result<OpenedDesk, Phrase> {
        let DeskPlan { setup, session: path, auto, event_zh, .. } = self;
        let engines = with_clock(self.engines, setup.clock);
        let timeouts = Timeouts { ready: self.ready, ..Timeouts::default() };
        let context = Arc::new(EngineContext::new(&setup.game, setup.rules.clone(), timeouts));
        // The clocks of a new session wait for its engine; those of a resumed one may run.
        let started = if path.exists() { None } else { start(&engines, &context)? };
        let (journal, state) = Journal::open(&path, &setup)?;
        let resumed = state.n;
        let in_background = engines.first().filter(|_| started.is_none()).map(|e| e.name.clone());
        let records = self.records.unwrap_or_else(|| default_records(&path));
        // Better now than after the first game.
        std::fs::create_dir_all(&records).map_err(|cause| {
            let path = records.display();
            phrase!("the folder of the records, {path}: {cause}", path, cause)
        })?;
        let equipment = Equipment { engines, started, context, auto, records, event_zh };
        let feed = Feed::default();
        let table_feed = feed.clone();
        let (ready, started) = std::sync::mpsc::channel();
        let session = SessionThread::start("desk", move |messages, reports| {
            match Controller::new(journal, state, equipment, table_feed, reports) {
                Ok(table) => {
                    // Who opens the desk waits for it.
                    let _ = ready.send(Ok(()));
                    table.run(&messages);
                }
                Err(e) => drop(ready.send(Err(e))),
            }
        });
        let session = session.map_err(|cause| cause.to_phrase())?;
        started.recv().unwrap_or_else(|_| Err(phrase!("the desk ended")))?;
        Ok(OpenedDesk { desk: Desk { session, feed }, resumed, in_background })
    }
}

/// The engines with the clock of the session: what they are told must be in a unit that they know.
fn with_clock(engines: Vec<EngineEntry>, rule: ClockRule) -> Vec<Arc<EngineEntry>> {
    let ClockRule { time_ms, increment_ms, .. } = rule;
    let clock = (time_ms > 0).then_some(TimeControl { time_ms, increment_ms, moves: None });
    let with = |engine: EngineEntry| {
        let limit = Limit { clock: clock.clone(), ..engine.limit };
        Arc::new(EngineEntry { limit, ..engine })
    };
    engines.into_iter().map(with).collect()
}

/// Starts the engine and waits until it is ready, at the same time as the stand-by, which takes its place if
/// it fails; without one the engine is started once more. `None`: no engine plays.
fn start(
    engines: &[Arc<EngineEntry>],
    context: &Arc<EngineContext>,
) -> Result<Option<Started>, Phrase> {
    let Some((first, standby)) = engines.split_first() else { return Ok(None) };
    let (driver, other) = thread::scope(|scope| {
        let others = standby.first().map(|entry| scope.spawn(|| Driver::start(entry, context)));
        let driver = Driver::start(first, context);
        // A panic has been reported already.
        (driver, others.and_then(|other| other.join().ok()))
    });
    match (driver, other) {
        (_, Some(Err(error))) | (Err(error), _) if error.cause == StartFault::Fields => {
            Err(error.to_phrase())
        }
        (Ok(driver), other) => {
            match other {
                Some(Ok(other)) => other.quit(),
                Some(Err(error)) => warn(&error),
                None => {}
            }
            Ok(Some(Started { driver, index: 0, failure: None }))
        }
        (Err(error), Some(Ok(driver))) => {
            warn(&error);
            Ok(Some(Started { driver, index: 1, failure: Some(error.to_phrase()) }))
        }
        (Err(error), None) if error.cause == StartFault::Engine => {
            warn(&error);
            let driver = Driver::start(first, context).map_err(|error| error.to_phrase())?;
            Ok(Some(Started { driver, index: 0, failure: Some(error.to_phrase()) }))
        }
        (Err(error), _) => Err(error.to_phrase()),
    }
}

/// Tells the operator of an engine that does not start.
fn warn(error: &StartError) {
    eprintln!("{}", language::current().say(&error.to_phrase()));
}

/// `FILE-records` beside the session file, without the ending of its name.
fn default_records(session: &Path) -> PathBuf {
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.trim_end_matches(".jsonl").trim_end_matches(".desk");
    session.with_file_name(format!("{stem}-records"))
}
