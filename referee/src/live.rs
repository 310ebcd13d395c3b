//! What a running match shows on a terminal: progress, score and time left. In a pipe it shows
//! nothing.

use crate::words;
use agon_referee::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
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
