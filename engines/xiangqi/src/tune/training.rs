//! Training the network on files of games.

use super::positions::read_files;
use crate::evaluation::GAME;
use crate::evaluation::features::{BUCKETS, FEATURES, HIDDEN};
use agon_network::cli::{NetworkShape, TrainFlags, train};
use anyhow::Result;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The shape of the network.
pub const SHAPE: NetworkShape = NetworkShape { game: GAME, features: FEATURES, buckets: BUCKETS };

/// Trains a network on files of games and writes it to a file.
///
/// # Errors
/// A file cannot be read or written, or is something else.
pub fn train_network(
    files: &[PathBuf],
    to: &Path,
    flags: &TrainFlags,
    out: &mut impl Write,
) -> Result<()> {
    let positions = read_files(files, flags.result_share())?;
    train::<HIDDEN>(&SHAPE, &positions, flags, to, out)
}
