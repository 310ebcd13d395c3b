//! What a running match shows on a terminal: progress, score and time left. In a pipe it shows
//! nothing.

use agon_referee::standings::Standings;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A progress line with the score under it, on standard error.
pub struct Live {
    bar: ProgressBar,
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
        Live { bar }
    }

    /// A game was finished.
    pub fn update(&self, standings: &Standings) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            self.bar.set_message(standings.brief());
        }
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
