//! The common ground of all programs: the rules of each game, the notation of positions and moves,
//! the messages between engine and manager, and the foreign dialects of those messages.
//!
//! Rules never print, and the protocol never chooses a move. A searcher needs [`game`], an engine
//! program needs [`engine`] and [`serve`], a referee needs [`arbiter`], [`message`] and
//! [`dialect`].

pub mod amazons;
pub mod arbiter;
mod bits;
pub mod board_text;
pub mod ccgc;
pub mod conformance;
pub mod connect6;
pub mod darkchess;
pub mod dialect;
pub mod einstein;
pub mod engine;
pub mod game;
pub mod hash;
pub mod interrupt;
pub mod lines;
pub mod message;
pub mod nogo;
pub mod option;
pub mod perft;
pub mod phrase;
pub mod record;
pub mod refereed;
pub mod rng;
pub mod serve;
pub mod sgf;
pub mod sgf_boards;
pub mod text;
pub mod version;
pub mod xiangqi;

/// The commit that a program is built from, for [`version::set_commit`].
pub use agon_commit::commit;
pub use game::{FenError, Game, MoveError, Outcome, Player, Turn};
pub use record::Record;
