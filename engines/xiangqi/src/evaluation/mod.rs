//! The evaluation of `best` and `mcts`: a network with one hidden layer, trained by `xiangqi tune`
//! on games against itself. Its inputs are [`features`]; [`accumulators`] updates the hidden layer
//! along the searched line. The reference searches `pvs` and `alphabeta` use the simple evaluation
//! of [`crate::reference_eval`].

mod accumulators;
pub mod features;
#[cfg(test)]
mod tests;

use crate::position::Position;
use accumulators::Accumulators;
use agon_network::file::{self, NetworkError};
use agon_protocol::xiangqi::Kind;
use features::{BUCKETS, FEATURES, XiangqiNetwork};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The name of the game and of its features in network files.
pub const GAME: &str = "xiangqi-1";
/// The value in centipawns at which the odds of winning are e to 1.
pub const UNIT: i32 = 280;
/// Static evaluations are clamped to plus or minus this.
pub const EVAL_LIMIT: i32 = 20_000;

/// The network that the program contains.
static BUILT_IN: LazyLock<Arc<XiangqiNetwork>> = LazyLock::new(|| {
    let bytes = include_bytes!("xiangqi.network");
    Arc::new(read(bytes).expect("a test reads the network that the program contains"))
});

/// The network that the program contains.
pub fn built_in() -> Arc<XiangqiNetwork> {
    BUILT_IN.clone()
}

fn read(bytes: &[u8]) -> Result<XiangqiNetwork, NetworkError> {
    Ok(file::read(bytes, GAME, FEATURES, BUCKETS)?.1)
}

/// Reads a network file.
///
/// # Errors
/// The file cannot be read, or is no undamaged network for Xiangqi of this size.
pub fn open(path: &Path) -> Result<XiangqiNetwork, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    read(&bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// Evaluates the positions of a search by one thread.
pub struct Evaluator {
    network: Arc<XiangqiNetwork>,
    accumulators: Accumulators,
}

impl Evaluator {
    /// With this network.
    pub fn new(network: Arc<XiangqiNetwork>) -> Evaluator {
        Evaluator { network, accumulators: Accumulators::default() }
    }

    /// The static evaluation for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let logit = self.accumulators.evaluate(&self.network, position, UNIT);
        let value = logit.clamp(-EVAL_LIMIT, EVAL_LIMIT);
        let ahead = position.side() ^ usize::from(value < 0);
        if can_attack(position, ahead) { value } else { 0 }
    }
}

/// Whether a side has a piece that can cross the river: without one it cannot win.
#[inline]
fn can_attack(position: &Position, side: usize) -> bool {
    position.has_pieces(side) || position.count(side, Kind::Pawn) != 0
}
