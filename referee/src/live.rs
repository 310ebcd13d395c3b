//! What a running match shows on a terminal: progress, score and time left. In a pipe it shows
//! nothing.

use crate::words;
use agon_referee::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{IsTerminal, stdin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// A progress line with the score under it, on standard error.
pub struct Live {
    bar: ProgressBar,
    before: u64,
}

impl Live {
    /// For `total` games, `done` of which are in the log already.
    pub fn new(total: u64, done: u64, quiet: bool) -> Live {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{pos}/{len} games [{bar:30}] {elapsed} gone, {eta} left\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Live { bar, before: done }
    }

    /// A game was finished.
    pub fn update(&self, progress: &Progress) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            let mut text = progress.standings.brief();
            if let Some(test) = &progress.test {
                let elapsed = self.bar.elapsed();
                text.push_str(&format!("\n{}", words::progress(test, elapsed, self.played())));
            }
            self.bar.set_message(text);
        }
    }

    /// Games that this run has played.
    fn played(&self) -> u64 {
        self.bar.position().saturating_sub(self.before)
    }

    /// Prints above the progress line.
    pub fn say(&self, text: &str) {
        if self.bar.is_hidden() {
            eprintln!("{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// Takes the progress line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// How often Enter was pressed since the program began.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// Boards of the running games, whenever the user presses Enter.
pub struct OnDemand {
    /// The last time that was answered, and the games that were shown then.
    shown: Mutex<(u64, BTreeSet<u64>)>,
    /// Games at the same time.
    running: usize,
}

impl OnDemand {
    /// Nothing asked for yet.
    pub fn new(running: usize) -> OnDemand {
        let now = ASKED.load(Ordering::Relaxed);
        OnDemand { shown: Mutex::new((now, BTreeSet::new())), running }
    }

    /// Begins to listen to the terminal; `false` if there is none.
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
                        ASKED.fetch_add(1, Ordering::Relaxed);
                    }
                });
            });
        }
        terminal
    }

    /// Whether a game's board was asked for and not shown since.
    pub fn wants(&self, game: u64) -> bool {
        let asked = ASKED.load(Ordering::Relaxed);
        if asked == 0 {
            return false;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.0 != asked {
            *shown = (asked, BTreeSet::new());
        } else if shown.1.is_empty() {
            // Asked for in an earlier match of this program.
            return false;
        }
        shown.1.len() < self.running.max(1) && shown.1.insert(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_running_game_is_shown_once_for_each_time_it_was_asked_for() {
        let boards = OnDemand::new(2);
        assert!(!boards.wants(1));
        ASKED.fetch_add(1, Ordering::Relaxed);
        assert!(boards.wants(1) && !boards.wants(1) && boards.wants(2));
        assert!(!boards.wants(3), "a game that began later");
        let later = OnDemand::new(2);
        assert!(!later.wants(1), "asked for before it began");
        ASKED.fetch_add(1, Ordering::Relaxed);
        assert!(boards.wants(3) && later.wants(3));
    }
}
