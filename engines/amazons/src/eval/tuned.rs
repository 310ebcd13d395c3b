//! The tuned evaluation: the same terms, with weights fitted to game results. The knots were
//! printed by `lab amazons tune` (`STRENGTH.md` has the commands). Their unit means the same
//! winning chance in every phase: a square of secure territory is worth more than one in the
//! opening.

use super::terms::ONE;
use super::weights::{Knot, Weights};

const KNOTS: [Knot; 8] = [
    Knot { w: 0, weights: [2986, 527, 609, 419, 799, 249] },
    Knot { w: 4, weights: [2670, 356, 457, 360, 793, 1031] },
    Knot { w: 9, weights: [1852, 269, 279, 343, 812, 2010] },
    Knot { w: 16, weights: [1102, 429, 314, 309, 893, 2264] },
    Knot { w: 26, weights: [599, 425, 98, 414, 1395, 1678] },
    Knot { w: 40, weights: [342, 114, -127, 795, 2416, 1120] },
    Knot { w: 60, weights: [-80, -4, 119, 162, 2259, 1253] },
    Knot { w: 85, weights: [-92, 118, 163, -301, 2222, 919] },
];

/// The tuned weights. Ties have no value of their own: the tempo weight performs better.
pub fn tuned_weights() -> Weights {
    let penalty = std::array::from_fn(|mobility| 8 * ONE / (mobility as i32 + 2));
    Weights::new(&KNOTS, 0, penalty)
}
