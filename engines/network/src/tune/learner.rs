//! What the `tune` subcommand needs of an engine.

use super::games::{GameLog, Magic};
use crate::file::NetworkShape;
use crate::network::Network;
use crate::train::{Image, Positions};
use anyhow::Result;
use std::sync::Arc;

/// The parameters of self-play.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayPlan {
    /// Nodes per move.
    pub nodes: u64,
    /// The seed of openings and chance.
    pub seed: u64,
}

/// An engine whose network, with `H` hidden units, is trained.
pub trait Learner<const H: usize>: Sync {
    /// A player of one thread.
    type Player;
    /// The shape of its networks.
    const SHAPE: NetworkShape;
    /// The first bytes of its files of games.
    const MAGIC: Magic;

    /// The player of the first generation's games, which knows nothing that was learned.
    ///
    /// # Errors
    /// Not enough memory.
    fn first_player(&self) -> Result<Self::Player>;

    /// A player with this network.
    ///
    /// # Errors
    /// Not enough memory.
    fn player(&self, network: &Arc<Network<H>>) -> Result<Self::Player>;

    /// The symmetries of the game, with the identity first; each position is trained on in all of them.
    fn images(&self) -> Vec<Image> {
        Vec::new()
    }

    /// Plays the game of this number against itself.
    fn play(&self, player: &mut Self::Player, plan: SelfPlayPlan, number: u64) -> GameLog;

    /// Adds the positions of a game that can be learned from.
    ///
    /// # Errors
    /// The game has an illegal move.
    fn add(&self, positions: &mut Positions, game: &GameLog, target: Target) -> Result<()>;
}

/// What is learned from a game.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The weight of the game's result relative to the search value, 0 to 1.
    pub result: f64,
    /// The game is not trained on but measures the error.
    pub held_out: bool,
}

impl Target {
    /// The value to predict for the side to move, 0 to 1, from the result and the search value for
    /// that side, on the same scale.
    pub fn mix(self, result: f64, value: f64) -> f32 {
        (self.result * result + (1.0 - self.result) * value) as f32
    }
}
