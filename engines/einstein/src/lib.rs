//! The EinStein wuerfelt nicht engine.
//!
//! - [`engine`], [`options`], [`setup`]: the engine, what can be set, choosing a set-up
//! - [`paper`]: the paper's Monte Carlo tree search; [`guide`]: the one with chance nodes
//! - [`race`]: exact distributions of the race to the goal; [`pairs`]: trained weights on top of
//!   them; [`estimate`]: the values of both
//! - [`playout`]: random games at full speed; [`pool`]: many of them on many threads
//! - [`table`]: the exact value of every position of at most 5 stones
//! - [`ntuple`]: what random self-play says about parts of the board; [`knowledge`]: its use

pub mod engine;
pub mod estimate;
pub mod guide;
pub mod knowledge;
pub mod ntuple;
pub mod options;
pub mod pairs;
pub mod paper;
pub mod playout;
pub mod pool;
pub mod race;
pub mod setup;
pub mod table;
