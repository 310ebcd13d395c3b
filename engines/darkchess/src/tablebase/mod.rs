//! The endgame tablebase: the value of every position of at most 4 pieces, all of them face up,
//! under best play by both: win, draw or loss for the side to move, and the number of plies to the
//! end of the game ([`agon_tablebase::Dtm`]). It can also be built for 5 pieces.
//!
//! Values ignore the match's limits: a win that takes longer than the draw rule allows is still a
//! win. Equivalent material and symmetric positions share an entry of one byte.
//!
//! - [`material`]: equivalence classes of material; [`numbering`]: the number of an arrangement
//! - [`class_index`]: the indexer, which combines both
//! - [`retrograde`]: retrograde analysis of a class; [`solver`]: all classes in order
//! - [`options`]: the tablebase that the engine uses
//! - [`verify`](mod@verify): verification by forward search and against every position's successors

mod class_index;
mod material;
mod numbering;
pub mod options;
mod retrograde;
mod solver;
#[cfg(test)]
mod tests;
mod verify;

pub use class_index::DarkChessIndexer;
pub use solver::DarkChessSolver;
pub use verify::{VerifyReport, verify};

/// The tablebase of the positions without face-down pieces.
pub type DarkChessTablebase = agon_tablebase::Tablebase<DarkChessIndexer>;
