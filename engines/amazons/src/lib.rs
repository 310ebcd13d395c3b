//! The Amazons engine: what it thinks of a position, how it numbers moves for the search, and the
//! engine that offers all of it to a manager.

pub mod engine;
pub mod eval;
pub mod filling;
pub mod judge;
pub mod params;
pub mod territory;
pub mod tune;
