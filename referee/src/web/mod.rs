//! Pages in the browser: a local server, games against engines, and matches to watch.
//!
//! The rules exist once: a page gets the legal moves with each [view](crate::output::view) and sends
//! tokens. A session is a thread that owns its state; the handlers of requests only pass commands on.

mod answer;
mod assets;
pub mod desk;
mod engines;
mod feed;
#[cfg(test)]
mod http;
mod listener;
mod options;
mod play;
mod position;
mod server;
mod session;
#[cfg(test)]
mod tests;
mod thinker;
mod watch;

pub use crate::output::view::Viewing;
pub use answer::{Answer, Body, Refusal, message, respond};
pub use engines::EngineList;
pub use feed::Feed;
pub use play::routes as play_routes;
pub use position::routes as position_routes;
pub use server::{Server, ServerSettings};
pub use session::{Message, Session};
pub use watch::{Logs, play as play_match, routes as log_routes};
