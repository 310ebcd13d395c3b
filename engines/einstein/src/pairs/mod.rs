//! The evaluation of `best`: the race, corrected by trained weights of pairs of stones.
//!
//! The winning probability is `1 / (1 + exp(-z))`, where `z` is a constant, plus a factor times the
//! log odds of winning the race ([`crate::race_distribution`]), plus a weight for every pair of
//! living stones on their squares, plus a weight for the sets of living numbers. This is a network
//! of 2-tuples over stones rather than squares: unlike the race, it sees threats and protected
//! stones.
//!
//! Positions are seen from the side that rolls next. Three symmetries preserve a position's value:
//! reflecting the board in the diagonal, and renumbering either side's stones from d to 7 - d.
//! Symmetric pairs share a weight.
//!
//! `lab einstein learn` learns the weights from self-play; the command in this crate's `STRENGTH.md` created
//! the built-in weights.

mod network;
mod sharing;
mod stones;
mod weights;

pub use network::PairNetwork;
pub use sharing::{FEATURES, WeightSharing, sharing};
pub use stones::{StoneFeatures, chance};
pub use weights::{Weights, from_bytes, to_bytes};
