//! The algorithm `best`: expectimax over flips, principal variation search over everything else.
//!
//! Iterative deepening with a transposition table keyed on the board and the hidden pieces, killer
//! and history move ordering, late-move reductions, futility pruning and quiescence search. Flips
//! are chance nodes with Star1 and Star2 (Ballard 1983); below the root only the most promising
//! flips are searched. The endgame tablebase gives exact values. A position that repeats one on the
//! path counts as a draw. Values are expected outcomes, so the value of a flip is the average of
//! its outcomes.

mod chance;
mod deepening;
mod flip_selection;
#[cfg(test)]
mod fortress_tests;
mod node;
mod ordering;
pub mod params;
pub mod score;
#[cfg(test)]
mod tests;
mod worker;

pub use deepening::DarkChessSearch;
pub use worker::SearchMode;
