//! An engine of a match while its games are played: started when needed, and again after a fault.

use crate::engine::driver::EngineContext;
use crate::engine::{Driver, StartError};
use crate::matchlog::{EngineEntry, OutputTail};
use std::sync::Arc;

/// An engine's place at the board: its program is started when it is needed and again after a
/// fault.
pub struct EngineSlot {
    pub(super) entry: Arc<EngineEntry>,
    common: Arc<EngineContext>,
    pub(super) driver: Option<Driver>,
}

impl EngineSlot {
    /// An empty place for an engine.
    pub fn new(entry: Arc<EngineEntry>, common: Arc<EngineContext>) -> EngineSlot {
        EngineSlot { entry, common, driver: None }
    }

    /// The running engine, started if need be.
    pub fn driver(&mut self) -> Result<&mut Driver, Box<StartError>> {
        let driver = match self.driver.take() {
            Some(driver) => driver,
            None => Driver::start(&self.entry, &self.common)?,
        };
        Ok(self.driver.insert(driver))
    }

    /// Kills a program that is at fault; returns its last words.
    pub(super) fn discard(&mut self) -> OutputTail {
        self.driver.take().map_or_else(OutputTail::default, |mut driver| driver.output_tail())
    }

    /// Ends the program.
    pub fn quit(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }
}

/// Why a game was not played to an end; it is not in the log and will be played again.
#[derive(Debug, thiserror::Error)]
pub enum GameAborted {
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The tables that were to be asked cannot be.
    #[error("{0}")]
    Tables(String),
    /// The opening cannot be used.
    #[error("opening `{opening}`: {reason}")]
    Opening {
        /// Its text.
        opening: String,
        /// What is wrong with it.
        reason: String,
    },
}
