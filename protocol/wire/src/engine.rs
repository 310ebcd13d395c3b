//! The engine interface. [`crate::serve`] handles the text; an engine sees only checked values.

use crate::message::{Info, Limits};
use agon_games::game::{Game, Outcome};
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::record::Record;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Signals from the manager to a running search. Cheap to poll; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    ponder_hit: Arc<AtomicBool>,
}

impl Control {
    /// Without any signal set.
    pub fn new() -> Control {
        Control::default()
    }
    /// Requests the search to end with the best move so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Whether the search must end. Poll this at least every millisecond.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// The predicted move was played.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Relaxed);
    }
    /// Whether the clock is running: true from the start unless the search began as pondering.
    pub fn ponder_was_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}

/// A player of one game. This project's engines get it from the host in `agon_search`, which builds
/// searchers from options.
///
/// ```
/// use agon_games::amazons::{Amazons, AmazonsMove};
/// use agon_wire::engine::{Control, Engine};
/// use agon_games::game::legal_moves;
/// use agon_wire::message::{Info, Limits};
/// use agon_games::option::{OptionError, OptionSpec, OptionValue};
/// use agon_games::Record;
/// use agon_wire::serve::serve;
///
/// /// Plays the last legal move.
/// struct Last;
///
/// impl Engine for Last {
///     type Game = Amazons;
///     fn name(&self) -> String {
///         "Last 1.0".into()
///     }
///     fn options(&self) -> Vec<OptionSpec> {
///         Vec::new()
///     }
///     fn set_option(&mut self, _: &str, _: &OptionValue) -> Result<(), OptionError> {
///         Ok(())
///     }
///     fn new_game(&mut self) {}
///     fn search(
///         &mut self,
///         record: &Record<Amazons>,
///         _limits: &Limits,
///         _control: &Control,
///         _report: &mut dyn FnMut(Info),
///     ) -> AmazonsMove {
///         *legal_moves(record.current()).last().expect("a player is to move")
///     }
/// }
///
/// let mut output = Vec::new();
/// serve(Last, &b"position fen q3/4/4/Q3 w\ngo depth 1\n"[..], &mut output)?;
/// assert_eq!(String::from_utf8_lossy(&output), "bestmove a1d4,d4a1\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Engine: Send + 'static {
    /// The game it plays.
    type Game: Game;

    /// Program name and version.
    fn name(&self) -> String;

    /// The author.
    fn author(&self) -> String {
        "the Agon authors".into()
    }

    /// The options with their current defaults. The game's rule limits are not included: the server
    /// adds and handles those.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets one of [`Engine::options`], by its listed name, to a value that its specification has
    /// accepted.
    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError>;

    /// Hears of a setting that the server handles, such as a rule limit. The records of searches follow the rules
    /// already: most engines need nothing else.
    fn set_rule(&mut self, _name: &str, _value: &OptionValue) {}

    /// Clears all data about earlier games (tables, histories, random streams).
    fn new_game(&mut self);

    /// Does the work that the next search needs before its first node (allocating a table, loading
    /// a file). Called before the answer to `isready`, when no clock is running. Once `control` is
    /// stopped, the conversation is ending: work that can be left out is left out. `report` takes what
    /// the manager should know.
    fn prepare(&mut self, _control: &Control, _report: &mut dyn FnMut(Info)) {}

    /// The result of the record's game with best play of both sides, under the match's rule limits,
    /// if a loaded endgame tablebase has the position. The game is not over. `None` if it does not,
    /// or if no tablebase is loaded.
    fn tablebase_outcome(&mut self, _record: &Record<Self::Game>) -> Option<Outcome> {
        None
    }

    /// Searches the record's current position, where a player is to move, and returns a legal move
    /// that `limits` allow. Must return within 10 ms of [`Control::stop`]; a search stopped before
    /// its first result still returns a legal move. `report` is called from the calling thread
    /// only.
    fn search(
        &mut self,
        record: &Record<Self::Game>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> <Self::Game as Game>::Move;
}
