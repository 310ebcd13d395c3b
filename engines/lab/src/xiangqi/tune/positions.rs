//! The training positions of a game.

use agon_games::Game;
use agon_games::xiangqi::{SQUARES, Xiangqi, XiangqiRules};
use agon_network::train::Positions;
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::Target;
use agon_xiangqi::evaluation::UNIT;
use agon_xiangqi::evaluation::features::{bucket, for_each_piece, views};
use agon_xiangqi::position::{Move, Position};
use anyhow::{Result, ensure};

/// Positions with a larger absolute value are excluded, because they are already decided.
const DECIDED: i16 = 2500;

/// Adds the quiet positions of a game.
pub fn add(positions: &mut Positions, game: &GameLog, target: Target) -> Result<()> {
    let rules = XiangqiRules { draw_plies: 0, ..XiangqiRules::default() };
    let mut position = Position::from_game(&Xiangqi::start(&rules));
    for &(m, value) in &game.plies {
        let m = Move(m);
        ensure!(m.from() < SQUARES && m.to() < SQUARES, "a move leaves the board: {}", m.0);
        let legal = position.is_pseudo_legal(m) && position.is_safe(m);
        ensure!(legal, "illegal move {}", m.to_rules());
        if value != UNKNOWN && value.abs() <= DECIDED && is_quiet(&position, m) {
            let for_red = f64::from(game.result) / 2.0;
            let own = if position.side() == 0 { for_red } else { 1.0 - for_red };
            let chance = 1.0 / (1.0 + libm::exp(-f64::from(value) / f64::from(UNIT)));
            let views = views(&position);
            let mut features = Vec::with_capacity(32);
            for_each_piece(&position, |piece, s| {
                features.push(views.map(|view| view.feature(piece, s) as u16));
            });
            let bucket = bucket(&position) as u8;
            positions.push(features, bucket, target.mix(own, chance), target.held_out);
        }
        position.play(m);
    }
    Ok(())
}

/// Whether the static evaluation can be right: no check and no capture in hand.
fn is_quiet(position: &Position, played: Move) -> bool {
    !position.in_check() && !position.is_capture(played)
}
