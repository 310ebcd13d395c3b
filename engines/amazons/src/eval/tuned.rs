//! The tuned evaluation: the same terms, weighed by what wins games. The knots are a smoothed fit of
//! `amazons tune` to games against itself, in units that say the same about the chance to win in
//! every phase: a square of sure territory is worth more than one in the opening.

use super::terms::ONE;
use super::weights::{Knot, Weights};

const KNOTS: [Knot; 8] = [
    Knot { w: 0, weights: [3800, 0, 0, 0, 300, 0] },
    Knot { w: 4, weights: [2900, 0, 0, 300, 400, 0] },
    Knot { w: 9, weights: [2200, 60, 0, 270, 680, 100] },
    Knot { w: 16, weights: [1350, 120, 0, 330, 750, 100] },
    Knot { w: 26, weights: [800, 220, 0, 400, 1100, 100] },
    Knot { w: 40, weights: [450, 180, 0, 550, 1500, 100] },
    Knot { w: 60, weights: [200, 150, 100, 400, 1500, 100] },
    Knot { w: 85, weights: [150, 150, 100, 300, 1500, 100] },
];

/// The tuned weights. Ties count for nothing by themselves: the tempo weight does better.
pub fn tuned_weights() -> Weights {
    let penalty = std::array::from_fn(|mobility| 8 * ONE / (mobility as i32 + 2));
    Weights::new(&KNOTS, 0, penalty)
}
