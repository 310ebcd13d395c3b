//! An engine slot of a match. It starts the engine when needed, and again after a fault.

use agon_engine::driver::EngineContext;
use agon_engine::{Driver, StartError};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matchlog::{EngineEntry, OutputTail};
use std::sync::Arc;

/// An engine and its process.
pub struct EngineSlot {
    pub(super) entry: Arc<EngineEntry>,
    context: Arc<EngineContext>,
    pub(super) driver: Option<Driver>,
}

impl EngineSlot {
    /// A slot whose process does not run yet.
    pub fn new(entry: Arc<EngineEntry>, context: Arc<EngineContext>) -> EngineSlot {
        EngineSlot { entry, context, driver: None }
    }

    /// The running engine; starts it if necessary.
    pub fn driver(&mut self) -> Result<&mut Driver, Box<StartError>> {
        let driver = match self.driver.take() {
            Some(driver) => driver,
            None => Driver::start(&self.entry, &self.context)?,
        };
        Ok(self.driver.insert(driver))
    }

    /// Kills the process and returns the end of its output.
    pub(super) fn kill(&mut self) -> OutputTail {
        self.driver.take().map_or_else(OutputTail::default, |mut driver| driver.output_tail())
    }

    /// Ends the program.
    pub fn quit(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }
}

/// Error: a game was not finished. It is not in the log and will be played again.
#[derive(Debug, thiserror::Error)]
pub enum GameAborted {
    /// The user interrupted the match.
    #[error("interrupted")]
    Interrupted,
    /// The machine or the user is at fault, not an engine.
    #[error("{0}")]
    Machine(Phrase),
    /// The machine stalled, and a move took too long for that reason.
    #[error("{0}")]
    Stalled(Phrase),
    /// The tablebase cannot be probed.
    #[error("{0}")]
    Tablebase(String),
    /// The opening cannot be used.
    #[error("opening `{opening}`: {reason}")]
    Opening {
        /// The opening's text.
        opening: String,
        /// What is wrong.
        reason: String,
    },
}

impl ToPhrase for GameAborted {
    fn to_phrase(&self) -> Phrase {
        match self {
            GameAborted::Interrupted => phrase!("interrupted"),
            GameAborted::Machine(what) | GameAborted::Stalled(what) => what.clone(),
            other => Phrase::Plain(other.to_string()),
        }
    }
}
