//! The Connect6 engine: a board with incremental window counts ([`board`]), the threat-space solver
//! of Kang 2012 ([`solver`]), proofs of its wins ([`proof`]) and a verifier that shares nothing
//! else with it ([`verify`]), the evaluation and candidate turns of game searches ([`play`]), the
//! tournament search ([`best`]), the opening book ([`book`]), the engine itself ([`engine`]), random
//! openings ([`openings`]), and the tuning of the weights ([`tune`]).

pub mod best;
pub mod board;
pub mod book;
pub mod engine;
pub mod openings;
pub mod params;
pub mod play;
pub mod proof;
pub mod solver;
pub mod tune;
pub mod verify;
