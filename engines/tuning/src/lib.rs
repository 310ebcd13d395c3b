//! Tuning of evaluations and searches, generic over the game.
//!
//! - [`selfplay`]: games of an engine against itself, by several workers, in the order of their numbers
//! - [`samples`]: positions as sparse rows of features, with the result that they should predict
//! - [`newton`], [`adam`]: logistic regression of such samples ("Texel's method"), for few and for many
//!   weights
//! - [`spsa`]: tuning by matches; [`run`]: such a run in a file, which the same command resumes;
//!   [`arena`]: the matches, between two settings of a search's parameters
//! - [`cli`]: the flags that tuning commands share
//!
//! A game's own part is how a position becomes features and how a game is played.

pub mod adam;
pub mod arena;
pub mod cli;
pub mod newton;
pub mod run;
pub mod samples;
pub mod selfplay;
pub mod spsa;
