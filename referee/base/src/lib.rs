//! What every crate of the referee stands on: printing that is safe to show ([`terminal`], whose `println!` and its
//! relatives hide the standard ones), the languages of people at the board ([`language`]), what systems do
//! differently with files ([`files`]) and numbers that count from 1 ([`ordinal`]).

#[macro_use]
pub mod terminal;

pub mod files;
pub mod language;
pub mod ordinal;
