//! What `lab darkchess tune` needs of the engine: games against itself, and their positions.

mod positions;
mod selfplay;
#[cfg(test)]
mod tests;

use agon_darkchess::baseline::VALUES;
use agon_darkchess::evaluation::SHAPE;
use agon_darkchess::evaluation::features::{BUCKETS, DarkChessNetwork, FEATURES, HIDDEN, piece_of};
use agon_darkchess::search::DarkChessSearch;
use agon_games::darkchess::DarkRules;
use agon_network::file::NetworkShape;
use agon_network::train::Positions;
use agon_network::train::model::Model;
use agon_network::tune::games::{GameLog, Magic};
use agon_network::tune::learner::{Learner, SelfPlayPlan, Target};
use anyhow::Result;
use std::sync::Arc;

/// The value of [`VALUES`] at which the odds of winning are e to 1, in the first network.
const VALUE_UNIT: f64 = 30.0;

/// The engine as it learns from games by these rules.
#[derive(Debug)]
pub struct DarkChessLearner(pub DarkRules);

impl Learner for DarkChessLearner {
    type Model = Model<HIDDEN>;
    type Player = DarkChessSearch;
    const SHAPE: NetworkShape = SHAPE;
    const MAGIC: Magic = *b"AGONDC1\n";

    fn first_player(&self) -> Result<Self::Player> {
        self.player(&Arc::new(first_network()))
    }

    fn player(&self, network: &Arc<DarkChessNetwork>) -> Result<DarkChessSearch> {
        selfplay::player(network)
    }

    fn play(&self, player: &mut DarkChessSearch, plan: SelfPlayPlan, number: u64) -> GameLog {
        selfplay::one_game(plan, number, &self.0, player)
    }

    fn add(&self, positions: &mut Positions, game: &GameLog, target: Target) -> Result<()> {
        positions::add(positions, game, target, &self.0)
    }
}

/// The network whose value is the fixed piece values of the baseline.
fn first_network() -> DarkChessNetwork {
    let value = |feature: usize| match piece_of(feature) {
        Some((kind, own)) => f64::from(if own { VALUES[kind] } else { -VALUES[kind] }),
        None => 0.0,
    };
    DarkChessNetwork::linear(FEATURES, BUCKETS, |feature| value(feature) / VALUE_UNIT)
}
