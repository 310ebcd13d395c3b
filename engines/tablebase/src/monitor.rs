//! Progress reports and interruption of long jobs.

use crate::error::TablebaseError;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicBool, Ordering};

/// A progress bar and a flag that stops the job.
pub struct Monitor<'a> {
    /// Jobs set its length, position and message; the caller chooses its style.
    pub bar: ProgressBar,
    /// Set to stop the job.
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
    /// To be called between units of work.
    ///
    /// # Errors
    ///
    /// [`TablebaseError::Interrupted`] if the job must stop.
    pub fn checkpoint(&self) -> Result<(), TablebaseError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(TablebaseError::Interrupted),
            false => Ok(()),
        }
    }

    /// Starts a job of this number of units.
    pub fn begin(&self, message: &'static str, length: u64) {
        self.bar.reset();
        self.bar.set_length(length);
        self.bar.set_message(message);
    }

    /// [`Monitor::checkpoint`], then sets the message for the next phase.
    ///
    /// # Errors
    ///
    /// As [`Monitor::checkpoint`].
    pub fn report(&self, message: String) -> Result<(), TablebaseError> {
        self.bar.set_message(message);
        self.checkpoint()
    }
}
