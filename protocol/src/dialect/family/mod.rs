//! The grammar that the UCI family shares: word lists in which UGI and UCI differ by a few words.
//!
//! A dialect of the family is a [`Family`] table and what it does differently.

mod command;
mod reply;
#[cfg(test)]
pub(super) mod tests;

pub(super) use command::{number, position, write_position};
pub(super) use reply::{Names, read_id};

use super::{one_line, split_word};

/// The words in which the members differ.
#[derive(Debug)]
pub(super) struct Family {
    /// The dialect's name, which is also the command that opens a conversation.
    pub name: &'static str,
    /// The answer's last line.
    pub identified: &'static str,
    /// The command that starts a new game.
    pub new_game: &'static str,
    /// The words of `go` for the first and the second player's time.
    pub times: [&'static str; 2],
    /// The words of `go` for the first and the second player's increment.
    pub increments: [&'static str; 2],
    /// What follows `bestmove` where there is no legal move.
    pub no_move: &'static str,
    /// Whether `score mate` counts moves (UCI) or plies (UGI).
    pub mate_in_moves: bool,
}
