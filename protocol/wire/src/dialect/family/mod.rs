//! The grammar shared by the UCI family: word lists, with small differences between UGI and UCI.
//!
//! A dialect of the family is a [`Family`] table plus its differences.

mod command;
mod reply;
#[cfg(test)]
pub(super) mod tests;

pub(super) use command::{number, position, timing, write_position};
pub(super) use reply::{EngineNames, read_id, read_ponder};

use super::{one_line, split_word};

/// The words that differ between the members.
#[derive(Debug)]
pub(super) struct Family {
    /// The dialect's name, which is also the opening command.
    pub name: &'static str,
    /// The answer's last line.
    pub identified: &'static str,
    /// The command that starts a new game.
    pub new_game: &'static str,
    /// The words of `go` for the first and the second player's time.
    pub times: [&'static str; 2],
    /// The words of `go` for the first and the second player's increment.
    pub increments: [&'static str; 2],
    /// The word after `bestmove` if there is no legal move.
    pub no_move: &'static str,
    /// Whether `score mate` counts moves (UCI) or plies (UGI).
    pub mate_in_moves: bool,
}
