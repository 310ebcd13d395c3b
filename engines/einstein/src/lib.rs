//! The EinStein wuerfelt nicht engine.
//!
//! - [`race`]: exact distributions of the race to the goal; [`estimate`]: values built on them
//! - [`playout`]: random games at full speed; [`pool`]: many of them on many threads
//! - [`ntuple`]: what random self-play says about parts of the board; [`knowledge`]: its use

pub mod estimate;
pub mod knowledge;
pub mod ntuple;
pub mod playout;
pub mod pool;
pub mod race;
