//! The exact loss of EinStein players: how much winning probability their moves give away, by number of
//! stones on the board.
//!
//! [`exact`] solves positions of more stones than the engine's tablebase holds by searching down to it,
//! [`decisions`] samples positions from games and asks the players, [`mod@file`] keeps the results of
//! each game as one line of JSON, and [`summary`] gives the mean losses.

pub mod decisions;
pub mod exact;
pub mod file;
pub mod summary;
