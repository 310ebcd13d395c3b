//! The network of the algorithm `puct`, trained by `lab nogo train` on games against itself: the value of a position
//! and a probability for each move.

use crate::board::{Board, site};
use agon_games::hash::FastMap;
use agon_games::nogo::{BOARD, NoGoPoint, Points, SIDE};
use agon_network::convolution::BoardShape;
use agon_network::convolution::network::{BoardNetwork, UNIT, Workspace};
use agon_network::file;
use agon_network::train::{logistic, softmax};
use agon_search::host::{Options, Setting, loaded};
use std::sync::{Arc, LazyLock};

/// The number of points.
pub const POINTS: usize = SIDE * SIDE;
/// Planes of a position.
const PLANES: usize = 5;

/// The shape of the networks.
pub const SHAPE: BoardShape = BoardShape { game: "nogo-2", side: SIDE, blocks: 3 };

/// The network that the program contains.
static BUILT_IN: LazyLock<Arc<BoardNetwork>> = LazyLock::new(|| {
    let network = BoardNetwork::read(include_bytes!("nogo.network"), &SHAPE);
    Arc::new(network.expect("a test reads the network that the program contains").1)
});

/// The option `Network`.
pub const NETWORK: Setting<Option<Arc<BoardNetwork>>> = Setting::file(
    "Network",
    file::MAX_BYTES,
    |bytes| loaded::<BoardNetwork>(BoardNetwork::read(&bytes, &SHAPE).map(|(_, network)| network)),
    "File of the network; empty for the program's own",
);

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<BoardNetwork> {
    options.get(&NETWORK).unwrap_or_else(|| BUILT_IN.clone())
}

/// The number of a point in files of games, below [`POINTS`].
pub fn cell(point: NoGoPoint) -> usize {
    let index = point.index();
    index / (SIDE + 1) * SIDE + index % (SIDE + 1)
}

/// The point of a number below [`POINTS`]; `None` for others.
pub fn point_of(cell: usize) -> Option<NoGoPoint> {
    NoGoPoint::new(cell % SIDE, cell / SIDE)
}

/// The planes of a position with these stones and legal moves of both sides: own stones, the opponent's, own moves, the
/// opponent's, and all points, which show where the board ends.
pub fn planes(stones: [u128; 2], legal: [u128; 2], mover: usize) -> [u128; PLANES] {
    let other = mover ^ 1;
    [stones[mover], stones[other], legal[mover], legal[other], BOARD]
}

/// The winning chance of the side to move, and the sites of its moves with their probabilities, which have the sum 1.
pub type Guess = (f32, Vec<(u8, f32)>);

/// Positions that a thread remembers.
const REMEMBERED: usize = 1 << 13;

/// A network with the buffers of one thread, which remembers positions: in a search of 8,000 iterations one in four was
/// reached before by another order of the moves.
#[derive(Debug)]
pub struct Guide<'a> {
    network: &'a BoardNetwork,
    workspace: Workspace,
    /// By the stones and moves of a position, from the view of the side to move.
    known: FastMap<[u128; 3], Guess>,
}

impl<'a> Guide<'a> {
    /// For one thread.
    pub fn new(network: &'a BoardNetwork) -> Guide<'a> {
        Guide { network, workspace: network.workspace(), known: FastMap::default() }
    }

    /// Evaluates a position for the side to move and these moves of it.
    pub fn evaluate(
        &mut self,
        board: &Board,
        legal: [u128; 2],
        mover: usize,
        moves: u128,
    ) -> Guess {
        let stones = [board.stones(0), board.stones(1)];
        let key = [stones[mover], stones[mover ^ 1], moves];
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let guess = self.compute(stones, legal, mover, moves);
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, guess.clone());
        guess
    }

    fn compute(&mut self, stones: [u128; 2], legal: [u128; 2], mover: usize, moves: u128) -> Guess {
        let planes = planes(stones, legal, mover);
        let value = self.network.evaluate(&planes, &mut self.workspace);
        let logit = |logit: i32| logit as f32 / UNIT as f32;
        let points = Points(moves).map(NoGoPoint::index);
        let mut shares: Vec<f32> =
            self.network.policy(&self.workspace, points).map(logit).collect();
        softmax(&mut shares);
        (logistic(logit(value)), Points(moves).map(site).zip(shares).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::random_game;
    use agon_games::nogo::NoGo;
    use agon_games::option::NoRules;
    use agon_games::{Game, Player, rng};

    #[test]
    fn planes_are_the_stones_and_moves_of_both_sides_from_the_movers_view() {
        for index in 0..20 {
            let mut game = NoGo::start(&NoRules);
            for m in random_game(index) {
                game.play(m);
                let side = game.side_to_move();
                let stones = Player::BOTH.map(|player| game.stones(player));
                let legal = Player::BOTH.map(|player| game.legal_for(player));
                let other = side.opponent();
                let expected = [
                    game.stones(side),
                    game.stones(other),
                    game.legal(),
                    game.legal_for(other),
                    game.stones(side) | game.stones(other) | game.empty(),
                ];
                assert_eq!(planes(stones, legal, side.index()), expected, "{}", game.fen());
            }
        }
    }

    #[test]
    fn guesses_are_those_of_the_network_also_when_remembered() {
        let network = BoardNetwork::random(&SHAPE, 0.2, &mut rng::stream(4, 0, "network"));
        let (mut guide, mut workspace) = (Guide::new(&network), network.workspace());
        let mut different = 0;
        for index in (0..20).chain(0..5) {
            let mut game = NoGo::start(&NoRules);
            for m in random_game(index).into_iter().take(30) {
                game.play(m);
                let (board, mover) = (Board::new(&game), game.side_to_move().index());
                let (value, moves) = guide.evaluate(&board, board.legal(), mover, game.legal());
                let planes = planes([board.stones(0), board.stones(1)], board.legal(), mover);
                let logit = f64::from(network.evaluate(&planes, &mut workspace)) / f64::from(UNIT);
                assert!((f64::from(value) - 1.0 / (1.0 + libm::exp(-logit))).abs() < 1e-5);
                let points = Points(game.legal()).map(NoGoPoint::index);
                let odds: Vec<f64> = network
                    .policy(&workspace, points)
                    .map(|logit| libm::exp(f64::from(logit) / f64::from(UNIT)))
                    .collect();
                let sum: f64 = odds.iter().sum();
                assert_eq!(moves.len(), odds.len());
                for ((&(at, share), odds), m) in moves.iter().zip(&odds).zip(Points(game.legal())) {
                    assert!(at == site(m) && (f64::from(share) - odds / sum).abs() < 1e-4);
                }
                different += usize::from(logit.abs() > 0.01);
            }
        }
        assert!(different > 300, "{different}");
    }

    #[test]
    fn the_program_contains_a_network_of_at_most_4_mb() {
        let bytes = include_bytes!("nogo.network");
        assert!(bytes.len() < 4_000_000);
        let (header, _) = BoardNetwork::read(bytes, &SHAPE).unwrap();
        for field in ["positions", "commit", "command"] {
            assert!(header.made.iter().any(|(name, _)| name == field), "{field}");
        }
    }
}
