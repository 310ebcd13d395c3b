//! A match that is played in this program: its running games as small boards, and the request to finish
//! them and stop.

use super::super::feed::Feed;
use agon_base::ordinal::Ordinal;
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::text::visible;
use agon_matches::after_ply::{AfterPly, MoveReport};
use agon_matches::clock::ClocksLeft;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchSession, Observer, working_log};
use agon_matchlog::{GameRecord, MatchHeader, PlyScore, rule_pairs};
use agon_report::shown::{self, ShownPly};
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

/// Most moves of a principal variation.
const MAX_LINE: usize = 16;

/// What a player reported with its last move, and the position in which its line begins.
struct Thought {
    report: MoveReport,
    before: Box<dyn Arbiter>,
}

impl Clone for Thought {
    fn clone(&self) -> Thought {
        Thought { report: self.report.clone(), before: self.before.boxed_clone() }
    }
}

/// A game that runs.
struct Running {
    job: ScheduledGame,
    board: Box<dyn Arbiter>,
    clocks: ClocksLeft,
    /// What each player thought at its last move.
    thoughts: [Option<Thought>; 2],
    /// The ply of each move that was reported with a score, the score, and the expected score in permille.
    curve: Vec<(usize, PlyScore, Option<u32>)>,
    /// Whether it changed since it was last published.
    is_new: bool,
}

impl Running {
    fn copy(&self) -> Running {
        let (board, thoughts) = (self.board.boxed_clone(), self.thoughts.clone());
        Running { board, thoughts, curve: self.curve.clone(), ..*self }
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
    fn state(&self, running: &Running) -> Option<Value> {
        let Running { job, board, clocks, thoughts, curve, .. } = running;
        let name = |i: usize| self.header.engines.get(i).map_or("?", |e| e.name.as_str());
        let viewing = Viewing::spectator(self.kind, rule_pairs(&self.header.rules));
        let view = viewing.view(&**board).ok()?;
        let reports = thoughts.each_ref().map(|thought| thought.as_ref().map(Thought::json));
        let ms = |left: Duration| u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        Some(json!({
            "number": job.number(),
            "players": job.players.map(name),
            "view": view,
            "clocks": clocks.map(|left| left.map(ms)),
            "reports": reports,
            "curve": curve,
        }))
    }
}

/// The name of a log on pages: the file's name without its ending.
pub fn log_name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    visible(&name).into_owned()
}

impl Thought {
    /// What pages get, from the engine's own point of view; `shown` is its line as far as it is legal.
    fn json(&self) -> Value {
        let MoveReport { depth, nodes, us, score, expected, line, .. } = &self.report;
        let line = &line[..line.len().min(MAX_LINE)];
        let shown: Vec<ShownPly> = shown::line(&*self.before, line);
        json!({
            "depth": depth, "nodes": nodes, "us": us, "score": score, "expected": expected, "shown": shown,
        })
    }
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
            let own = boards[slot].take().filter(|running| running.job.game == job.game);
            let (before, mut thoughts, mut curve) = own
                .map_or((None, [None, None], Vec::new()), |own| {
                    (Some(own.board), own.thoughts, own.curve)
                });
            if let Some(mut report) = after.report.clone() {
                let ply = board.tokens().len();
                curve.extend(report.score.map(|score| (ply, score, report.expected)));
                // The position before the first move that is seen here is not known: its line begins after it.
                let before = before.unwrap_or_else(|| {
                    report.line.drain(..report.line.len().min(1));
                    board.boxed_clone()
                });
                let player = report.mover.index();
                thoughts[player] = Some(Thought { report, before });
            }
            let board = board.boxed_clone();
            let (job, clocks) = (*job, after.clocks);
            boards[slot] = Some(Running { job, board, clocks, thoughts, curve, is_new: true });
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

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::{Player, arbiter};

    #[test]
    fn a_thought_is_told_from_the_position_in_which_it_was_had() {
        let before = arbiter::game("nogo").unwrap().open(None, &[]).unwrap();
        let line = ["e5", "a1", "a1", "b2"].map(String::from).to_vec();
        let report = MoveReport {
            mover: Player::First,
            depth: Some(3),
            nodes: Some(40),
            us: Some(7),
            score: None,
            expected: Some(620),
            line,
        };
        let told = Thought { report, before }.json();
        assert_eq!(
            (&told["depth"], &told["nodes"], &told["us"]),
            (&json!(3), &json!(40), &json!(7))
        );
        assert_eq!((&told["expected"], &told["score"]), (&json!(620), &Value::Null));
        let moves: Vec<_> = told["shown"].as_array().unwrap().iter().map(|m| &m["text"]).collect();
        assert_eq!(moves, [&json!("e5"), &json!("a1")], "up to the first that is not legal");
    }
}
