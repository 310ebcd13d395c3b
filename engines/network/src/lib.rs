//! Small evaluation networks (NNUE) that are trained here, generic over the game.
//!
//! A network has one hidden layer of `H` units, which is computed twice with the same weights: from
//! the view of the side to move and from that of the opponent. Its inputs are sparse: each piece on
//! its square is one feature, which is 1. The hidden units have a squared clipped ReLU. One output
//! unit adds both views; its weights are chosen by a bucket, such as the number of pieces. A network may also have a
//! policy: one more output for each kind of move, whose logits among the legal moves say which to try.
//!
//! - [`network`]: the quantised network and its inference; an [`Accumulator`](network::Accumulator)
//!   is one view of a position, updated by the features that a move removes and adds
//! - [`mod@file`]: files of networks, with a header that says how they were made and a checksum
//! - [`cli`]: the flags and the command of a training
//! - [`train`]: training by AdamW on positions with the value or result to predict, and perhaps the shares of the moves
//! - [`tune`]: the command of `lab` by which an engine plays games against itself and trains on them
//!
//! A game defines its features, its buckets, the number of rows of its policy and which move has which, perhaps its
//! symmetries, and how its games are played ([`tune::learner`]).

pub mod cli;
pub mod file;
pub mod network;
pub mod train;
pub mod tune;
