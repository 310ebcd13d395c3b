//! An engine of a match while its games are played: started when needed, and again after a fault.

use crate::engine::driver::Common;
use crate::engine::{Driver, StartError};
use crate::matchlog::{EngineEntry, LastWords};
use std::sync::Arc;

/// An engine's place at the board: its program is started when it is needed and again after a
/// fault.
pub struct Seat {
    pub(super) entry: Arc<EngineEntry>,
    common: Arc<Common>,
    pub(super) driver: Option<Driver>,
}

impl Seat {
    /// An empty place for an engine.
    pub fn new(entry: Arc<EngineEntry>, common: Arc<Common>) -> Seat {
        Seat { entry, common, driver: None }
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
    pub(super) fn discard(&mut self) -> LastWords {
        self.driver.take().map_or_else(LastWords::default, |mut driver| driver.last_words())
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
pub enum Abandoned {
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
