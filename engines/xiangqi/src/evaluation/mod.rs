//! The evaluation of `best` and `mcts`: a network with one hidden layer, trained by `lab xiangqi tune`
//! on games against itself. Its inputs are [`features`]. The hidden layer is updated along the searched
//! line when a position is evaluated: one that is pruned or found in a table costs nothing. The
//! reference searches `pvs` and `alphabeta` use the simple evaluation of [`crate::reference_eval`].

pub mod features;
#[cfg(test)]
mod tests;

use crate::position::{EMPTY, Move, Position};
use agon_games::xiangqi::Kind;
use agon_network::file::{self, NetworkShape};
use agon_network::network::Accumulator;
use agon_search::host::{Options, Setting, loaded};
use features::{BUCKETS, FEATURES, HIDDEN, View, XiangqiNetwork, bucket, for_each_piece};
use std::sync::{Arc, LazyLock};

/// The shape of the networks.
pub const SHAPE: NetworkShape =
    NetworkShape { game: "xiangqi-1", features: FEATURES, buckets: BUCKETS, active: 32 };
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
    file::MAX_BYTES,
    |bytes| loaded::<XiangqiNetwork>(file::read(&bytes, &SHAPE).map(|(_, network)| network)),
    "File of the evaluation network; empty for the program's own",
);

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<XiangqiNetwork> {
    options.get(&NETWORK).unwrap_or_else(built_in)
}

/// Evaluates the positions of a search by one thread.
pub struct XiangqiNetworkEvaluator {
    network: Arc<XiangqiNetwork>,
    accumulators: LineAccumulators,
}

impl XiangqiNetworkEvaluator {
    /// With this network.
    pub fn new(network: Arc<XiangqiNetwork>) -> XiangqiNetworkEvaluator {
        XiangqiNetworkEvaluator { network, accumulators: LineAccumulators::default() }
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

/// A view further back in the line is not updated but computed anew.
const FAR: usize = 6;

/// The accumulator of a view of one position of the line.
#[derive(Clone, Copy, Default)]
struct ViewEntry {
    /// The key of the position; 0 if none was computed.
    key: u64,
    accumulator: Accumulator<HIDDEN>,
}

/// The accumulators of the positions of a line, by the number of moves before each and by side.
#[derive(Default)]
pub struct LineAccumulators(Vec<[ViewEntry; 2]>);

impl LineAccumulators {
    /// The output of the network for the side to move, in units of 1 / `unit` of the logit.
    pub fn evaluate(&mut self, network: &XiangqiNetwork, position: &Position, unit: i32) -> i32 {
        let last = position.past().len();
        if self.0.len() <= last {
            self.0.resize(last + 64, [ViewEntry::default(); 2]);
        }
        for side in 0..2 {
            self.compute(network, position, side);
        }
        let side = position.side();
        let views = [side, side ^ 1].map(|side| &self.0[last][side].accumulator);
        network.output(views, bucket(position), unit)
    }

    /// Computes the accumulator of a side's view.
    #[inline]
    fn compute(&mut self, network: &XiangqiNetwork, position: &Position, side: usize) {
        let past = position.past();
        let last = past.len();
        let view = View::new(side, position.king(side));
        let king = 7 * side + Kind::King.index();
        let mut first = last;
        while self.0[first][side].key != position.key_at(first) {
            // A move of the king may have mirrored the board.
            let far = first == 0 || last - first == FAR;
            if far || usize::from(past[first - 1].piece) == king {
                let mut features = arrayvec::ArrayVec::<usize, 32>::new();
                for_each_piece(position, |piece, s| {
                    let _ = features.try_push(view.feature(piece, s));
                });
                let accumulator = network.refresh(features);
                self.0[last][side] = ViewEntry { key: position.key(), accumulator };
                return;
            }
            first -= 1;
        }
        for (i, step) in past.iter().enumerate().skip(first) {
            let before = &self.0[i][side].accumulator;
            let accumulator = if step.m == Move::NONE {
                *before
            } else {
                let feature = |piece: u8, s| view.feature(usize::from(piece), s);
                let (from, to) = (step.m.from(), step.m.to());
                let captured =
                    (usize::from(step.captured) < EMPTY).then(|| feature(step.captured, to));
                network.update(before, feature(step.piece, from), feature(step.piece, to), captured)
            };
            self.0[i + 1][side] = ViewEntry { key: position.key_at(i + 1), accumulator };
        }
    }
}
