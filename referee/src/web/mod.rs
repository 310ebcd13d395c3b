//! Pages in the browser: a local server, games against engines, and matches to watch.
//!
//! The rules exist once: a page gets the legal moves with each [view](crate::output::view) and sends tokens. A
//! session is a thread that owns its state; the handlers of requests only pass commands on.

#![allow(dead_code, unused_imports)]

mod answer;
mod assets;
pub mod desk;
mod engines;
mod feed;
#[cfg(test)]
mod http;
mod play;
mod position;
mod server;
mod session;
#[cfg(test)]
mod tests;
mod thinker;
mod watch;

pub use crate::output::view::{View, Viewing};
pub use answer::{Answer, Body, Refusal, respond};
pub use engines::EngineList;
pub use feed::Feed;
pub use play::routes as play_routes;
pub use position::{MAX_PLIES, Position, routes as position_routes};
pub use server::{ServeFlags, Server};
pub use session::{Call, Message, Session};
pub use thinker::{Report, Task, Thinker};
pub use watch::{Logs, play as play_match, routes as log_routes};
