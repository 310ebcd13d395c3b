//! The Xiangqi engine, and Xiangqi beyond play: how many positions there are ([`census`]) and a
//! number for each of them ([`numbering`]), and exact values of endgames ([`endgame`]).

pub mod census;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod evaluation;
pub mod mcts;
pub mod numbering;
pub mod position;
pub mod search;
pub mod tune;
