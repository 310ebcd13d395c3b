//! The Connect6 engine: a board with incremental window counts ([`board`]), the threat-space solver
//! of Kang 2012 ([`solver`]), proofs of its wins ([`proof`]) and a verifier that shares nothing
//! else with it ([`verify`]), the evaluation and candidate turns of game searches ([`play`]), the
//! tournament search ([`best`]), the opening book ([`book`]), and the engine itself
//! ([`engine`]).

pub mod best;
pub mod board;
pub mod book;
pub mod engine;
pub mod params;
pub mod play;
pub mod proof;
pub mod solver;
pub mod verify;
