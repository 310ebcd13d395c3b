//! The endgame tablebase: the value of every position of at most 4 pieces, all of them face up,
//! under best play by both: win, draw or loss for the side to move, and the plies to the end of
//! the game ([`agon_tablebase::Dtm`]). 5 pieces can be built too.
//!
//! The match's limits are left out: a win that takes longer than the draw rule allows is a win
//! here. One byte a position, one position a class of alike pieces and a symmetry of the board.
//!
//! - [`material`]: which sets of pieces are alike. [`numbering`]: the number of an arrangement.
//!   [`class_index`]: both together, the indexer.
//! - [`retrograde`]: retrograde analysis of a class. [`solver`]: all classes in order.
//! - [`verify`](mod@verify): the proof, by forward search and by every position's successors
//!   through the rules.

mod class_index;
mod material;
mod numbering;
mod retrograde;
mod solver;
#[cfg(test)]
mod tests;
mod verify;

pub use class_index::DarkChessIndexer;
pub use solver::DarkChessSolver;
pub use verify::{VerifyReport, verify};

/// The tablebase of the positions in which nothing lies face down.
pub type DarkChessTablebase = agon_tablebase::Tablebase<DarkChessIndexer>;
