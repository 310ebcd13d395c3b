//! Small networks that are trained here, generic over the game: evaluations (NNUE) for alpha-beta, and convolutions with a
//! policy for tree search.
//!
//! An evaluation has one hidden layer of `H` units, which is computed twice with the same weights: from
//! the view of the side to move and from that of the opponent. Its inputs are sparse: each piece on
//! its square is one feature, which is 1. The hidden units have a squared clipped ReLU. One output
//! unit adds both views; its weights are chosen by a bucket, such as the number of pieces.
//!
//! - [`network`]: the quantised network and its inference; an [`Accumulator`](network::Accumulator)
//!   is one view of a position, updated by the features that a move removes and adds
//! - [`mod@file`]: files of networks, with a header that says how they were made and a checksum
//! - [`convolution`]: networks with a value and a policy for games on a square board
//! - [`cli`]: the flags and the command of a training
//! - [`train`]: training by AdamW on positions with the value or result to predict
//! - [`tune`]: the command of `lab` by which an engine plays games against itself and trains on them
//!
//! A game defines its features and its buckets, or its planes, and how its games are played ([`tune::learner`]).

pub mod cli;
pub mod convolution;
pub mod file;
pub mod network;
pub mod train;
pub mod tune;
