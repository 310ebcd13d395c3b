//! A match that is played in this program: its running games as small boards, and the request to finish
//! them and stop.

use super::super::feed::Feed;
use agon_games::arbiter::{Arbiter, GameKind};
use agon_matches::clock::ClocksLeft;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchSession, Observer, working_log};
use agon_matchlog::{GameRecord, MatchHeader, rule_pairs};
use agon_report::view::Viewing;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Maximum number of boards that are shown.
pub const MAX_BOARDS: usize = 64;

/// A game that runs.
struct Running {
    job: ScheduledGame,
    board: Box<dyn Arbiter>,
    clocks: ClocksLeft,
    /// Whether it changed since it was last published.
    is_new: bool,
}

/// The running games of a match.
pub struct LiveMatch {
    kind: GameKind,
    header: MatchHeader,
    log: PathBuf,
    boards: Mutex<Vec<Option<Running>>>,
    /// Boards whose game ended and that are to be taken away.
    gone: Mutex<Vec<usize>>,
    finish: AtomicBool,
    ended: AtomicBool,
}

impl LiveMatch {
    /// The match before its first game.
    pub fn new(session: &MatchSession<'_>) -> LiveMatch {
        let slots = session.run.concurrency.clamp(1, MAX_BOARDS);
        LiveMatch {
            kind: session.kind,
            header: session.header.clone(),
            log: working_log(&session.log, session.header.shard),
            boards: Mutex::new((0..slots).map(|_| None).collect()),
            gone: Mutex::default(),
            finish: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        }
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

    /// Sends what has changed if somebody listens: `board-K` for each board, and `run`.
    pub fn publish(&self, feed: &Feed) {
        if !feed.has_listeners() {
            return;
        }
        for slot in self.gone.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            feed.end(&format!("board-{slot}"));
        }
        let changed: Vec<(usize, ScheduledGame, Box<dyn Arbiter>, ClocksLeft)> = {
            let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
            let running = boards.iter_mut().enumerate().filter_map(|(slot, board)| {
                let board = board.as_mut().filter(|board| board.is_new)?;
                board.is_new = false;
                Some((slot, board.job, board.board.boxed_clone(), board.clocks))
            });
            running.collect()
        };
        let viewing = Viewing::spectator(self.kind, rule_pairs(&self.header.rules));
        for (slot, job, board, clocks) in changed {
            let name = |i: usize| self.header.engines.get(i).map_or("?", |e| e.name.as_str());
            let Ok(view) = viewing.view(&*board) else { continue };
            let ms =
                clocks.map(|left| left.map(|t| u64::try_from(t.as_millis()).unwrap_or(u64::MAX)));
            let state = json!({
                "number": job.number(), "players": job.players.map(name), "view": view,
                "clocks": ms,
            });
            feed.send(&format!("board-{slot}"), &state);
        }
        let run = json!({
            "finishing": self.finish.load(Ordering::Relaxed),
            "ended": self.ended.load(Ordering::Relaxed),
        });
        feed.send("run", &run);
    }
}

impl Observer for LiveMatch {
    fn begin(&self, _in_log: u64, _total: u64) -> bool {
        true
    }

    fn ply(&self, job: &ScheduledGame, board: &dyn Arbiter, _token: &str, clocks: &ClocksLeft) {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let is_own = |slot: &Option<Running>| slot.as_ref().is_some_and(|r| r.job.game == job.game);
        let own = boards.iter().position(is_own);
        if let Some(slot) = own.or_else(|| boards.iter().position(Option::is_none)) {
            let (board, clocks) = (board.boxed_clone(), *clocks);
            boards[slot] = Some(Running { job: *job, board, clocks, is_new: true });
        }
    }

    fn game(&self, game: &GameRecord, _progress: &MatchProgress) {
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
