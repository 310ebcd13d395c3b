//! The Chinese dark chess engine.
//!
//! - [`engine`]: options and algorithms
//! - [`search`]: the algorithm `best`; [`playouts`]: those of `mcts`; [`baseline`]: the algorithm
//!   `alphabeta`
//! - [`evaluation`]: the static evaluation; [`evaluator`]: the same for the generic searches
//! - [`tablebase`]: the endgame tablebase, by retrograde analysis
//! - [`small_board`]: small games solved by visiting every position

pub mod baseline;
pub mod engine;
pub mod evaluation;
pub mod evaluator;
pub mod playouts;
pub mod search;
pub mod small_board;
pub mod tablebase;
