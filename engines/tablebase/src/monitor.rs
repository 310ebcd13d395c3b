//! How a long job reports progress and is stopped.

use crate::error::TablebaseError;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicBool, Ordering};

/// A progress bar and a flag that stops the job.
pub struct Monitor<'a> {
    /// Jobs set its length, position and message; its style is the caller's choice.
    pub bar: ProgressBar,
    /// Set by anyone to stop the job.
    pub cancel: &'a AtomicBool,
}

impl Monitor<'static> {
    /// A monitor that draws nothing and never stops the job.
    pub fn hidden() -> Monitor<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Monitor { bar: ProgressBar::hidden(), cancel: &NEVER }
    }
}

impl Monitor<'_> {
    /// Called between units of work.
    ///
    /// # Errors
    ///
    /// [`TablebaseError::Interrupted`] if the job is to stop.
    pub fn checkpoint(&self) -> Result<(), TablebaseError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(TablebaseError::Interrupted),
            false => Ok(()),
        }
    }

    /// Begins a job of so many units.
    pub fn begin(&self, message: &'static str, length: u64) {
        self.bar.reset();
        self.bar.set_length(length);
        self.bar.set_message(message);
    }

    /// [`Monitor::checkpoint`], with a message on what comes next.
    ///
    /// # Errors
    ///
    /// As [`Monitor::checkpoint`].
    pub fn report(&self, message: String) -> Result<(), TablebaseError> {
        self.bar.set_message(message);
        self.checkpoint()
    }
}
