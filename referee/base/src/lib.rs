//! What every crate of the referee stands on: printing that is safe to show ([`terminal`], whose `println!` and its
//! relatives hide the standard ones), the languages of people at the board ([`language`]), what systems do
//! differently with files ([`files`]), numbers that count from 1 ([`ordinal`]), counts with their noun ([`counted`]), and text
//! that fits a terminal ([`width`]).

#[macro_use]
pub mod terminal;

mod count;
pub mod files;
pub mod language;
pub mod ordinal;
pub mod width;

pub use count::counted;
