//! The weighting of the terms by game phase, and two sets of weights.
//!
//! The paper names in its section 1 three parts (mobility, position and territory) and two sources; the
//! terms are Lieberum's (2005): territory t1 and t2, position c1 and c2, and a mobility term that
//! penalises amazons that are nearly enclosed. Neither source prints its weight functions, only their
//! properties: f1(0) = 1, the four f sum to 1, t1 dominates as w falls, t2 and the positions matter most
//! in the opening, and the mobility term is never positive for an amazon, falls with mobility and is 0
//! at w = 0. Those of [`paper_weights`] are chosen by hand to have these properties.
//!
//! The weights of [`tuned_weights`] are fitted to game results. Their knots were printed by `lab
//! amazons tune` (`STRENGTH.md` has the commands). Their unit means the same winning chance in every
//! phase: a square of secure territory is worth more than one in the opening.

use super::terms::{ONE, Terms};
use agon_games::game::Player;

/// A term that an option can disable, to measure its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// Queen territory.
    T1,
    /// King territory.
    T2,
    /// Queen position.
    C1,
    /// King position.
    C2,
    /// Mobility of single amazons.
    Mobility,
    /// The tempo bonus.
    Tempo,
}

impl Term {
    /// All of them.
    pub const ALL: [Term; 6] =
        [Term::T1, Term::T2, Term::C1, Term::C2, Term::Mobility, Term::Tempo];

    /// The name in options and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Term::T1 => "t1",
            Term::T2 => "t2",
            Term::C1 => "c1",
            Term::C2 => "c2",
            Term::Mobility => "mobility",
            Term::Tempo => "tempo",
        }
    }
}

/// The weights at one value of the phase w, in 1/1024; linear between two knots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knot {
    /// The phase, in squares.
    pub w: i32,
    /// Weights in the order of [`Term::ALL`]. The last, for the side to move, is in units of 1/1024
    /// squares.
    pub weights: [i32; 6],
}

/// Phases are looked up in steps of half a square, up to 100 squares.
const PHASES: usize = 201;
/// Mobilities are looked up in steps of one, up to 63.
pub const MOBILITIES: usize = 64;

/// A complete evaluation function.
#[derive(Clone, Debug)]
pub struct Weights {
    phases: Box<[[i16; 8]; PHASES]>,
    /// The value of a tie in distance to the side to move, in 1/1024 (at most a fifth in Lieberum's
    /// paper).
    kappa: i32,
    /// The penalty for an amazon of this mobility, in 1/1024 squares before its phase weight.
    penalty: [i32; MOBILITIES],
}

impl Weights {
    /// The function with these knots, in ascending order of w.
    pub fn new(knots: &[Knot], kappa: i32, penalty: [i32; MOBILITIES]) -> Weights {
        let mut phases = Box::new([[0; 8]; PHASES]);
        for (half, row) in phases.iter_mut().enumerate() {
            for (term, cell) in row.iter_mut().take(Term::ALL.len()).enumerate() {
                *cell = interpolate(knots, half as i32, term) as i16;
            }
        }
        Weights { phases, kappa, penalty }
    }

    /// The same function without one term.
    #[must_use]
    pub fn without(mut self, term: Term) -> Weights {
        for row in self.phases.iter_mut() {
            row[term as usize] = 0;
        }
        self
    }

    /// The weights at a phase (`w` as in [`Terms`]), in the order of [`Term::ALL`].
    pub fn at(&self, w: i32) -> [i32; 6] {
        let row = self.row(w);
        std::array::from_fn(|i| i32::from(row[i]))
    }

    #[inline]
    fn row(&self, w: i32) -> &[i16; 8] {
        let half = (w + ONE / 4) / (ONE / 2);
        // A shared square means a contact phase, however far apart the players are.
        let half = if w > 0 { half.max(1) } else { 0 };
        &self.phases[(half as usize).min(PHASES - 1)]
    }

    /// The terms for `side`, which is to move, in 1/1024 squares and the order of [`Term::ALL`],
    /// before their phase weights.
    #[inline]
    pub fn parts(&self, terms: &Terms, side: Player) -> [i32; 6] {
        let sign = if side == Player::First { 1 } else { -1 };
        [
            sign * terms.t1 * ONE + self.kappa * terms.ties1,
            sign * terms.t2 * ONE + self.kappa * terms.ties2,
            sign * terms.c1,
            sign * terms.c2 * ONE / 6,
            sign * self.penalties(terms),
            ONE,
        ]
    }

    /// The value for `side`, which is to move, in 1/100 of a square.
    #[inline]
    pub fn value(&self, terms: &Terms, side: Player) -> i32 {
        let weights = self.row(terms.w);
        let parts = self.parts(terms, side);
        let products = parts.iter().zip(weights).map(|(&x, &w)| i64::from(x) * i64::from(w));
        (products.sum::<i64>() * 100 / i64::from(ONE * ONE)) as i32
    }

    /// The second player's penalties minus the first's.
    #[inline]
    fn penalties(&self, terms: &Terms) -> i32 {
        let [first, second] = terms.mobility.map(|amazons| {
            amazons.into_iter().filter(|&m| m >= 0).map(|m| self.penalty[bucket(m)]).sum::<i32>()
        });
        second - first
    }
}

/// The entry of the penalty table for a mobility of [`Terms`].
#[inline]
pub fn bucket(mobility: i32) -> usize {
    ((mobility / ONE).max(0) as usize).min(MOBILITIES - 1)
}

fn interpolate(knots: &[Knot], half: i32, term: usize) -> i32 {
    let after = knots.iter().position(|k| 2 * k.w >= half);
    match after {
        None => knots.last().map_or(0, |k| k.weights[term]),
        Some(0) => knots[0].weights[term],
        Some(i) => {
            let (a, b) = (&knots[i - 1], &knots[i]);
            let (wide, along) = (2 * (b.w - a.w), half - 2 * a.w);
            a.weights[term] + (b.weights[term] - a.weights[term]) * along / wide
        }
    }
}

/// The value of a tie to the side to move: Lieberum's upper limit, a fifth.
pub const PAPER_KAPPA: i32 = ONE / 5;

/// f1 (t1), f4 (t2), f2 (c1), f3 (c2), the phase weight of mobility, and no tempo bonus.
const PAPER_KNOTS: [Knot; 6] = [
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
    Weights::new(&PAPER_KNOTS, PAPER_KAPPA, penalty)
}

const TUNED_KNOTS: [Knot; 8] = [
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
    Weights::new(&TUNED_KNOTS, 0, penalty)
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
