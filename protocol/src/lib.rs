//! What two programs must agree on: the rules of each game, how positions and moves are written,
//! the messages that an engine and a manager exchange, and the foreign dialects of those messages.
//!
//! Rules never print, the protocol never decides a move. A searcher needs [`game`], an engine
//! program needs [`engine`] and [`serve`], a referee needs [`arbiter`], [`message`] and
//! [`dialect`].

pub mod amazons;
pub mod arbiter;
pub mod board_text;
pub mod conformance;
pub mod connect6;
pub mod cpu;
pub mod darkchess;
pub mod dialect;
pub mod einstein;
pub mod engine;
pub mod game;
pub mod hash;
pub mod lines;
pub mod message;
pub mod nogo;
pub mod option;
pub mod perft;
pub mod record;
pub mod refereed;
pub mod rng;
pub mod serve;
pub mod text;
pub mod xiangqi;

pub use game::{FenError, Game, MoveError, Outcome, Player, Turn};
pub use record::Record;
