//! The games: their rules, how positions, moves and games are written, and what every program needs to play one
//! by its rules. Nothing here knows of engines or messages; rules never print.
//!
//! A searcher needs [`game`], who knows a game only by its name needs [`arbiter`], and who keeps the course of a
//! game needs [`record`].

pub mod actions;
pub mod amazons;
pub mod arbiter;
mod bits;
pub mod board_text;
pub mod ccgc;
pub mod conformance;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
pub mod epd;
pub mod foreign;
pub mod game;
pub mod hash;
pub mod mark;
pub mod nogo;
pub mod numbered;
pub mod option;
pub mod perft;
pub mod phrase;
pub mod record;
pub mod refereed;
pub mod rng;
pub mod sgf;
pub mod sgf_boards;
pub mod sgf_tree;
pub mod text;
pub mod xiangqi;

pub use game::{FenError, Game, MoveError, Outcome, Player, Turn};
pub use record::Record;
