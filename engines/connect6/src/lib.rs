//! The Connect6 engine: incremental tables ([`board`]), the threat-space solver of Kang 2012
//! ([`solver`]), a verifier of its wins that shares nothing with it ([`verify`]), play
//! ([`play`], [`engine`]), openings for matches ([`openings`]), and the tuning of its weights ([`tune`]).

pub mod best;
pub mod board;
pub mod engine;
pub mod openings;
pub mod params;
pub mod play;
pub mod problems;
pub mod solver;
pub mod tune;
pub mod verify;
