//! The training positions in the files of games.

use super::games::{UNKNOWN, read_game, read_head};
use crate::evaluation::UNIT;
use crate::evaluation::features::{bucket, for_each_piece, views};
use crate::position::{Move, Position};
use agon_network::train::Positions;
use agon_protocol::Game;
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Positions with a larger absolute value are excluded, because they are already decided.
const DECIDED: i16 = 2500;
/// One in this many games is held out.
const HELD_OUT: usize = 16;

/// The positions of all files. `result`: the weight of the game's result relative to the search
/// value, 0 to 1.
///
/// # Errors
/// A file cannot be read, or holds something else.
pub fn read_files(files: &[impl AsRef<Path>], result: f64) -> Result<Positions> {
    let (mut positions, mut games) = (Positions::default(), 0);
    for path in files {
        let path = path.as_ref();
        let file = File::open(path).with_context(|| path.display().to_string())?;
        read(&mut positions, &mut games, &mut BufReader::new(file), result)
            .with_context(|| path.display().to_string())?;
    }
    Ok(positions)
}

/// Adds the quiet positions of a file. `games`: the number of games read before.
pub fn read(
    positions: &mut Positions,
    games: &mut usize,
    input: &mut impl Read,
    result: f64,
) -> Result<()> {
    read_head(input)?;
    let rules = XiangqiRules { draw_plies: 0, ..XiangqiRules::default() };
    let start = Position::from_game(&Xiangqi::start(&rules));
    while let Some(game) = read_game(input)? {
        let held_out = games.is_multiple_of(HELD_OUT);
        *games += 1;
        let mut position = start.clone();
        for &(m, value) in &game.plies {
            ensure!(
                position.is_pseudo_legal(m) && position.is_safe(m),
                "game {games} has the illegal move {}",
                m.to_rules()
            );
            if value != UNKNOWN && value.abs() <= DECIDED && is_quiet(&position, m) {
                let for_red = f64::from(game.result) / 2.0;
                let own = if position.side() == 0 { for_red } else { 1.0 - for_red };
                let chance = 1.0 / (1.0 + libm::exp(-f64::from(value) / f64::from(UNIT)));
                let target = result * own + (1.0 - result) * chance;
                add(positions, &position, target as f32, held_out);
            }
            position.play(m);
        }
    }
    Ok(())
}

fn add(positions: &mut Positions, position: &Position, target: f32, held_out: bool) {
    let views = views(position);
    let mut features = Vec::with_capacity(32);
    for_each_piece(position, |piece, s| {
        features.push(views.map(|view| view.feature(piece, s) as u16));
    });
    positions.push(features, bucket(position) as u8, target, held_out);
}

/// Whether the static evaluation can be right: no check and no capture in hand.
fn is_quiet(position: &Position, played: Move) -> bool {
    !position.in_check() && !position.is_capture(played)
}
