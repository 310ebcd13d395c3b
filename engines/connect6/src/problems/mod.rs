//! The problem set: positions from self-play, chosen by what the plain search needs for them.

pub mod collect;
pub mod selfplay;
