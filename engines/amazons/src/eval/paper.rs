//! The paper's evaluation. Its section 1 names three parts (mobility, position and territory) and
//! two sources; the terms are Lieberum's (2005): territory t1 and t2, position c1 and c2, and a
//! mobility term that penalises amazons that are nearly enclosed.
//!
//! Neither source prints its weight functions, only their properties: f1(0) = 1, the four f sum to
//! 1, t1 dominates as w falls, t2 and the positions matter most in the opening, and the mobility
//! term is never positive for an amazon, falls with mobility and is 0 at w = 0. The functions below
//! are chosen by hand to have these properties.

use super::terms::ONE;
use super::weights::{Knot, MOBILITIES, Weights};

/// The value of a tie to the side to move: Lieberum's upper limit, a fifth.
pub const PAPER_KAPPA: i32 = ONE / 5;

/// f1 (t1), f4 (t2), f2 (c1), f3 (c2), the phase weight of mobility, and no tempo bonus.
const KNOTS: [Knot; 6] = [
    Knot { w: 0, weights: [1024, 0, 0, 0, 0, 0] },
    Knot { w: 10, weights: [768, 104, 104, 48, 256, 0] },
    Knot { w: 20, weights: [608, 176, 152, 88, 512, 0] },
    Knot { w: 40, weights: [432, 288, 152, 152, 1024, 0] },
    Knot { w: 60, weights: [360, 328, 152, 184, 1024, 0] },
    Knot { w: 100, weights: [304, 376, 136, 208, 1024, 0] },
];

/// The paper's weights.
pub fn paper_weights() -> Weights {
    // 4 squares for an enclosed amazon, 1 at a mobility of 6, a quarter at 30.
    let penalty = std::array::from_fn(|mobility: usize| 8 * ONE / (mobility as i32 + 2));
    const { assert!(MOBILITIES == 64) };
    Weights::new(&KNOTS, PAPER_KAPPA, penalty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_phase_functions_sum_to_one_and_only_t1_is_left_when_separated() {
        let weights = paper_weights();
        assert_eq!(weights.at(0), [ONE, 0, 0, 0, 0, 0]);
        for w in 0..100 * ONE {
            let sum: i32 = weights.at(w)[..4].iter().sum();
            assert!(sum.abs_diff(ONE) <= 3, "they sum to {sum}/1024 at w = {w}/1024");
        }
    }
}
