//! The Xiangqi engine: its evaluation, its searches, and exact endgame tables ([`endgame`]).

pub mod endgame;
pub mod engine;
pub mod eval;
pub mod evaluation;
pub mod mcts;
pub mod position;
pub mod search;
pub mod tune;
