//! The desk: one operator's page at a tournament where people sit at a board and tell each other the
//! moves. One side is an engine, or both are entered by hand.
//!
//! A session is a list of actions, each a line of the session file, on disk before it is shown
//! ([`journal`]); the state is their fold ([`state`]). So a desk that was killed continues with the same
//! position, score and clocks. A clock that ran when the desk died runs on meanwhile, as it does at a
//! tournament; it can be set, with a note.

#[macro_use]
extern crate agon_base;

mod action;
mod command;
mod controller;
mod dice;
mod door;
mod engine_thread;
mod game;
mod journal;
mod open;
mod record;
mod routes;
mod setup;
mod show;
mod state;
mod typed;
mod waiting;

pub use door::routes as door_routes;
pub use open::{DeskPlan, OpenedDesk};
pub use routes::{Desk, DeskPlace, routes};
pub use setup::{FORMAT, MAX_GAMES, Setup, is_order, usual_form};
