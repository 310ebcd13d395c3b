//! Plays matches: schedules, openings, chance, clocks, games, adjudication and the running score; and verifies logs.
//!
//! - [`session`] plays a match from its header to its complete log, and resumes one. Below it: [`runner`] (workers that
//!   take games from a queue), [`play`] (one game), [`slot`] (an engine that is started again after a fault)
//! - What is played: [`schedule`], [`openings`], [`chance`], [`events`] (presets of tournaments), [`games`]
//! - How a game ends early: [`adjudicate`], [`tablebase`]
//! - The score: [`progress`], [`standings`], [`crosstable`]
//! - Logs of others: [`verify`] replays every game, [`audit`] has programs play games again, [`parts`] reads shards
//!   together
//! - [`run_settings`], [`machine`], [`overhead`]: how a match is run, on what machine, and at what cost

#[macro_use]
extern crate agon_base;

pub mod adjudicate;
pub mod after_ply;
pub mod audit;
pub mod chance;
pub mod clock;
pub mod crosstable;
pub mod encoding;
pub mod events;
pub mod games;
pub mod machine;
pub mod openings;
pub mod overhead;
pub mod parts;
pub mod play;
pub mod progress;
pub mod run_end;
pub mod run_settings;
pub mod runner;
pub mod schedule;
pub mod session;
pub mod slot;
pub mod standings;
pub mod tablebase;
pub mod verify;
