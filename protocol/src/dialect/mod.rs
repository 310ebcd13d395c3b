//! Dialects: one module each, turning its text into the core messages and back, in both
//! directions, because our engines answer a dialect and our referee drives engines in it.
//!
//! Engines never know which one is spoken. The first line on an engine's standard input picks it.

mod family;
pub mod ucci;
pub mod uci;
pub mod ugi;

use crate::game::Player;
use crate::message::{Command, Reply};

/// Why a line was refused: what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(pub String);

/// One spelling of the core messages. A value is one conversation: it may remember what was said
/// (an engine's name, which options it has), so every process needs its own.
pub trait Dialect: Send {
    /// The name in `--dialect` flags: lower case.
    fn name(&self) -> &'static str;

    /// Engine side: reads one line from the manager. One line may be several commands (a dialect
    /// whose `move` both tells the opponent's move and asks for ours).
    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError>;

    /// Engine side: the lines that say `reply`, without line breaks.
    fn write_reply(&mut self, reply: &Reply) -> Vec<String>;

    /// Manager side: the lines that say `command`, none if the dialect has no words for it.
    /// `mover` is the side to move of the last position, for dialects whose clocks are relative
    /// to it.
    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String>;

    /// Manager side: reads one line of an engine, which may be anything. `None` for a line that
    /// says nothing in this dialect (chatter is allowed); a field that makes no sense is left out.
    /// Every line of an engine's identification gives what is known so far.
    fn read_reply(&mut self, line: &str) -> Option<Reply>;
}

/// The names that [`by_name`] knows.
pub const NAMES: &[&str] = &["ugi", "uci", "ucci"];

/// A dialect by name, in its initial state; `game` is the game's name.
pub fn by_name(name: &str, game: &str) -> Option<Box<dyn Dialect>> {
    match name {
        "ugi" => Some(Box::new(ugi::Ugi::new())),
        "uci" => Some(Box::new(uci::Uci::new(game))),
        "ucci" => Some(Box::new(ucci::Ucci::new())),
        _ => None,
    }
}

/// The dialect that an engine's first input line picks: `uci` for `uci`, `ucci` for `ucci`, else `ugi`.
pub fn detect(first_line: &str, game: &str) -> Box<dyn Dialect> {
    match first_line.split_whitespace().next() {
        Some("uci") => Box::new(uci::Uci::new(game)),
        Some("ucci") => Box::new(ucci::Ucci::new()),
        _ => Box::new(ugi::Ugi::new()),
    }
}
