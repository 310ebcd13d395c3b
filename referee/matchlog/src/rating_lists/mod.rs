//! The ratings of the engines of many logs: which games make a list, which programs are the same, and what if the games do
//! not determine the ratings.

mod engines;
mod lists;

pub use engines::ListEngine;
pub use lists::{Assumed, CountedGame, ListKey, RatedList, lists};
