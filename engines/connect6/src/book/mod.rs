//! The opening book: positions with their best turns, each once for all symmetries of the board.
//!
//! A book's values are backed up by minimax ([`Book`]). [`mod@file`] reads and writes books,
//! [`BookSearch`] plays from one. `lab connect6 book` makes them.

mod content;
pub mod file;
mod search;
mod symmetry;

pub use content::{Book, BookEntry, BookTurn, DECIDED, Ranked};
pub use search::{BOOK, BookSearch};
pub use symmetry::{Symmetry, key};
