//! Connect6 studies: making and checking problem sets, balanced openings and opening books ([`book`]).
//!
//! Problems come from self-play games in several styles ([`self_play`]), hard problems from safe
//! games ([`safe_play`]). [`screen`] finds the candidates in such games ([`source`]); [`problem`]
//! selects among them and checks their proofs. [`safety`] measures how often `best` plays a turn that
//! loses by force, and [`learn`] makes the line values of the evaluation. [`dependency`] is the generic
//! search on which the thesis builds.

mod arena;
pub mod book;
pub mod dependency;
pub mod learn;
pub mod openings;
pub mod problem;
mod random_turns;
pub mod safe_play;
pub mod safety;
pub mod screen;
pub mod self_play;
pub mod source;
