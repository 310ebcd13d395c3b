//! Connect6 studies: the solver as a command, making and checking problem sets, balanced openings,
//! and the diagnosis of wins that dependency-based search misses (Kang 2012).
//!
//! Problems come from self-play games in several styles ([`self_play`]), hard problems from safe
//! games ([`safe_play`]). [`screen`] finds the candidates in such games ([`source`]); [`problem`]
//! selects among them and checks their proofs. [`safety`] measures how often `best` plays a turn that
//! loses by force, and [`learn`] makes the line values of the evaluation. [`commands`] implements the
//! subcommands of the `connect6` program.

mod arena;
pub mod commands;
pub mod learn;
pub mod missed_win;
pub mod openings;
pub mod problem;
mod random_turns;
pub mod safe_play;
pub mod safety;
pub mod screen;
pub mod self_play;
pub mod source;
