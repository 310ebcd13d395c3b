//! What an engine is to the program around it: [`crate::serve`] owns the text, an engine only
//! ever sees checked values.

use crate::game::{Game, Outcome};
use crate::message::{Info, Limits};
use crate::option::{OptionError, OptionSpec, OptionValue};
use crate::record::Record;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Signals from the manager to a running search. Cheap to poll; clones share the signals.
#[derive(Clone, Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    ponder_hit: Arc<AtomicBool>,
}

impl Control {
    /// No signal given yet.
    pub fn new() -> Control {
        Control::default()
    }
    /// Ask the search to end with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Whether the search must end. Poll this at least every millisecond.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// The expected move was played.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Relaxed);
    }
    /// Whether the clock runs: true from the start unless the search began as pondering.
    pub fn ponder_was_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}

/// A player of one game.
pub trait Engine: Send + 'static {
    /// The game it plays.
    type Game: Game;

    /// Program name and version.
    fn name(&self) -> String;

    /// Who wrote it.
    fn author(&self) -> String {
        "the Agon authors".into()
    }

    /// The options, current defaults included. The game's rule limits are not among them: the
    /// server adds and keeps those.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets one of [`Engine::options`], by the name as listed there, to a value that its
    /// specification has accepted.
    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError>;

    /// Forgets everything about earlier games (tables, histories, random streams).
    fn new_game(&mut self);

    /// Does now what the next search would have to do before its first node (allocate a table,
    /// load a file). Called before readiness is answered, when no clock runs.
    fn prepare(&mut self) {}

    /// How the record's game, which goes on, ends with best play of both sides if a table of
    /// endgames that is loaded says so for certain, the match's rule limits considered. `None` where
    /// it does not, or there is none.
    fn tablebase_outcome(&mut self, _record: &Record<Self::Game>) -> Option<Outcome> {
        None
    }

    /// Searches the record's current position, where it is a player's turn, and returns a legal
    /// move. Must return within 10 ms of [`Control::stop`]; a search that was asked to stop before
    /// it finished anything still returns a legal move. `report` is called from the calling
    /// thread only.
    fn search(
        &mut self,
        record: &Record<Self::Game>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> <Self::Game as Game>::Move;
}
