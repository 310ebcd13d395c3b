//! Pages in the browser: a local server, games against engines, and matches to watch.
//!
//! - [`PageServer`]: one random token in the address, one host, small requests. It serves the routes of [`play_routes`],
//!   [`log_routes`] and [`position_routes`], and those of other crates
//! - [`SessionThread`]: a thread that owns a state; the handlers of requests only pass commands on. [`Feed`] tells pages
//!   about changes
//! - [`Thinker`]: an engine in a thread, which gets positions to think about; [`SearchLines`]: what it reports, for pages
//! - [`play_match`]: a match that runs in this program and can be watched
//!
//! The rules exist once: a page gets the legal moves with each [view](agon_report::view) and sends tokens.

#[macro_use]
extern crate agon_base;

mod answer;
mod assets;
pub mod clocks;
mod engines;
mod feed;
#[cfg(test)]
mod http;
mod lines;
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

pub use agon_report::view::Viewing;
pub use answer::{Body, HttpAnswer, Refusal, attachment, message, respond, respond_later};
pub use assets::{DESK, INDEX, page};
pub use engines::EngineList;
pub use feed::Feed;
pub use lines::{MAX_LINES, SearchLines};
pub use play::routes as play_routes;
pub use position::{PagePosition, for_engine, routes as position_routes};
pub use server::{MAX_REQUEST, PageServer, ServerSettings, no_random};
pub use session::{Call, Message, SessionThread};
pub use thinker::{ThinkRequest, Thinker, ThinkerReport};
pub use watch::{Logs, play as play_match, routes as log_routes};
