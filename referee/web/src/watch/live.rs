//! A match that is played in this program: its running games as small boards, and the request to finish
//! them and stop.

use super::super::feed::Feed;
use agon_base::ordinal::Ordinal;
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::text::visible;
use agon_matches::play::{AfterPly, MoveReport};
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchSession, Observer, working_log};
use agon_matchlog::{GameRecord, MatchHeader, rule_pairs};
use agon_report::view::Viewing;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of boards that are shown.
pub const MAX_BOARDS: usize = 64;

/// A game that runs.
struct Running {
    job: ScheduledGame,
    board: Box<dyn Arbiter>,
    after: AfterPly,
    /// What each player reported last.
    reports: [Option<MoveReport>; 2],
    /// Whether it changed since it was last published.
    is_new: bool,
}

impl Running {
    fn copy(&self) -> Running {
        let board = self.board.boxed_clone();
        Running { board, ..*self }
    }
}

/// The running games of a match.
pub struct LiveMatch {
    kind: GameKind,
    header: MatchHeader,
    /// The name on pages.
    name: String,
    log: PathBuf,
    boards: Mutex<Vec<Option<Running>>>,
    /// Boards whose game ended and that are to be taken away.
    gone: Mutex<Vec<usize>>,
    /// The numbers of the games that began last: one that has ended is in the log a little later.
    begun: Mutex<VecDeque<Ordinal>>,
    finish: AtomicBool,
    ended: AtomicBool,
    /// Where finished games are sent, too.
    news: Option<Sender<MatchNews>>,
}

/// What a published match is told.
pub enum MatchNews {
    /// The games begin; the log has this many.
    Begun(u64),
    /// A game has ended.
    Game(Box<GameRecord>),
    /// The match has ended; this is its log.
    Ended(PathBuf),
}

impl LiveMatch {
    /// The match before its first game. `news` gets its finished games.
    pub fn new(session: &MatchSession<'_>, news: Option<Sender<MatchNews>>) -> LiveMatch {
        let slots = session.run.concurrency.clamp(1, MAX_BOARDS);
        LiveMatch {
            kind: session.kind,
            header: session.header.clone(),
            name: log_name(&session.log),
            log: working_log(&session.log, session.header.shard),
            boards: Mutex::new((0..slots).map(|_| None).collect()),
            gone: Mutex::default(),
            begun: Mutex::default(),
            finish: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            news,
        }
    }

    /// The name on pages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The header.
    pub fn header(&self) -> &MatchHeader {
        &self.header
    }

    /// The path of the log during the run.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// The number of boards.
    pub fn slots(&self) -> usize {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Lets the running games end and starts no more.
    pub fn finish(&self) {
        self.finish.store(true, Ordering::Relaxed);
    }

    /// The match has ended.
    pub fn end_match(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Tells who publishes the match.
    pub fn tell(&self, what: MatchNews) {
        if let Some(news) = &self.news {
            // Who publishes it may have failed.
            let _ = news.send(what);
        }
    }

    /// Sends what has changed if somebody listens: `board-K` for each board, and `run`.
    pub fn publish(&self, feed: &Feed) {
        if !feed.has_listeners() {
            return;
        }
        for slot in self.gone.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            feed.end(&format!("board-{slot}"));
        }
        let changed: Vec<(usize, Running)> = {
            let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
            let running = boards.iter_mut().enumerate().filter_map(|(slot, board)| {
                let board = board.as_mut().filter(|board| board.is_new)?;
                board.is_new = false;
                Some((slot, board.copy()))
            });
            running.collect()
        };
        for (slot, running) in changed {
            if let Some(state) = self.state(&running) {
                feed.send(&format!("board-{slot}"), &state);
            }
        }
        let run = json!({
            "finishing": self.finish.load(Ordering::Relaxed),
            "ended": self.ended.load(Ordering::Relaxed),
            "begun": *self.begun.lock().unwrap_or_else(PoisonError::into_inner),
        });
        feed.send("run", &run);
    }
}

impl LiveMatch {
    /// A board as pages get it.
    fn state(&self, Running { job, board, after, reports, .. }: &Running) -> Option<Value> {
        let name = |i: usize| self.header.engines.get(i).map_or("?", |e| e.name.as_str());
        let viewing = Viewing::spectator(self.kind, rule_pairs(&self.header.rules));
        let view = viewing.view(&**board).ok()?;
        let ms = |left: Duration| u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        Some(json!({
            "number": job.number(),
            "players": job.players.map(name),
            "view": view,
            "clocks": after.clocks.map(|left| left.map(ms)),
            "reports": reports.map(|report| report.map(report_json)),
        }))
    }
}

/// The name of a log on pages: the file's name without its ending.
pub fn log_name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    visible(&name).into_owned()
}

/// What an engine reported, from its own point of view.
fn report_json(report: MoveReport) -> Value {
    json!({ "depth": report.depth, "score": report.score, "expected": report.expected })
}

impl Observer for LiveMatch {
    fn begin(&self, in_log: u64, _total: u64) -> bool {
        self.tell(MatchNews::Begun(in_log));
        true
    }

    fn ply(&self, job: &ScheduledGame, board: &dyn Arbiter, _token: &str, after: &AfterPly) {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let is_own = |slot: &Option<Running>| slot.as_ref().is_some_and(|r| r.job.game == job.game);
        let own = boards.iter().position(is_own);
        if own.is_none() {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            if !begun.contains(&job.number()) {
                begun.push_back(job.number());
            }
            while begun.len() > 2 * MAX_BOARDS {
                begun.pop_front();
            }
        }
        if let Some(slot) = own.or_else(|| boards.iter().position(Option::is_none)) {
            let mut reports = boards[slot].as_ref().map_or([None; 2], |running| running.reports);
            if let Some(report) = after.report {
                reports[report.mover.index()] = Some(report);
            }
            let (job, board, after) = (*job, board.boxed_clone(), *after);
            boards[slot] = Some(Running { job, board, after, reports, is_new: true });
        }
    }

    fn game(&self, game: &GameRecord, _progress: &MatchProgress) {
        self.tell(MatchNews::Game(Box::new(game.clone())));
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        for (slot, board) in boards.iter_mut().enumerate() {
            if board.as_ref().is_some_and(|running| running.job.game == game.game) {
                *board = None;
                self.gone.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
            }
        }
    }

    fn end(&self) {}

    fn wants_end(&self) -> bool {
        self.finish.load(Ordering::Relaxed)
    }
}
