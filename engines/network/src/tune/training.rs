//! Training a network on files of games.

use super::games::{read_game, read_head};
use super::learner::{Learner, Target};
use crate::cli::{TrainFlags, train};
use crate::train::Positions;
use agon_wire::input_file;
use anyhow::{Context, Result};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// One in this many games is held out.
const HELD_OUT: usize = 16;

/// Trains a network on files of games and writes it to a file.
///
/// # Errors
/// A file cannot be read or written, or is something else.
pub fn train_network<const H: usize, L: Learner<H>>(
    learner: &L,
    files: &[PathBuf],
    to: &Path,
    flags: &TrainFlags,
    out: &mut impl Write,
) -> Result<()> {
    let (mut positions, mut games) = (Positions::with_images(learner.images()), 0);
    for path in files {
        let file = input_file::open_stream(path).with_context(|| path.display().to_string())?;
        read(learner, &mut positions, &mut games, &mut BufReader::new(file), flags.result_share())
            .with_context(|| path.display().to_string())?;
    }
    train::<H>(&L::SHAPE, &positions, flags, to, out)
}

/// Adds the positions of a file of games. `games`: the number of games read before. `result`: the
/// weight of the games' results, 0 to 1.
///
/// # Errors
/// The input cannot be read, or is no file of games of this engine.
pub fn read<const H: usize, L: Learner<H>>(
    learner: &L,
    positions: &mut Positions,
    games: &mut usize,
    input: &mut impl Read,
    result: f64,
) -> Result<()> {
    read_head(input, &L::MAGIC)?;
    while let Some(game) = read_game(input)? {
        let target = Target { result, held_out: games.is_multiple_of(HELD_OUT) };
        *games += 1;
        learner.add(positions, &game, target).with_context(|| format!("game {games}"))?;
    }
    Ok(())
}
