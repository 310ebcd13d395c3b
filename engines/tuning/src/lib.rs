//! Tuning of evaluations and searches, generic over the game.
//!
//! - [`selfplay`]: self-play games by several workers, delivered in the order of their numbers;
//!   [`shard`]: parts of them
//! - [`samples`]: positions as sparse rows of features, each with the result to predict
//! - [`newton`]: logistic regression on such samples ("Texel's method")
//! - [`spsa`]: tuning by matches; [`run`]: an SPSA run saved to a file and resumable; [`arena`]:
//!   matches between two sets of search parameters
//! - [`cli`]: flags shared by the tuning commands
//!
//! Each game defines how a position becomes features and how a game is played.

pub mod arena;
pub mod cli;
pub mod newton;
pub mod run;
pub mod samples;
pub mod selfplay;
pub mod shard;
pub mod spsa;
