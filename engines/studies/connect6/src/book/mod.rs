//! Making opening books. A book grows from the empty board by drop-out expansion (Lincke 2000): the
//! position added next is the one that needs the smallest errors of both sides to be reached
//! ([`leaves`]). The engine searches it for its best turns ([`BookMaker`]).

mod leaves;
mod make;
#[cfg(test)]
mod tests;

pub use leaves::{Leaf, Preference, leaves};
pub use make::{BookMaker, MakeSettings};
