//! What the `tune` subcommand needs of an engine.

use super::games::{GameLog, Magic};
use crate::train::Trainable;
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

/// An engine whose network is trained.
pub trait Learner: Sync {
    /// The network in training.
    type Model: Trainable;
    /// A player of one thread.
    type Player;
    /// The shape of its networks.
    const SHAPE: ShapeOf<Self>;
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
    fn player(&self, network: &Arc<NetworkOf<Self>>) -> Result<Self::Player>;

    /// Plays the game of this number against itself.
    fn play(&self, player: &mut Self::Player, plan: SelfPlayPlan, number: u64) -> GameLog;

    /// Adds the positions of a game that can be learned from.
    ///
    /// # Errors
    /// The game has an illegal move.
    fn add(&self, positions: &mut PositionsOf<Self>, game: &GameLog, target: Target) -> Result<()>;
}

/// The shape of a learner's networks.
pub type ShapeOf<L> = <<L as Learner>::Model as Trainable>::Shape;
/// The networks of a learner.
pub type NetworkOf<L> = <<L as Learner>::Model as Trainable>::Network;
/// The positions of a learner.
pub type PositionsOf<L> = <<L as Learner>::Model as Trainable>::Positions;

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
