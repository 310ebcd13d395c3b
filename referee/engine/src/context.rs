//! The settings that all engines of a match share.

use super::transcript::Transcript;
use agon_matchlog::Setting;
use std::sync::Arc;
use std::time::Duration;

/// The referee's timeouts for an engine.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the identification after the start and for `readyok` (an engine may load tables).
    pub ready: Duration,
    /// For a move without a time limit.
    pub think: Duration,
    /// For `bestmove` after `stop`, and for the exit after `quit`.
    pub grace: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            ready: Duration::from_secs(20),
            think: Duration::from_secs(600),
            grace: Duration::from_secs(1),
        }
    }
}

/// Settings that all engines of a match share.
#[derive(Clone, Debug)]
pub struct EngineContext {
    /// The game's name.
    pub game: String,
    /// The match's rule options.
    pub rules: Vec<Setting>,
    /// Timeouts.
    pub timeouts: Timeouts,
    /// Where the dialogue with the engines is written, if anywhere.
    pub transcript: Option<Arc<Transcript>>,
}

impl EngineContext {
    /// The settings without a transcript.
    pub fn new(game: &str, rules: Vec<Setting>, timeouts: Timeouts) -> EngineContext {
        EngineContext { game: game.into(), rules, timeouts, transcript: None }
    }
}
