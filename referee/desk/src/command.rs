//! What a page asks of the desk. This is no part of the session file: what a page may ask differs from
//! what the desk writes, and the one can change without the other.

use super::action::Why;
use serde::Deserialize;

/// A request: a command, and the position that the page showed when it was given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskRequest {
    /// The number of the game and of the plies that the page showed; a request about an older position
    /// is refused, so that two clicks are not two moves.
    #[serde(default)]
    pub at: Option<[usize; 2]>,
    /// The command.
    pub act: DeskCommand,
}

/// A command. Teams are 0 (A) and 1 (B), players 0 (moves first) and 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum DeskCommand {
    /// Begin the next game.
    Begin,
    /// Enter a set-up, a roll, a revealed piece, a move, or several of them.
    Play {
        /// As typed.
        text: String,
    },
    /// Roll here.
    Roll,
    /// Play the engine's proposal.
    Accept {
        /// The proposal that the page shows; another one is refused.
        #[serde(default)]
        token: Option<String>,
    },
    /// Ask the engine again.
    Think,
    /// Take back plies.
    Back {
        /// How many.
        plies: usize,
    },
    /// Set a clock.
    Clock {
        /// Whose.
        team: usize,
        /// Milliseconds left.
        left_ms: i64,
        /// Why.
        note: String,
    },
    /// Start a clock, or stop both.
    Run {
        /// Whose.
        team: Option<usize>,
    },
    /// End the game.
    End {
        /// The winner; not needed for a result by the rules.
        winner: Option<usize>,
        /// Why.
        why: Why,
        /// A remark.
        #[serde(default)]
        note: String,
    },
    /// Take back the end of the last game.
    Reopen,
    /// Draw a secret for a committed roll; nothing is stored.
    Secret,
    /// Commit to a secret.
    Commit {
        /// The player.
        player: usize,
        /// Its SHA-256.
        hash: String,
    },
    /// Reveal a secret.
    Reveal {
        /// The player.
        player: usize,
        /// The secret.
        secret: String,
    },
    /// Use an engine, in a new process: 0 is the first one, 1 the stand-by.
    Engine {
        /// Which.
        index: usize,
    },
    /// Play the engine's proposals without asking, or ask.
    Auto {
        /// Whether to play them.
        on: bool,
    },
    /// The record of the last game that has ended; nothing is stored.
    Record,
    /// Note a remark.
    Note {
        /// The text.
        text: String,
    },
}
