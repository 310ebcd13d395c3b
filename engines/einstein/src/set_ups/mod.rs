//! The free set-up as a game of its own: both sides choose one of 720 layouts without seeing the
//! other's.
//!
//! [`classes`] lists the layouts up to symmetry. `lab einstein set-ups` finds the mixed strategies that
//! no choice of the opponent beats, from the winning probability for every pair of classes. [`mixture`]
//! reads them; they are compiled into the program, and [`crate::set_up_search`] plays them.

pub mod classes;
pub mod mixture;
