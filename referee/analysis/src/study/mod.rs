//! Analyses: trees of variations with an engine that follows the shown position. The server keeps them, so that a
//! reload loses nothing and all pages that show one see the same.

mod files;
mod outcomes;
mod request;
mod session;
mod show;

use crate::tree::GameTree;
use agon_engine::driver::Timeouts;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_web::{
    Body, EngineList, Feed, Refusal, SessionThread, ThinkerReport, respond, respond_later,
};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use files::Files;
pub use files::GameFile;
use request::{Export, FileName, NewStudy, Range, Since, StudyCommand};
use serde_json::json;
use session::{MAX_ENGINES, Shared, Study, StudyCall};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Semaphore;

/// Maximum number of analyses.
const MAX_STUDIES: usize = 64;

/// The analyses of all pages.
struct Studies {
    shared: Shared,
    files: Files,
    /// By their order.
    open: Mutex<BTreeMap<u64, Open>>,
}

/// An analysis that is kept.
#[derive(Clone)]
struct Open {
    id: String,
    session: SessionThread<StudyCall, ThinkerReport>,
    feed: Feed,
    /// Dead once the thread has ended.
    thread: Weak<()>,
}

/// Maximum size of a file that a page sends, in bytes.
const MAX_FILE: usize = 32 << 20;

/// `api/studies`, `api/study`, and below `api/study/ID` the tree, `events`, `export` and `view/NODE`; `api/files`, and below
/// `api/file/NUMBER` its games.
pub fn routes(engines: EngineList, timeouts: Timeouts, files: Vec<GameFile>) -> Router {
    let places = Arc::new(Semaphore::new(MAX_ENGINES));
    let shared = Shared { engines, timeouts, places };
    let studies = Arc::new(Studies { shared, files: Files::new(files), open: Mutex::default() });
    Router::new()
        .route("/api/studies", get(list))
        .route("/api/study", post(begin))
        .route("/api/study/{id}", get(tree).post(command))
        .route("/api/study/{id}/view/{node}", get(view))
        .route("/api/study/{id}/events", get(events))
        .route("/api/study/{id}/export", post(export))
        .route("/api/files", get(files_list).post(add_file).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/file/{number}", get(file_games))
        .route("/api/file/{number}/open/{game}", post(open_game))
        .route("/api/file/{number}/game/{game}", get(replay_game))
        .with_state(studies)
}

type Shelf = State<Arc<Studies>>;

async fn list(State(studies): Shelf) -> Response {
    let mut rows = Vec::new();
    for open in studies.all() {
        // One that ends meanwhile is not listed.
        if let Ok(mut row) = open.session.ask(StudyCall::Summary).await {
            row["id"] = json!(open.id);
            rows.push(row);
        }
    }
    respond(Ok(json!(rows)))
}

async fn begin(State(studies): Shelf, Body(new): Body<NewStudy>) -> Response {
    respond_later(move || {
        let tree = new.tree()?;
        studies.open(tree).map(|id| json!({ "id": id }))
    })
    .await
}

async fn ask(studies: &Studies, id: &str, call: StudyCall) -> Response {
    match studies.find(id) {
        Ok(open) => respond(open.session.ask(call).await),
        Err(refusal) => refusal.into_response(),
    }
}

async fn tree(
    State(studies): Shelf,
    Path(id): Path<String>,
    Query(Since { since }): Query<Since>,
) -> Response {
    ask(&studies, &id, StudyCall::Tree(since)).await
}

async fn view(State(studies): Shelf, Path((id, node)): Path<(String, usize)>) -> Response {
    ask(&studies, &id, StudyCall::View(node)).await
}

async fn command(
    State(studies): Shelf,
    Path(id): Path<String>,
    Body(command): Body<StudyCommand>,
) -> Response {
    ask(&studies, &id, StudyCall::Command(command)).await
}

async fn events(State(studies): Shelf, Path(id): Path<String>) -> Response {
    studies.find(&id).map_or_else(IntoResponse::into_response, |open| open.feed.stream())
}

async fn export(
    State(studies): Shelf,
    Path(id): Path<String>,
    Body(wanted): Body<Export>,
) -> Response {
    ask(&studies, &id, StudyCall::Export(wanted)).await
}

async fn files_list(State(studies): Shelf) -> Response {
    respond(Ok(studies.files.list()))
}

async fn add_file(
    State(studies): Shelf,
    Query(FileName { name }): Query<FileName>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Ok(bytes) = body else {
        let most = MAX_FILE >> 20;
        return Refusal::bad(phrase!(
            "{name}: the file is larger than {most} MiB",
            name = excerpt(&name),
            most
        ))
        .into_response();
    };
    respond_later(move || {
        let file = GameFile::of_bytes(&name, &bytes);
        let named =
            |cause: Phrase| Refusal::bad(phrase!("{name}: {cause}", name = excerpt(&name), cause));
        studies.files.add(file.map_err(named)?)
    })
    .await
}

async fn file_games(
    State(studies): Shelf,
    Path(number): Path<usize>,
    Query(Range { from, count }): Query<Range>,
) -> Response {
    respond(studies.files.games(number, from, count))
}

async fn open_game(State(studies): Shelf, Path((number, game)): Path<(usize, usize)>) -> Response {
    respond_later(move || {
        let alive = |id: &str| studies.find(id).is_ok();
        studies.files.open(number, game, alive, |tree| studies.open(tree))
    })
    .await
}

async fn replay_game(
    State(studies): Shelf,
    Path((number, game)): Path<(usize, usize)>,
) -> Response {
    respond_later(move || studies.files.replay(number, game)).await
}

impl NewStudy {
    /// The tree with the moves of the request as its main line.
    fn tree(&self) -> Result<GameTree, Refusal> {
        let kind = self.position.kind()?;
        let fen = self.position.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty());
        let opened = GameTree::new(kind, self.position.rule_pairs(), fen);
        let mut tree = opened.map_err(|e| Refusal::bad(e.to_phrase()))?;
        let mut board = tree.start().boxed_clone();
        let mut at = 0;
        for (i, token) in self.position.moves.iter().enumerate() {
            let added = tree.add_to(&mut *board, at, token).map_err(|e| e.to_phrase());
            at = added
                .map_err(|cause| Refusal::bad(phrase!("move {n}: {cause}", n = i + 1, cause)))?;
        }
        tree.players.clone_from(&self.players);
        Ok(tree)
    }
}

impl Studies {
    fn all(&self) -> Vec<Open> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, study| study.thread.strong_count() > 0);
        open.values().rev().cloned().collect()
    }

    fn find(&self, id: &str) -> Result<Open, Refusal> {
        self.all().into_iter().find(|open| open.id == id).ok_or_else(|| {
            Refusal::unknown(phrase!(
                "no analysis `{id}`; it was closed, or the server is another one: begin a new one",
                id = excerpt(id)
            ))
        })
    }

    /// Keeps a tree; returns the number of its analysis.
    fn open(&self, tree: GameTree) -> Result<String, Refusal> {
        if self.all().len() >= MAX_STUDIES {
            return Err(Refusal::conflict(phrase!(
                "{n} analyses are kept already; close one of them first",
                n = MAX_STUDIES
            )));
        }
        let feed = Feed::default();
        let thread = Arc::new(());
        let (weak, own_feed, shared) = (Arc::downgrade(&thread), feed.clone(), self.shared.clone());
        let run = move |messages, events| {
            let _alive = thread;
            match Study::new(tree, shared, own_feed, events, getrandom::u64()) {
                Ok(mut study) => study.run(&messages),
                Err(refusal) => log::error!("an analysis: {refusal:?}"),
            }
        };
        let session = SessionThread::start("study", run).map_err(|cause| {
            Refusal::conflict(phrase!("the machine has no thread left: {cause}", cause))
        })?;
        let number =
            getrandom::u64().map_err(|e| Refusal::conflict(Phrase::Plain(e.to_string())))?;
        let id = format!("{number:016x}");
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let serial = open.last_key_value().map_or(0, |(last, _)| last + 1);
        open.insert(serial, Open { id: id.clone(), session, feed, thread: weak });
        Ok(id)
    }
}
