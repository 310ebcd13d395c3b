//! The Xiangqi engine: its evaluation, its searches, and the endgame tablebase ([`tablebase`]).

pub mod engine;
pub mod evaluation;
pub mod mcts;
pub mod position;
pub mod reference_eval;
pub mod search;
pub mod tablebase;
pub mod tune;
