//! The live display of a match: progress, score, ETA and boards on a terminal; with `--json` one
//! line per game. There is no progress line if the output is a pipe; an experiment may print a row
//! of its own table there now and then.

use super::plot::{PieceStyle, text_board};
use super::width::{self, TerminalSize};
use super::{sprt, standings};
use agon_games::arbiter::Arbiter;
use agon_matches::after_ply::AfterPly;
use agon_matches::progress::MatchProgress;
use agon_matches::run_settings::RunSettings;
use agon_matches::schedule::ByResults as _;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchSession, Observer, Scoreboard};
use agon_matchlog::{GameRecord, MatchHeader};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{IsTerminal, stdin};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// A progress line with the score below it on standard error; with `--json` one line per game on
/// standard output.
pub struct Live<'a> {
    header: &'a MatchHeader,
    run: &'a RunSettings,
    log: &'a Path,
    scoreboard: Option<&'a dyn Scoreboard>,
    bar: ProgressBar,
    /// Number of games in the log at the start of the run.
    before: AtomicU64,
    requests: BoardRequests,
}

impl<'a> Live<'a> {
    /// The display of a match that has not begun.
    pub fn new(session: &'a MatchSession<'_>) -> Live<'a> {
        Live {
            header: &session.header,
            run: session.run,
            log: &session.log,
            scoreboard: session.scoreboard,
            bar: ProgressBar::hidden(),
            before: AtomicU64::new(0),
            requests: BoardRequests::new(session.run.concurrency),
        }
    }

    /// Prints something else without disturbing the progress line.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Number of games played in this run.
    fn played(&self) -> u64 {
        self.bar.position().saturating_sub(self.before.load(Ordering::Relaxed))
    }

    /// Prints above the progress line.
    fn print(&self, text: &str) {
        if self.bar.is_hidden() {
            eprintln!("{text}");
        } else {
            let width = width::of_errors().map_or(80, |size| size.width);
            self.bar.println(width::hang(text, width));
        }
    }

    /// The scoreboard, if its rows are printed: the output is a pipe and is to have text.
    fn piped(&self) -> Option<&dyn Scoreboard> {
        self.scoreboard.filter(|_| self.bar.is_hidden() && !self.run.quiet && !self.run.json)
    }

    fn update(&self, progress: &MatchProgress) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            if self.header.shard.is_none() && self.header.schedule.needs_results() {
                self.bar.set_length(self.header.schedule.expected_games(&progress.results));
            }
            let size = width::of_errors().unwrap_or(TerminalSize { width: 80, height: 24 });
            let mut text = match self.scoreboard {
                Some(board) => board.live(progress, size.width, size.height),
                None => standings::brief(self.header, progress, size),
            };
            if let Some(test) = &progress.test {
                let line = sprt::progress(test, self.bar.elapsed(), self.played());
                text.push_str(&format!("\n{}", width::wrap(&line, size.width)));
            }
            let lines = [
                progress.beside.as_ref().map(sprt::beside),
                progress.sequence().and_then(sprt::confidence),
            ];
            for line in lines.into_iter().flatten() {
                text.push_str(&format!("\n{}", width::wrap(&line, size.width)));
            }
            self.bar.set_message(text);
        }
    }
}

impl Observer for Live<'_> {
    fn begin(&self, in_log: u64, total: u64) -> bool {
        let silent = self.run.quiet || self.run.json;
        if !silent {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        // The progress line takes 45 columns besides the bar.
        let bar = width::of_errors().map_or(30, |s| s.width.saturating_sub(45).min(30));
        let bar = if bar < 3 { String::new() } else { format!("[{{bar:{}}}] ", bar - 2) };
        // The line of a test tells when it may end, which is mostly long before the last game.
        let template = if self.header.ends_early() {
            "{pos} games, at most {len}, elapsed {elapsed}\n{msg}".to_string()
        } else {
            format!("{{pos}}/{{len}} games {bar}elapsed {{elapsed}}, ETA {{eta}}\n{{msg}}")
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.set_length(total);
        self.bar.set_position(in_log);
        self.before.store(in_log, Ordering::Relaxed);
        self.bar.reset_eta();
        self.bar.reset_elapsed();
        self.bar.enable_steady_tick(Duration::from_millis(500));
        if in_log > 0 {
            let played = self.header.extent(in_log, total);
            self.print(&format!("resuming {}: {played}", self.log.display()));
        }
        if let Some(head) = self.piped().and_then(Scoreboard::head) {
            println!("{head}");
        }
        self.run.watch || !silent && self.requests.listen()
    }

    fn ply(&self, job: &ScheduledGame, board: &dyn Arbiter, token: &str, _after: &AfterPly) {
        if self.run.watch || self.requests.wants(job.game) {
            let pieces = PieceStyle::from_flag(self.run.letters);
            self.print(&position_text(self.header, job, board, token, pieces));
        }
    }

    fn game(&self, game: &GameRecord, progress: &MatchProgress) {
        self.update(progress);
        let total = self.bar.length().unwrap_or(0);
        if let Some(row) = self.piped().and_then(|board| board.row(progress, total)) {
            println!("{row}");
        }
        if self.run.json {
            println!("{}", game_event(game, progress));
        } else if let Some(detail) = game.detail.as_ref().filter(|_| !self.run.quiet) {
            let said = game.output_tail();
            let name = &self.header.game;
            self.print(&format!("{name}, game {}: {detail}{said}", game.number()));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// One `--json` line for a game: the log's record without its moves.
fn game_event(game: &GameRecord, progress: &MatchProgress) -> serde_json::Value {
    let mut event = serde_json::json!({
        "event": "game",
        "game": game.game,
        "pair": game.pair,
        "players": game.players,
        "result": game.result,
        "reason": game.reason,
        "detail": game.detail,
        "plies": game.by.len(),
    });
    if let (Some(test), Some(object)) = (&progress.test, event.as_object_mut()) {
        object.insert(sprt::evidence_key(test).into(), test.state().evidence.into());
    }
    event
}

/// A board below a line of text, for `--watch` and `replay`.
pub fn position_text(
    header: &MatchHeader,
    job: &ScheduledGame,
    board: &dyn Arbiter,
    token: &str,
    pieces: PieceStyle,
) -> String {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    let [first, second] = job.players.map(name);
    let ply = board.tokens().len();
    let picture = text_board(&header.game, board, pieces);
    format!("game {}, {first} - {second}, ply {ply}: {token}\n{picture}", job.number())
}

/// How often the user has pressed Enter since the program started.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// The boards of the running games, shown each time the user presses Enter.
pub struct BoardRequests {
    /// The last request that was answered, and the games shown for it.
    shown: Mutex<(u64, BTreeSet<u64>)>,
    /// Maximum number of concurrent games.
    running: usize,
}

impl BoardRequests {
    /// No request yet.
    pub fn new(running: usize) -> BoardRequests {
        let now = REQUESTS.load(Ordering::Relaxed);
        BoardRequests { shown: Mutex::new((now, BTreeSet::new())), running }
    }

    /// Starts to read the terminal; `false` if there is none.
    pub fn listen(&self) -> bool {
        static LISTENING: Once = Once::new();
        let terminal = stdin().is_terminal();
        if terminal {
            LISTENING.call_once(|| {
                std::thread::spawn(|| {
                    for line in stdin().lines() {
                        if line.is_err() {
                            return;
                        }
                        REQUESTS.fetch_add(1, Ordering::Relaxed);
                    }
                });
            });
        }
        terminal
    }

    /// Whether a board was requested since this game was last shown.
    pub fn wants(&self, game: u64) -> bool {
        let requests = REQUESTS.load(Ordering::Relaxed);
        if requests == 0 {
            return false;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.0 != requests {
            *shown = (requests, BTreeSet::new());
        } else if shown.1.is_empty() {
            // The request was made in an earlier match of this program.
            return false;
        }
        shown.1.len() < self.running.max(1) && shown.1.insert(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_running_game_is_shown_once_per_request() {
        let boards = BoardRequests::new(2);
        assert!(!boards.wants(1));
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        assert!(boards.wants(1) && !boards.wants(1) && boards.wants(2));
        assert!(!boards.wants(3), "a game that started later");
        let later = BoardRequests::new(2);
        assert!(!later.wants(1), "requested before it started");
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        assert!(boards.wants(3) && later.wants(3));
    }
}
