//! The opening book: positions with their best turns, each once for all symmetries of the board.
//!
//! A book grows from the empty board by drop-out expansion (Lincke 2000): the position added next is
//! the one that needs the smallest errors of both sides to be reached ([`leaves`]). The engine searches
//! it for its best turns ([`BookMaker`]), and values are backed up by minimax ([`Book`]). [`mod@file`]
//! reads and writes books, [`BookSearch`] plays from one.

mod content;
pub mod file;
mod leaves;
mod make;
mod search;
mod symmetry;
#[cfg(test)]
mod tests;

pub use content::{Book, BookEntry, BookTurn, DECIDED, Ranked};
pub use leaves::{Leaf, Preference, leaves};
pub use make::{BookMaker, MakeSettings};
pub use search::{BOOK, BookSearch};
