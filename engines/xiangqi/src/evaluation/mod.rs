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
use agon_network::file::{self, NetworkShape};
use agon_protocol::xiangqi::Kind;
use agon_search::host::{Options, Setting, loaded};
use features::{BUCKETS, FEATURES, XiangqiNetwork};
use std::sync::{Arc, LazyLock};

/// The shape of the networks.
pub const SHAPE: NetworkShape =
    NetworkShape { game: "xiangqi-1", features: FEATURES, buckets: BUCKETS };
/// The value in centipawns at which the odds of winning are e to 1.
pub const UNIT: i32 = 280;
/// Static evaluations are clamped to plus or minus this.
pub const EVAL_LIMIT: i32 = 20_000;

/// The network that the program contains.
static BUILT_IN: LazyLock<Arc<XiangqiNetwork>> = LazyLock::new(|| {
    let bytes = include_bytes!("xiangqi.network");
    let network = file::read(bytes, &SHAPE);
    Arc::new(network.expect("a test reads the network that the program contains").1)
});

/// The network that the program contains.
pub fn built_in() -> Arc<XiangqiNetwork> {
    BUILT_IN.clone()
}

/// The option `Network`.
pub const NETWORK: Setting<Option<Arc<XiangqiNetwork>>> = Setting::file(
    "Network",
    |path| loaded::<XiangqiNetwork>(file::open(path, &SHAPE)),
    "File of the evaluation network; empty for the program's own",
);

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<XiangqiNetwork> {
    options.get(&NETWORK).unwrap_or_else(built_in)
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
