//! Tests of the engine and the solver through their public interface.
#![allow(clippy::unwrap_used)]

mod best;
mod engine;
mod last_turn;
mod root;
mod solver;
