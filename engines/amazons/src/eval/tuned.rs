//! The tuned evaluation: the same terms, weighed by what wins games. The knots are what `amazons tune`
//! printed (`TUNING.md` has the commands), in units that say the same about the chance to win in
//! every phase: a square of sure territory is worth more than one in the opening.

use super::terms::ONE;
use super::weights::{Knot, Weights};

const KNOTS: [Knot; 8] = [
    Knot { w: 0, weights: [3176, 342, 60, 526, 1037, 275] },
    Knot { w: 4, weights: [2920, 153, -71, 430, 828, 797] },
    Knot { w: 9, weights: [1952, 209, -69, 400, 716, 1612] },
    Knot { w: 16, weights: [1086, 299, -30, 362, 828, 1807] },
    Knot { w: 26, weights: [747, 277, -156, 419, 1046, 1429] },
    Knot { w: 40, weights: [413, 201, -213, 513, 1711, 1022] },
    Knot { w: 60, weights: [-49, 77, 27, 62, 1934, 721] },
    Knot { w: 85, weights: [57, -119, 108, 65, 1850, 584] },
];

/// The tuned weights. Ties count for nothing by themselves: the tempo weight does better.
pub fn tuned_weights() -> Weights {
    let penalty = std::array::from_fn(|mobility| 8 * ONE / (mobility as i32 + 2));
    Weights::new(&KNOTS, 0, penalty)
}
