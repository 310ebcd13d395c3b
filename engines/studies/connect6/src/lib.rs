//! Connect6 beyond play: the solver as a command, the making and checking of problem sets, balanced openings, and the
//! diagnosis of wins that dependency-based search misses (Kang 2012).
//!
//! Problems come from games of the engine against itself in several styles ([`self_play`]), safe ones for hard
//! problems ([`safe_play`]). [`screen`] finds the candidates in such games ([`source`]), [`problem`] chooses among
//! them and checks their proofs. [`commands`] has the subcommands of the `connect6` program.

pub mod commands;
pub mod missed_win;
pub mod openings;
pub mod problem;
pub mod safe_play;
pub mod screen;
pub mod self_play;
pub mod source;
