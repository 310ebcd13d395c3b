//! The static evaluation of `best`, `mcts` and `greedy`: a network with one hidden layer, trained by
//! `lab darkchess tune` on games against itself. Its inputs are [`features`]. The hidden layer is that of
//! the position evaluated last, changed by what differs: successive leaves of a search differ in few
//! pieces. An advantage of a side that has nothing to capture some enemy piece with counts nothing
//! ([`crate::fortress`]).

pub mod features;
#[cfg(test)]
mod tests;

use crate::fortress::fewest_takers;
use crate::piece_values::remaining;
use agon_games::darkchess::{Colour, DarkChess, PIECES, Piece, Squares};
use agon_network::file::{self, NetworkShape};
use agon_network::network::Accumulator;
use agon_search::host::{Options, Setting, loaded};
use features::{
    BUCKETS, DarkChessNetwork, FEATURES, HIDDEN, bucket, face_down, face_up, hidden_piece,
};
use std::sync::{Arc, LazyLock};

/// The shape of the networks.
pub const SHAPE: NetworkShape =
    NetworkShape { game: "darkchess-1", features: FEATURES, buckets: BUCKETS, active: 64 };
/// The value of a certain win, and the unit of expected outcomes.
pub const UNIT: i32 = agon_search::expectimax::UNIT;
/// The maximum absolute value of the static evaluation.
pub const STATIC_LIMIT: i32 = UNIT / 10 * 9;

/// The advantage at which the odds of winning are e to 1. An advantage has the scale of the piece
/// values, in which 100 is about a knight.
const ADVANTAGE_UNIT: i32 = 273;
/// Greater advantages count as this one.
const MAX_ADVANTAGE: i32 = 10 * ADVANTAGE_UNIT;

/// The network that the program contains.
static BUILT_IN: LazyLock<Arc<DarkChessNetwork>> = LazyLock::new(|| {
    let bytes = include_bytes!("darkchess.network");
    let network = file::read(bytes, &SHAPE);
    Arc::new(network.expect("a test reads the network that the program contains").1)
});

/// The expected outcome of each advantage, from 0.
static EXPECTED: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let outcome = |advantage| libm::tanh(f64::from(advantage) / f64::from(2 * ADVANTAGE_UNIT));
    (0..=MAX_ADVANTAGE).map(|a| (outcome(a) * f64::from(STATIC_LIMIT)).round() as i32).collect()
});

/// The network that the program contains.
pub fn built_in() -> Arc<DarkChessNetwork> {
    BUILT_IN.clone()
}

/// The option `Network`.
pub const NETWORK: Setting<Option<Arc<DarkChessNetwork>>> = Setting::file(
    "Network",
    file::MAX_BYTES,
    |bytes| loaded::<DarkChessNetwork>(file::read(&bytes, &SHAPE).map(|(_, network)| network)),
    "File of the evaluation network; empty for the program's own",
);

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<DarkChessNetwork> {
    options.get(&NETWORK).unwrap_or_else(built_in)
}

/// Evaluates the positions of a search by one thread.
#[derive(Clone, Debug)]
pub struct DarkChessNetworkEvaluator {
    network: Arc<DarkChessNetwork>,
    accumulators: PositionAccumulators,
}

impl DarkChessNetworkEvaluator {
    /// With this network.
    pub fn new(network: Arc<DarkChessNetwork>) -> DarkChessNetworkEvaluator {
        let accumulators = PositionAccumulators::new(&network);
        DarkChessNetworkEvaluator { network, accumulators }
    }

    /// The advantage of the side to move; 0 before the first flip.
    pub fn advantage(&mut self, game: &DarkChess) -> i32 {
        let Some(own) = game.colour_to_move() else { return 0 };
        let value = self.accumulators.evaluate(&self.network, game, own, ADVANTAGE_UNIT);
        let ahead = if value > 0 { own } else { own.other() };
        let enemy = remaining(game, ahead.other());
        if fewest_takers(&remaining(game, ahead), &enemy) == 0 { 0 } else { value }
    }

    /// The static evaluation: the expected outcome for the side to move.
    pub fn evaluate(&mut self, game: &DarkChess) -> i32 {
        let advantage = self.advantage(game);
        expected_now(game, advantage)
    }
}

/// Converts an advantage to an expected outcome by a curve that approaches [`STATIC_LIMIT`].
#[inline]
pub fn expected(advantage: i32) -> i32 {
    let size = advantage.abs().min(MAX_ADVANTAGE);
    advantage.signum() * EXPECTED[size as usize]
}

/// The expected outcome of the advantage of a position. It shrinks as the number of quiet plies
/// approaches the draw limit.
#[inline]
pub fn expected_now(game: &DarkChess, advantage: i32) -> i32 {
    let value = expected(advantage);
    let limit = i32::from(game.draw_plies());
    if limit == 0 {
        return value;
    }
    let quiet = i32::from(game.quiet_plies()).min(limit);
    (i64::from(value) * i64::from(2 * limit - quiet) / i64::from(2 * limit)) as i32
}

/// The accumulators of both colours' views of a position.
#[derive(Clone, Debug)]
pub struct PositionAccumulators {
    views: [Accumulator<HIDDEN>; 2],
    face_up: [u32; PIECES],
    face_down: u32,
    hidden: [u8; PIECES],
}

impl PositionAccumulators {
    /// Those of an empty board.
    pub fn new(network: &DarkChessNetwork) -> PositionAccumulators {
        PositionAccumulators {
            views: [network.refresh([]); 2],
            face_up: [0; PIECES],
            face_down: 0,
            hidden: [0; PIECES],
        }
    }

    /// The output of the network for a colour to move, in units of 1 / `unit` of the logit.
    pub fn evaluate(
        &mut self,
        network: &DarkChessNetwork,
        game: &DarkChess,
        own: Colour,
        unit: i32,
    ) -> i32 {
        self.update(network, game);
        let views = [own, own.other()].map(|colour| &self.views[colour.index()]);
        network.output(views, bucket(game), unit)
    }

    fn update(&mut self, network: &DarkChessNetwork, game: &DarkChess) {
        for piece in Piece::all() {
            let i = piece.index();
            let now = game.pieces(piece);
            let feature = |view, square| face_up(view, piece, square);
            self.change_squares(network, self.face_up[i], now, feature);
            self.face_up[i] = now;
            let hidden = game.pool()[i];
            while self.hidden[i] != hidden {
                let adds = self.hidden[i] < hidden;
                let number = if adds { self.hidden[i] } else { self.hidden[i] - 1 };
                for view in Colour::BOTH {
                    if let Some(feature) = hidden_piece(view, piece, number) {
                        self.change(network, view, feature, adds);
                    }
                }
                self.hidden[i] = if adds { number + 1 } else { number };
            }
        }
        let now = game.hidden();
        self.change_squares(network, self.face_down, now, |_, square| face_down(square));
        self.face_down = now;
    }

    /// Changes both views where two sets of squares differ.
    #[inline]
    fn change_squares(
        &mut self,
        network: &DarkChessNetwork,
        before: u32,
        now: u32,
        feature: impl Fn(Colour, u8) -> usize,
    ) {
        for square in Squares(before ^ now) {
            for view in Colour::BOTH {
                self.change(network, view, feature(view, square), now >> square & 1 != 0);
            }
        }
    }

    #[inline]
    fn change(&mut self, network: &DarkChessNetwork, view: Colour, feature: usize, adds: bool) {
        let accumulator = &mut self.views[view.index()];
        if adds {
            network.add(accumulator, feature);
        } else {
            network.remove(accumulator, feature);
        }
    }
}
