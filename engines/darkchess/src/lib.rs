//! The Chinese dark chess engine.
//!
//! - [`engine`], [`options`]: the engine and what can be set
//! - [`tablebase`]: the value of every position of at most 4 pieces, by retrograde analysis
//! - [`search`]: the algorithm `best`; [`guide`]: playouts for `mcts`; [`plain`]: the baseline
//!   `alphabeta`
//! - [`exact`]: small games solved by visiting every position
//! - [`eval`]: what a position looks worth; [`estimate`]: the same for the generic searches

pub mod engine;
pub mod estimate;
pub mod eval;
pub mod exact;
pub mod guide;
pub mod options;
pub mod plain;
pub mod search;
pub mod tablebase;
