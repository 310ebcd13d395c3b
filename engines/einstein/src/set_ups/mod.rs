//! The free set-up as a game of its own: both sides choose one of 720 layouts without seeing the
//! other's.
//!
//! [`classes`] lists the layouts up to symmetry, [`payoffs`] estimates the winning probability for
//! every pair of classes by the engine's own search, [`equilibrium`] finds the mixed strategies
//! that no choice of the opponent beats, and [`mixture`] reads the result, which is compiled into
//! the program and which [`crate::set_up_search`] plays.

pub mod classes;
pub mod equilibrium;
pub mod mixture;
pub mod payoffs;
