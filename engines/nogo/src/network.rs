//! The network of the algorithm `puct`, trained by `lab nogo train` on games against itself: the value of a position
//! and a probability for each move.
//!
//! A view is that of one side. Its features are the state of each point (whose stone; if it is empty, which side may
//! play there) and the stones in each square of 2x2 points. A point that is empty and open to both sides has no
//! feature, and neither has a square without stones.

use crate::board::{Board, site};
use agon_games::nogo::{NoGoPoint, Points, SIDE};
use agon_network::file::{self, NetworkShape};
use agon_network::network::{Accumulator, Network};
use agon_network::train::Image;
use agon_search::host::{Options, Setting, loaded};
use std::sync::{Arc, LazyLock};

/// Hidden units of each view.
pub const HIDDEN: usize = 128;
/// The number of points.
pub const POINTS: usize = SIDE * SIDE;
/// Squares in a row.
const SQUARES: usize = SIDE - 1;
/// Own stone, opponent's stone, empty and open to this side only, to the other only, to neither.
const STATES: usize = 5;
/// What is on the four points of a square.
const PATTERNS: usize = 81;
/// Features of a view.
pub const FEATURES: usize = STATES * POINTS + PATTERNS * SQUARES * SQUARES;
/// Stones to a bucket of the value.
const STONES: usize = 12;
/// Buckets of the value, by the number of stones.
const BUCKETS: usize = POINTS / STONES + 1;

/// The shape of the networks.
pub const SHAPE: NetworkShape = NetworkShape {
    game: "nogo-1",
    features: FEATURES,
    buckets: BUCKETS,
    policy: POINTS,
    active: POINTS + SQUARES * SQUARES,
};

/// A network.
pub type NoGoNetwork = Network<HIDDEN>;

/// The logit of a value is in units of 1 / this.
const UNIT: i32 = 1 << 12;

/// The network that the program contains.
static BUILT_IN: LazyLock<Arc<NoGoNetwork>> = LazyLock::new(|| {
    let network = file::read(include_bytes!("nogo.network"), &SHAPE);
    Arc::new(network.expect("a test reads the network that the program contains").1)
});

/// The option `Network`.
pub const NETWORK: Setting<Option<Arc<NoGoNetwork>>> = Setting::file(
    "Network",
    file::MAX_BYTES,
    |bytes| loaded::<NoGoNetwork>(file::read(&bytes, &SHAPE).map(|(_, network)| network)),
    "File of the network; empty for the program's own",
);

/// The network that the options name, or the program's own.
pub fn network(options: &Options) -> Arc<NoGoNetwork> {
    options.get(&NETWORK).unwrap_or_else(|| BUILT_IN.clone())
}

/// The number of a point, which is its row of the policy.
pub fn cell(point: NoGoPoint) -> usize {
    let index = point.index();
    index / (SIDE + 1) * SIDE + index % (SIDE + 1)
}

/// The point of a number below [`POINTS`]; `None` for others.
pub fn point_of(cell: usize) -> Option<NoGoPoint> {
    NoGoPoint::new(cell % SIDE, cell / SIDE)
}

/// The pattern of a square for both views, by the stones of the one side on its points and, four bits higher, those of
/// the other.
static PATTERN: [[u8; 2]; 256] = {
    let (mut patterns, mut stones) = ([[0; 2]; 256], 0);
    while stones < 256 {
        let (mut pair, mut at) = ([0; 2], 4);
        while at > 0 {
            at -= 1;
            let [own, other] = [stones >> at & 1, stones >> (at + 4) & 1];
            pair = [
                pair[0] * 3 + (own + 2 * other) as u8 % 3,
                pair[1] * 3 + (other + 2 * own) as u8 % 3,
            ];
        }
        patterns[stones] = pair;
        stones += 1;
    }
    patterns
};

/// Visits the features of a position with these stones and legal moves, each for the view of `mover` and for that of
/// the other side.
#[inline]
pub fn for_each_feature(
    stones: [u128; 2],
    legal: [u128; 2],
    mover: usize,
    mut visit: impl FnMut([usize; 2]),
) {
    let [own, other] = [stones[mover], stones[mover ^ 1]];
    let [ours, theirs] = [legal[mover], legal[mover ^ 1]];
    let occupied = own | other;
    let empty = agon_games::nogo::BOARD & !occupied;
    let sets = [own, other, ours & !theirs, theirs & !ours, empty & !ours & !theirs];
    for (state, set) in sets.into_iter().enumerate() {
        // The other view has the first two states exchanged, and the next two.
        let turned = if state < 4 { state ^ 1 } else { state };
        for point in Points(set) {
            let cell = cell(point);
            visit([state * POINTS + cell, turned * POINTS + cell]);
        }
    }
    let corner = |set: u128, at: usize| {
        let bits = (set >> at) as usize;
        bits & 3 | bits >> (SIDE - 1) & 12
    };
    let right = SIDE + 1;
    let squares = occupied | occupied >> 1 | occupied >> right | occupied >> (right + 1);
    for point in Points(squares & CORNERS) {
        let at = point.index();
        let [own, other] = PATTERN[corner(own, at) | corner(other, at) << 4];
        let first = STATES * POINTS + (at / right * SQUARES + at % right) * PATTERNS;
        visit([first + usize::from(own), first + usize::from(other)]);
    }
}

/// The points at the low corner of a square.
const CORNERS: u128 = {
    let (mut set, mut row) = (0, 0);
    while row < SQUARES {
        set |= ((1 << SQUARES) - 1) << (row * (SIDE + 1));
        row += 1;
    }
    set
};

/// The bucket of a position with these stones.
pub fn bucket(stones: [u128; 2]) -> usize {
    (stones[0] | stones[1]).count_ones() as usize / STONES
}

/// A position as the network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Views {
    views: [Accumulator<HIDDEN>; 2],
    bucket: usize,
}

impl Views {
    /// The position of `board` with `mover` to move.
    pub fn new(network: &NoGoNetwork, board: &Board, legal: [u128; 2], mover: usize) -> Views {
        let stones = [board.stones(0), board.stones(1)];
        let mut views = [network.refresh([]); 2];
        for_each_feature(stones, legal, mover, |feature| {
            for (view, feature) in views.iter_mut().zip(feature) {
                network.add(view, feature);
            }
        });
        Views { views, bucket: bucket(stones) }
    }

    /// The winning chance of the side to move.
    pub fn value(&self, network: &NoGoNetwork) -> f32 {
        let logit = network.output(self.views.each_ref(), self.bucket, UNIT);
        1.0 / (1.0 + libm::expf(-logit as f32 / UNIT as f32))
    }

    /// The sites of these moves of the side to move and their probabilities, which have the sum 1.
    pub fn policy(&self, network: &NoGoNetwork, moves: u128) -> Vec<(u8, f32)> {
        let rows = Points(moves).map(cell);
        let logits = network.policy(self.views.each_ref(), rows, UNIT);
        let mut shares: Vec<(u8, f32)> = Points(moves)
            .zip(logits)
            .map(|(point, logit)| (site(point), libm::expf(logit as f32 / UNIT as f32)))
            .collect();
        let sum: f32 = shares.iter().map(|share| share.1).sum();
        shares.iter_mut().for_each(|share| share.1 /= sum);
        shares
    }
}

/// The eight symmetries of the board, the identity first.
pub fn images() -> Vec<Image> {
    (0..8).map(image).collect()
}

/// A symmetry: bit 0 mirrors the columns, bit 1 the rows, bit 2 exchanges them.
fn image(symmetry: usize) -> Image {
    let turn = |[column, row]: [usize; 2], last: usize| {
        let column = if symmetry & 1 == 0 { column } else { last - column };
        let row = if symmetry & 2 == 0 { row } else { last - row };
        if symmetry & 4 == 0 { [column, row] } else { [row, column] }
    };
    let points = |cell: usize| {
        let [column, row] = turn([cell % SIDE, cell / SIDE], SIDE - 1);
        row * SIDE + column
    };
    let pattern = |pattern: usize| {
        let corner = |n: usize| pattern / 3usize.pow(n as u32) % 3;
        let place = |n: usize| {
            let [column, row] = turn([n % 2, n / 2], 1);
            3usize.pow((row * 2 + column) as u32)
        };
        (0..4).map(|n| corner(n) * place(n)).sum::<usize>()
    };
    let feature = |feature: usize| match feature.checked_sub(STATES * POINTS) {
        None => feature / POINTS * POINTS + points(feature % POINTS),
        Some(square) => {
            let (at, of) = (square / PATTERNS, square % PATTERNS);
            let [column, row] = turn([at % SQUARES, at / SQUARES], SQUARES - 1);
            STATES * POINTS + (row * SQUARES + column) * PATTERNS + pattern(of)
        }
    };
    Image {
        features: (0..FEATURES).map(|f| feature(f) as u16).collect(),
        policy: (0..POINTS).map(|cell| points(cell) as u16).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::random_game;
    use agon_games::nogo::NoGo;
    use agon_games::option::NoRules;
    use agon_games::rng;
    use agon_games::{Game, Player};

    /// A network with random weights.
    fn random() -> NoGoNetwork {
        Network::random([FEATURES, BUCKETS, POINTS], 60, &mut rng::stream(4, 0, "network"))
    }

    /// Positions of random games, with all legal moves of both sides.
    fn positions() -> Vec<NoGo> {
        let of = |index| {
            let mut game = NoGo::start(&NoRules);
            random_game(index).into_iter().map(move |m| {
                game.play(m);
                game
            })
        };
        (0..30).flat_map(of).step_by(3).collect()
    }

    fn both(game: &NoGo) -> ([u128; 2], [u128; 2]) {
        let stones = Player::BOTH.map(|player| game.stones(player));
        (stones, Player::BOTH.map(|player| game.legal_for(player)))
    }

    fn features(game: &NoGo, mover: usize) -> Vec<[usize; 2]> {
        let ((stones, legal), mut features) = (both(game), Vec::new());
        for_each_feature(stones, legal, mover, |pair| features.push(pair));
        features.sort_unstable();
        features
    }

    /// What the features are by their description, point by point.
    fn written_out(game: &NoGo, side: Player) -> Vec<usize> {
        let other = side.opponent();
        let at = |column, row| NoGoPoint::new(column, row).unwrap();
        let has = |player, point: NoGoPoint| game.stones(player) & point.bit() != 0;
        let may = |player, point: NoGoPoint| game.legal_for(player) & point.bit() != 0;
        let mut features = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                let point = at(column, row);
                let state = match (has(side, point), has(other, point)) {
                    (true, _) => Some(0),
                    (_, true) => Some(1),
                    _ => match (may(side, point), may(other, point)) {
                        (true, true) => None,
                        (true, false) => Some(2),
                        (false, true) => Some(3),
                        (false, false) => Some(4),
                    },
                };
                features.extend(state.map(|state| state * 81 + row * 9 + column));
                if row < 8 && column < 8 {
                    let corners = [(0, 0, 1), (1, 0, 3), (0, 1, 9), (1, 1, 27)];
                    let value = |&(c, r, place): &(usize, usize, usize)| {
                        let point = at(column + c, row + r);
                        place * (usize::from(has(side, point)) + 2 * usize::from(has(other, point)))
                    };
                    let pattern: usize = corners.iter().map(value).sum();
                    let square = 405 + (row * 8 + column) * 81 + pattern;
                    features.extend((pattern > 0).then_some(square));
                }
            }
        }
        features.sort_unstable();
        features
    }

    #[test]
    fn the_features_are_those_of_the_description_in_both_views() {
        let mut most = 0;
        for game in positions() {
            for mover in Player::BOTH {
                let pairs = features(&game, mover.index());
                most = most.max(pairs.len());
                for (view, side) in [mover, mover.opponent()].into_iter().enumerate() {
                    let mut own: Vec<usize> = pairs.iter().map(|pair| pair[view]).collect();
                    own.sort_unstable();
                    assert_eq!(own, written_out(&game, side), "{}", game.fen());
                }
            }
        }
        assert!(most > 100 && most <= SHAPE.active, "{most}");
    }

    #[test]
    fn a_turned_position_has_the_images_of_the_features_and_moves() {
        let images = images();
        assert_eq!(
            images[0],
            Image { features: (0..FEATURES as u16).collect(), policy: (0..81).collect() }
        );
        for (i, image) in images.iter().enumerate() {
            assert!(!images[..i].contains(image), "{i}");
            for game in positions().into_iter().step_by(5) {
                let turn = |set: u128| {
                    let cells = Points(set).map(|point| usize::from(image.policy[cell(point)]));
                    cells.fold(0, |turned, cell| turned | point_of(cell).unwrap().bit())
                };
                let stones = Player::BOTH.map(|player| turn(game.stones(player)));
                let turned = NoGo::new(stones, game.side_to_move()).unwrap();
                let mover = game.side_to_move().index();
                let map = |pair: [usize; 2]| pair.map(|f| usize::from(image.features[f]));
                let mut mapped: Vec<_> = features(&game, mover).into_iter().map(map).collect();
                mapped.sort_unstable();
                assert_eq!(mapped, features(&turned, mover), "{i} {}", game.fen());
            }
        }
    }

    #[test]
    fn values_and_probabilities_are_those_of_the_features() {
        let network = random();
        let mut different = 0;
        for game in positions() {
            let (mover, (stones, legal)) = (game.side_to_move().index(), both(&game));
            if legal[mover] == 0 {
                continue;
            }
            let views = Views::new(&network, &Board::new(&game), legal, mover);
            let side = [game.side_to_move(), game.side_to_move().opponent()];
            let again = side.map(|side| network.refresh(written_out(&game, side)));
            let logit = |logit: i32| f64::from(logit) / f64::from(UNIT);
            let value = logit(network.output(again.each_ref(), bucket(stones), UNIT));
            let expected = 1.0 / (1.0 + libm::exp(-value));
            assert!((f64::from(views.value(&network)) - expected).abs() < 1e-5);
            let policy = views.policy(&network, legal[mover]);
            let rows = Points(legal[mover]).map(cell);
            let logits: Vec<i32> = network.policy(again.each_ref(), rows, UNIT).collect();
            let sum: f64 = logits.iter().map(|&l| libm::exp(logit(l))).sum();
            assert_eq!(policy.len(), logits.len());
            for (&(_, share), &of) in policy.iter().zip(&logits) {
                assert!((f64::from(share) - libm::exp(logit(of)) / sum).abs() < 1e-5);
            }
            different += usize::from((expected - 0.5).abs() > 0.01);
        }
        assert!(different > 100, "{different}");
    }

    #[test]
    fn the_program_contains_a_network_of_at_most_4_mb() {
        let bytes = include_bytes!("nogo.network");
        assert!(bytes.len() < 4_000_000);
        let (header, _) = file::read::<HIDDEN>(bytes, &SHAPE).unwrap();
        for field in ["positions", "commit", "command"] {
            assert!(header.made.iter().any(|(name, _)| name == field), "{field}");
        }
    }
}
