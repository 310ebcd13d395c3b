//! The exact loss of players: how much winning probability their moves give away, by number of
//! stones on the board.
//!
//! `exact` solves positions of more stones than the tablebase holds by searching down to it,
//! `decisions` samples positions from games and asks the players, `file` keeps the results of each
//! game as one line of JSON, and `summary` gives the mean losses. The engine measures itself: it
//! implements [`Subject`].

mod command;
mod decisions;
mod exact;
mod file;
mod subject;
mod summary;

pub use command::{LossFlags, run};
pub use exact::{ExactSolver, Unsolved};
pub use subject::Subject;
