//! Weight sharing between symmetric features.

use agon_games::einstein::transpose;
use std::sync::OnceLock;

/// A stone on a square: `stone * 25 + square` for the roller, plus 150 for the opponent.
pub const FEATURES: usize = 300;
/// The number of pairs, in either order.
const PAIRS: usize = FEATURES * FEATURES;
/// The number of combinations of both sides' living numbers.
const MASKS: usize = 64 * 64;

/// Maps each pair, and each two sets of numbers, to its weight.
pub struct WeightSharing {
    /// The weight of two features, by `a * FEATURES + b`.
    pub pair: Vec<u16>,
    /// The weight of both sides' living numbers, by `own * 64 + other`.
    pub masks: Vec<u16>,
    /// The number of weights of pairs.
    pub pairs: usize,
    /// The number of weights of living numbers.
    pub mask_sets: usize,
}

/// The symmetries: reflect the board, renumber the roller's stones, renumber the opponent's.
fn image(feature: usize, symmetry: usize) -> usize {
    let (side, stone, square) = (feature / 150, feature / 25 % 6, feature % 25);
    let square = if symmetry & 1 != 0 { usize::from(transpose(square as u8)) } else { square };
    let stone = if symmetry & (2 << side) != 0 { 5 - stone } else { stone };
    side * 150 + stone * 25 + square
}

/// The only instance.
pub fn sharing() -> &'static WeightSharing {
    static SHARING: OnceLock<WeightSharing> = OnceLock::new();
    SHARING.get_or_init(|| {
        let (pair, pairs) = number_orbits(PAIRS, |code, symmetry| {
            let (a, b) = (image(code / FEATURES, symmetry), image(code % FEATURES, symmetry));
            a.min(b) * FEATURES + a.max(b)
        });
        let reversed = |mask: usize| (0..6).fold(0, |r, i| r | (mask >> i & 1) << (5 - i));
        let (masks, mask_sets) = number_orbits(MASKS, |code, symmetry| {
            let (own, other) = (code / 64, code % 64);
            let own = if symmetry & 2 != 0 { reversed(own) } else { own };
            let other = if symmetry & 4 != 0 { reversed(other) } else { other };
            own * 64 + other
        });
        WeightSharing { pair, masks, pairs, mask_sets }
    })
}

/// Numbers the orbits of `codes` codes under the eight symmetries.
fn number_orbits(codes: usize, image: impl Fn(usize, usize) -> usize) -> (Vec<u16>, usize) {
    let mut numbers = vec![u16::MAX; codes];
    let mut next = 0;
    for code in 0..codes {
        let least = (0..8).map(|s| image(code, s)).min().unwrap_or(code);
        if numbers[least] == u16::MAX {
            numbers[least] = next;
            next += 1;
        }
        numbers[code] = numbers[least];
    }
    (numbers, usize::from(next))
}
