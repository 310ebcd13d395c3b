//! The Xiangqi engine: its evaluation, its searches, and exact endgame tables ([`endgame`]).

pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod mcts;
pub mod position;
pub mod reference_eval;
pub mod search;
pub mod tune;
