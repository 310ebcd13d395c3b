//! The EinStein wuerfelt nicht engine.
//!
//! - [`engine`]: options and algorithms; [`set_up_search`]: choosing a set-up
//! - [`race_distribution`]: exact distributions of the race to the goal; [`pairs`]: trained weights on
//!   top of them; [`evaluation`]: both as evaluators for expectimax
//! - [`playout_board`]: random games at full speed; [`playout_policy`]: how playouts choose;
//!   [`playout_pool`]: many of them on many threads; [`simulator`]: playouts for the tree searches
//! - [`tablebase`]: the exact value of every position of at most 5 stones
//! - [`ntuple_training`]: training the paper's n-tuple network from random self-play

pub mod engine;
pub mod evaluation;
pub mod ntuple_training;
pub mod pairs;
pub mod playout_board;
pub mod playout_policy;
pub mod playout_pool;
pub mod race_distribution;
pub mod set_up_search;
pub mod simulator;
pub mod tablebase;
