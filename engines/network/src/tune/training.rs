//! Training a network on files of games.

use super::games::{read_game, read_head};
use super::learner::{Learner, NetworkOf, PositionsOf, Target};
use crate::cli::{TrainFlags, train};
use crate::train::Trainable;
use agon_wire::input_file;
use anyhow::{Context, Result};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// One in this many games is held out.
const HELD_OUT: usize = 16;

/// Trains a network on files of games and writes it to a file. `previous`: the network of the generation before.
///
/// # Errors
/// A file cannot be read or written, or is something else.
pub fn train_network<L: Learner>(
    learner: &L,
    files: &[PathBuf],
    previous: Option<&NetworkOf<L>>,
    to: &Path,
    flags: &TrainFlags,
    out: &mut impl Write,
) -> Result<()> {
    let (mut positions, mut games) = (L::Model::positions(&L::SHAPE), 0);
    for path in files {
        let file = input_file::open_stream(path).with_context(|| path.display().to_string())?;
        read(learner, &mut positions, &mut games, &mut BufReader::new(file), flags.result_share())
            .with_context(|| path.display().to_string())?;
    }
    train::<L::Model>(&L::SHAPE, previous, &positions, flags, to, out)
}

/// Adds the positions of a file of games. `games`: the number of games read before. `result`: the
/// weight of the games' results, 0 to 1.
///
/// # Errors
/// The input cannot be read, or is no file of games of this engine.
pub fn read<L: Learner>(
    learner: &L,
    positions: &mut PositionsOf<L>,
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
