//! What `lab xiangqi tune` needs of the engine: games against itself, and their positions.

mod positions;
pub mod selfplay;
#[cfg(test)]
mod tests;

use agon_games::xiangqi::{Kind, SQUARES, XiangqiRules};
use agon_network::file::NetworkShape;
use agon_network::train::Positions;
use agon_network::train::model::Model;
use agon_network::tune::games::{GameLog, Magic};
use agon_network::tune::learner::{Learner, SelfPlayPlan, Target};
use agon_xiangqi::evaluation::features::{BUCKETS, FEATURES, HIDDEN, XiangqiNetwork};
use agon_xiangqi::evaluation::{SHAPE, UNIT};
use agon_xiangqi::reference_eval::piece_square;
use agon_xiangqi::search::XiangqiSearch;
use anyhow::Result;
use std::sync::Arc;

/// The engine as it learns from games by these rules.
#[derive(Debug)]
pub struct XiangqiLearner(pub XiangqiRules);

impl Learner for XiangqiLearner {
    type Model = Model<HIDDEN>;
    type Player = XiangqiSearch;
    const SHAPE: NetworkShape = SHAPE;
    const MAGIC: Magic = *b"AGONXQ1\n";

    fn first_player(&self) -> Result<Self::Player> {
        self.player(&Arc::new(first_network()))
    }

    fn player(&self, network: &Arc<XiangqiNetwork>) -> Result<XiangqiSearch> {
        selfplay::player(network)
    }

    fn play(&self, player: &mut XiangqiSearch, plan: SelfPlayPlan, number: u64) -> GameLog {
        selfplay::one_game(plan, number, &self.0, player)
    }

    fn add(&self, positions: &mut Positions, game: &GameLog, target: Target) -> Result<()> {
        positions::add(positions, game, target)
    }
}

/// The network whose value is the reference evaluation's material and squares.
fn first_network() -> XiangqiNetwork {
    let value = |feature: usize| {
        let (piece, s) = (feature / SQUARES, feature % SQUARES);
        // Features are seen from the owner's end of the board.
        let (sign, s) = if piece < 7 { (1.0, s) } else { (-1.0, SQUARES - 1 - s) };
        sign * f64::from(piece_square(Kind::ALL[piece % 7], s)) / f64::from(UNIT)
    };
    XiangqiNetwork::linear(FEATURES, BUCKETS, value)
}
