//! The logs that can be watched, and their requests.

use super::super::answer::{HttpAnswer, Refusal, attachment, respond, respond_later};
use super::super::feed::Feed;
use super::live::LiveMatch;
use super::log::{Download, LogFile};
use agon_base::ordinal::Ordinal;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use anyhow::{Result, bail};
use axum::Router;
use axum::extract::{Path as PathParam, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the running games are published.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum number of logs of a folder that are listed: those that changed last.
const MAX_LISTED: usize = 20;

/// The logs, which become more while the server runs if they are those of a folder.
#[derive(Clone, Default)]
struct LogList(Arc<Mutex<Vec<Arc<LogFile>>>>);

impl LogList {
    fn all(&self) -> Vec<Arc<LogFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds the logs of a folder that changed last and are not yet there. The numbers of the others stay.
    fn add_folder(&self, folder: &Path) {
        let mut found = Vec::new();
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
            let data = path.metadata().ok().filter(|data| data.is_file());
            let changed = data.and_then(|data| data.modified().ok());
            let is_named = path.extension().is_some_and(|e| e == "jsonl");
            found.extend(changed.filter(|_| is_named).map(|changed| (changed, path)));
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, path) in found.into_iter().take(MAX_LISTED) {
            let is_new = logs.iter().all(|log| log.path() != path);
            if is_new && agon_matchlog::open(&path).is_ok() {
                logs.push(Arc::new(LogFile::new(&path)));
            }
        }
    }
}

/// Logs to watch; a thread looks for changes as long as this lives.
pub struct Logs {
    logs: LogList,
    /// The folder whose logs are added when a page asks for the list.
    folder: Option<PathBuf>,
    /// The match that runs in this program; then its log is the only one.
    live: Option<Arc<LiveMatch>>,
    _watcher: Sender<()>,
}

impl Logs {
    /// Opens logs; each must be a match log.
    ///
    /// # Errors
    ///
    /// Fails if a file is no log, or the machine has no thread left.
    pub fn open(paths: &[PathBuf]) -> Result<Logs> {
        let mut names = BTreeSet::new();
        let mut logs = Vec::new();
        for path in paths {
            agon_matchlog::open(path).map_err(|error| error.to_phrase())?;
            let mut log = LogFile::new(path);
            if !names.insert(log.name.clone()) {
                log.name = path.display().to_string();
            }
            if paths.iter().filter(|p| *p == path).count() > 1 {
                bail!(phrase!("{path}: given twice", path = path.display()));
            }
            logs.push(log);
        }
        Logs::start(logs, None, None)
    }

    /// The logs of a folder that changed last, also those of matches that begin later.
    ///
    /// # Errors
    ///
    /// Fails if the machine has no thread left.
    pub fn of_folder(folder: PathBuf) -> Result<Logs> {
        Logs::start(Vec::new(), None, Some(folder))
    }

    /// The log of a match that runs in this program.
    ///
    /// # Errors
    ///
    /// Fails if the machine has no thread left.
    pub fn of_match(live: Arc<LiveMatch>) -> Result<Logs> {
        let mut log = LogFile::new(live.log());
        log.name = live.name().into();
        Logs::start(vec![log], Some(live), None)
    }

    fn start(
        logs: Vec<LogFile>,
        live: Option<Arc<LiveMatch>>,
        folder: Option<PathBuf>,
    ) -> Result<Logs> {
        let logs: Vec<Arc<LogFile>> = logs.into_iter().map(Arc::new).collect();
        let logs = LogList(Arc::new(Mutex::new(logs)));
        let (sender, end) = channel::<()>();
        let (watched, running) = (logs.clone(), live.clone());
        let run = move || {
            let mut due = Vec::new();
            while end.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let watched = watched.all();
                due.resize(watched.len(), Instant::now());
                if let (Some(live), Some(log)) = (&running, watched.first()) {
                    live.publish(&log.feed);
                }
                for (log, due) in watched.iter().zip(&mut due) {
                    if *due <= Instant::now() {
                        *due = Instant::now() + log.refresh().min(Duration::from_secs(60));
                    }
                }
            }
        };
        std::thread::Builder::new().name("logs".into()).spawn(run)?;
        Ok(Logs { logs, folder, live, _watcher: sender })
    }

    /// The events of the first log.
    pub fn feed(&self) -> Option<Feed> {
        self.logs.all().first().map(|log| log.feed.clone())
    }

    /// A function that sends what has changed at once, and returns whether somebody listens.
    pub fn news(&self) -> impl Fn() -> bool + use<> {
        let (logs, live) = (self.logs.all(), self.live.clone());
        move || {
            for log in &logs {
                log.refresh();
                live.iter().for_each(|live| live.publish(&log.feed));
            }
            logs.iter().any(|log| log.feed.has_listeners())
        }
    }

    /// The log with this number, from 1.
    fn find(&self, number: u64) -> Result<Arc<LogFile>, Refusal> {
        let logs = self.logs.all();
        let index = Ordinal::try_from(number).ok().and_then(|n| usize::try_from(n.index()).ok());
        index.and_then(|index| logs.get(index).cloned()).ok_or_else(|| {
            let count = logs.len();
            Refusal::unknown(phrase!("no log {n}; there are {count}", n = number, count))
        })
    }
}

/// Part of a list of games.
#[derive(Deserialize)]
struct Range {
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: Option<usize>,
}

/// `api/logs`, and `api/log/N` with `/games`, `/game/G`, `/events` and `/finish` below it; N and G count
/// from 1.
pub fn routes(logs: Logs) -> Router {
    Router::new()
        .route(
            "/api/logs",
            get(async |State(logs): State<Arc<Logs>>| respond_later(move || Ok(list(&logs))).await),
        )
        .route(
            "/api/log/{log}",
            get(async |State(logs): State<Arc<Logs>>, PathParam(log): PathParam<u64>| {
                read(logs, log, LogFile::summary).await
            }),
        )
        .route(
            "/api/log/{log}/games",
            get(
                async |State(logs): State<Arc<Logs>>,
                       PathParam(log): PathParam<u64>,
                       Query(range): Query<Range>| {
                    read(logs, log, move |log| {
                        log.games(range.from, range.count.unwrap_or(usize::MAX))
                    })
                    .await
                },
            ),
        )
        .route(
            "/api/log/{log}/game/{game}",
            get(
                async |State(logs): State<Arc<Logs>>,
                       PathParam((log, game)): PathParam<(u64, u64)>| {
                    read(logs, log, move |log| log.game(game)).await
                },
            ),
        )
        .route(
            "/api/log/{log}/file",
            get(async |State(logs): State<Arc<Logs>>, PathParam(log): PathParam<u64>| {
                download(logs, log, LogFile::download).await
            }),
        )
        .route(
            "/api/log/{log}/pgn",
            get(async |State(logs): State<Arc<Logs>>, PathParam(log): PathParam<u64>| {
                download(logs, log, LogFile::pgn).await
            }),
        )
        .route("/api/log/{log}/events", get(events))
        .route("/api/log/{log}/finish", post(finish))
        .with_state(Arc::new(logs))
}

fn list(logs: &Logs) -> Value {
    logs.folder.iter().for_each(|folder| logs.logs.add_folder(folder));
    let entry = |(log, index): (&Arc<LogFile>, u64)| {
        let slots = logs.live.as_ref().map(|live| live.slots());
        let found = logs.folder.is_some().then(|| log.brief());
        json!({ "number": Ordinal::of_index(index), "name": log.name, "live": slots, "found": found })
    };
    logs.logs.all().iter().zip(0..).map(entry).collect()
}

/// Answers from a log's file, on a thread that may wait for it.
async fn read(
    logs: Arc<Logs>,
    log: u64,
    part: impl FnOnce(&LogFile) -> HttpAnswer + Send + 'static,
) -> Response {
    let log = match logs.find(log) {
        Ok(log) => log,
        Err(refusal) => return refusal.into_response(),
    };
    respond_later(move || part(&log)).await
}

/// Answers with a file to be saved.
async fn download(
    logs: Arc<Logs>,
    log: u64,
    file: impl FnOnce(&LogFile) -> Result<Download, Refusal> + Send + 'static,
) -> Response {
    let log = match logs.find(log) {
        Ok(log) => log,
        Err(refusal) => return refusal.into_response(),
    };
    let made = tokio::task::spawn_blocking(move || file(&log)).await;
    match made {
        Ok(Ok(Download { name, kind, text })) => attachment(&name, kind, text),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(cause) => Refusal::bad(Phrase::Plain(excerpt(&cause.to_string()))).into_response(),
    }
}

async fn events(State(logs): State<Arc<Logs>>, PathParam(log): PathParam<u64>) -> Response {
    logs.find(log).map_or_else(IntoResponse::into_response, |log| log.feed.stream())
}

/// Lets the running games end and starts no more.
async fn finish(State(logs): State<Arc<Logs>>, PathParam(log): PathParam<u64>) -> Response {
    respond(logs.find(log).and_then(|_| match &logs.live {
        Some(live) => {
            live.finish();
            Ok(Value::Null)
        }
        None => Err(Refusal::conflict(phrase!("this match does not run in this program"))),
    }))
}
