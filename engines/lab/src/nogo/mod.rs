//! The commands for NoGo.

mod selfplay;
#[cfg(test)]
mod tests;

use agon_games::game::Game;
use agon_games::nogo::{NoGo, Points};
use agon_games::option::NoRules;
use agon_network::file::NetworkShape;
use agon_network::train::{Image, Positions};
use agon_network::tune::games::{GameLog, Magic};
use agon_network::tune::learner::{Learner, SelfPlayPlan, Target};
use agon_network::tune::{Generations, run_generations};
use agon_nogo::network::{
    HIDDEN, NoGoNetwork, SHAPE, bucket, cell, for_each_feature, images, point_of,
};
use anyhow::{Context, Result, ensure};
use selfplay::{NoGoPlayer, VALUE_ONE, one_game};
use std::io::stdout;
use std::sync::Arc;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Train the network of `puct` from nothing: play and train in turns; the same command resumes
    Train(Generations),
}

/// Runs a command.
///
/// # Errors
/// A wrong flag or file; which, and what would be right.
pub fn run(command: &Command) -> Result<()> {
    let Command::Train(flags) = command;
    run_generations(&NoGoLearner, flags, &mut stdout().lock())
}

/// The engine as it learns.
#[derive(Clone, Copy, Debug)]
struct NoGoLearner;

impl Learner<HIDDEN> for NoGoLearner {
    type Player = NoGoPlayer;
    const SHAPE: NetworkShape = SHAPE;
    const MAGIC: Magic = *b"AGONNG1\n";

    /// The first games are played by random playouts.
    fn first_player(&self) -> Result<NoGoPlayer> {
        Ok(NoGoPlayer::new(None))
    }

    fn player(&self, network: &Arc<NoGoNetwork>) -> Result<NoGoPlayer> {
        Ok(NoGoPlayer::new(Some(network.clone())))
    }

    fn images(&self) -> Vec<Image> {
        images()
    }

    fn play(&self, player: &mut NoGoPlayer, plan: SelfPlayPlan, number: u64) -> GameLog {
        one_game(player, plan, number)
    }

    fn add(&self, positions: &mut Positions, game: &GameLog, target: Target) -> Result<()> {
        add(positions, game, target)
    }
}

/// Adds the positions of a game that were searched in full, and the last one, whose winner is proved, without a policy.
fn add(positions: &mut Positions, log: &GameLog, target: Target) -> Result<()> {
    let mut game = NoGo::start(&NoRules);
    for (ply, &(code, value)) in log.plies.iter().enumerate() {
        let m = point_of(code.into()).filter(|&m| game.is_legal(m));
        let m = m.with_context(|| format!("ply {}: {code} is no legal move", ply + 1))?;
        let visits = log.visits.get(ply).map_or(&[][..], |visits| visits);
        let sum: u32 = visits.iter().map(|&(_, count)| u32::from(count)).sum();
        if sum > 0 {
            let value = f64::from(value) / f64::from(VALUE_ONE);
            let aim = target.mix(result(log, &game), (1.0 + value.clamp(-1.0, 1.0)) / 2.0);
            push(positions, &game, aim, target.held_out);
            let mut shares = [0.0; agon_nogo::network::POINTS];
            for &(row, count) in visits {
                let legal = point_of(row.into()).is_some_and(|m| game.is_legal(m));
                ensure!(legal, "ply {}: visits of {row}, which is no legal move", ply + 1);
                shares[usize::from(row)] = f32::from(count) / sum as f32;
            }
            let rows = Points(game.legal()).map(cell);
            positions.push_policy(rows.map(|row| (row as u16, shares[row])));
        }
        game.play(m);
    }
    push(positions, &game, result(log, &game) as f32, target.held_out);
    Ok(())
}

/// The result of a game for the side to move in one of its positions, 0 or 1.
fn result(log: &GameLog, game: &NoGo) -> f64 {
    let first = f64::from(log.result) / 2.0;
    if game.side_to_move().index() == 0 { first } else { 1.0 - first }
}

/// Adds a position with the value to predict.
fn push(positions: &mut Positions, game: &NoGo, aim: f32, held_out: bool) {
    let sides = [game.side_to_move(), game.side_to_move().opponent()];
    let stones = sides.map(|side| game.stones(side));
    let mut features = Vec::new();
    for_each_feature(stones, sides.map(|side| game.legal_for(side)), 0, |pair| {
        features.push(pair.map(|f| f as u16));
    });
    positions.push(features, bucket(stones) as u8, aim, held_out);
}
