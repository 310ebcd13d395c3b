//! The second face of the referee: the command line of fastchess 1.8, and of cutechess-cli where it has the same words,
//! with their defaults and output lines. The match, its log and its rules are those of every other command.
//!
//! - [`words`]: every flag and key, and whether it is played, harmless or refused
//! - [`Command`]: a command line that was read; [`Persona`] is whose defaults it has
//! - [`choose_game`]: which game the engines play
//! - [`Lines`]: the lines that frameworks such as OpenBench read

#[macro_use]
extern crate agon_base;

mod command;
mod counts;
mod engine;
mod game;
mod lines;
mod pgn;
mod read;
mod settings;
pub mod words;

pub use command::Command;
pub use engine::Engine;
pub use game::{ChosenGame, choose_game, other_game_of, without_single_thread};
pub use lines::{LineSettings, Lines};
pub use settings::{Output, Persona, Settings};
