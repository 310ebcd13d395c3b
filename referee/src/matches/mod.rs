//! Plays matches: scheduling, engines, playing and adjudicating each game, and the score.

pub mod adjudicate;
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
pub mod run_settings;
pub mod runner;
pub mod schedule;
pub mod session;
pub mod slot;
pub mod standings;
pub mod tablebase;
pub mod verify;
