//! The commands for NoGo.

mod selfplay;
#[cfg(test)]
mod tests;

use agon_games::game::Game;
use agon_games::nogo::{NoGo, NoGoPoint, Points};
use agon_games::option::NoRules;
use agon_network::convolution::BoardShape;
use agon_network::convolution::model::BoardModel;
use agon_network::convolution::network::BoardNetwork;
use agon_network::convolution::positions::BoardPositions;
use agon_network::tune::games::{GameLog, Magic};
use agon_network::tune::learner::{Learner, SelfPlayPlan, Target};
use agon_network::tune::{Generations, run_generations};
use agon_nogo::network::{POINTS, SHAPE, cell, planes, point_of};
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

impl Learner for NoGoLearner {
    type Model = BoardModel;
    type Player = NoGoPlayer;
    const SHAPE: BoardShape = SHAPE;
    const MAGIC: Magic = *b"AGONNG1\n";

    /// The first games are played by random playouts.
    fn first_player(&self) -> Result<NoGoPlayer> {
        Ok(NoGoPlayer::new(None))
    }

    fn player(&self, network: &Arc<BoardNetwork>) -> Result<NoGoPlayer> {
        Ok(NoGoPlayer::new(Some(network.clone())))
    }

    fn play(&self, player: &mut NoGoPlayer, plan: SelfPlayPlan, number: u64) -> GameLog {
        one_game(player, plan, number)
    }

    fn add(&self, positions: &mut BoardPositions, game: &GameLog, target: Target) -> Result<()> {
        add(positions, game, target)
    }
}

/// Adds the positions of a game that were searched in full, and the last one, whose winner is proved, without a policy.
fn add(positions: &mut BoardPositions, log: &GameLog, target: Target) -> Result<()> {
    let mut game = NoGo::start(&NoRules);
    for (ply, &(code, value)) in log.plies.iter().enumerate() {
        let m = point_of(code.into()).filter(|&m| game.is_legal(m));
        let m = m.with_context(|| format!("ply {}: {code} is no legal move", ply + 1))?;
        let visits = log.visits.get(ply).map_or(&[][..], |visits| visits);
        let sum: u32 = visits.iter().map(|&(_, count)| u32::from(count)).sum();
        if sum > 0 {
            let value = f64::from(value) / f64::from(VALUE_ONE);
            let aim = target.mix(result(log, &game), (1.0 + value.clamp(-1.0, 1.0)) / 2.0);
            let mut shares = [0.0; POINTS];
            for &(row, count) in visits {
                let legal = point_of(row.into()).is_some_and(|m| game.is_legal(m));
                ensure!(legal, "ply {}: visits of {row}, which is no legal move", ply + 1);
                shares[usize::from(row)] = f32::from(count) / sum as f32;
            }
            let share = |m: NoGoPoint| (m.index(), shares[cell(m)]);
            let policy: Vec<_> = Points(game.legal()).map(share).collect();
            push(positions, &game, aim, &policy, target.held_out);
        }
        game.play(m);
    }
    push(positions, &game, result(log, &game) as f32, &[], target.held_out);
    Ok(())
}

/// The result of a game for the side to move in one of its positions, 0 or 1.
fn result(log: &GameLog, game: &NoGo) -> f64 {
    let first = f64::from(log.result) / 2.0;
    if game.side_to_move().index() == 0 { first } else { 1.0 - first }
}

/// Adds a position with the value and the policy to predict.
fn push(
    positions: &mut BoardPositions,
    game: &NoGo,
    aim: f32,
    policy: &[(usize, f32)],
    held_out: bool,
) {
    let sides = [game.side_to_move(), game.side_to_move().opponent()];
    let planes =
        planes(sides.map(|side| game.stones(side)), sides.map(|side| game.legal_for(side)), 0);
    positions.push(&planes, aim, policy, held_out);
}
