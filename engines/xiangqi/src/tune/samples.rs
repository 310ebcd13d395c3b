//! The training positions of the fit: the quiet positions of the games, as counted terms.

use super::games::{UNKNOWN, read_game, read_head};
use crate::evaluation::{PHASES, TERMS, evaluate, every_term, scale};
use crate::position::{Move, MoveList, Position};
use agon_protocol::Game;
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use agon_tuning::samples::{Sample, Samples, logistic};
use anyhow::{Result, ensure};
use std::io::Read;

/// Positions with a larger absolute value are excluded, because they are already decided.
const CLEAR: i16 = 1500;
/// The scale from search values to winning chances: centipawns at which the odds of winning are e
/// to 1.
const CHANCE: f64 = 280.0;
/// One in this many games is held out.
const HELD_OUT: usize = 16;

/// Samples of the evaluation's model: first endgame weights, then middlegame weights.
pub fn empty() -> Samples {
    Samples::new(TERMS, 2)
}

/// Adds the quiet positions of a file. `games`: the number of games read before. `result`: the
/// weight of the game's result relative to the search value, 0 to 1.
pub fn read(
    samples: &mut Samples,
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
            if value != UNKNOWN && value.abs() <= CLEAR && is_quiet(&position, m) {
                let red = f64::from(if position.side() == 0 { value } else { -value });
                let chance = logistic(red / CHANCE);
                let target = result * f64::from(game.result) / 2.0 + (1.0 - result) * chance;
                add(samples, &position, target as f32, held_out);
            }
            position.play(m);
        }
    }
    Ok(())
}

fn add(samples: &mut Samples, position: &Position, target: f32, held_out: bool) {
    let ahead = usize::from(evaluate(position) < 0) ^ position.side();
    let sample = Sample {
        knot: 0,
        share: f64::from(position.phase()) / f64::from(PHASES),
        scale: scale(position, ahead) as f32 / 16.0,
        target,
        held_out,
    };
    let mut terms = Vec::new();
    every_term(position, &mut |index, count| {
        if count != 0 {
            terms.push((index, count as f32));
        }
    });
    samples.push(sample, terms);
}

/// Whether the static evaluation is reliable: no check, and no immediate gain.
fn is_quiet(position: &Position, played: Move) -> bool {
    if position.in_check() || position.is_capture(played) || position.gives_check(played) {
        return false;
    }
    let mut captures = MoveList::new();
    position.captures(&mut captures);
    !captures.iter().any(|&m| position.see_at_least(m, 50) && position.is_safe(m))
}
