//! The search's own board: bitboards and a mailbox, ranks and files as bits for rooks and cannons,
//! incremental hash and piece-square value, and the move history for repetitions.
//!
//! `agon_games::xiangqi` defines the rules; tests compare the two.

pub mod attacks;
mod board;
mod check_info;
mod check_squares;
mod evasions;
mod generate;
pub mod lines;
mod moves;
mod play;
mod see;
#[cfg(test)]
mod tests;

pub use board::{EMPTY, Position, split};
pub use check_info::CheckInfo;
pub use check_squares::ThreatSquares;
pub use evasions::Evasions;
pub use generate::Quiets;
pub use moves::{MAX_MOVES, Move, MoveList};
pub use see::SEE_VALUES;
