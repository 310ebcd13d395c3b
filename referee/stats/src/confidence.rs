//! A confidence sequence for the expected score of a pair: an interval that holds at all times at once.
//!
//! For each candidate mean m two bettors bet against it, one on a higher and one on a lower mean, each
//! with a mixture of fixed bets: shares f of what may be lost, f = 0.95, 0.95/sqrt(2), ... A mean at which
//! a bettor's wealth has reached 2/alpha is excluded. By Ville's inequality the probability that the true
//! mean is *ever* excluded is at most alpha (Waudby-Smith and Ramdas, "Estimating means of bounded random
//! variables by betting", 2024, theorem 3: the hedged capital process). The wealth is a product over
//! pairs, so it depends only on the counts; it is monotone in m, so the means left are an interval.

use super::numerics::log_sum;
use super::{Pentanomial, elo_from_score};

/// Number of bets of a bettor; their shares span three decades, for up to some million pairs.
const BETS: i32 = 21;
/// The greatest share.
const MAX_SHARE: f64 = 0.95;

/// An interval for the Elo difference that covers it at all times with the given probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConfidenceSequence {
    /// The lower end in Elo; may be infinite.
    pub low: f64,
    /// The upper end in Elo; may be infinite.
    pub high: f64,
}

impl ConfidenceSequence {
    /// The 95% interval after these pairs.
    pub fn of_pairs(pairs: Pentanomial) -> ConfidenceSequence {
        ConfidenceSequence::new(pairs, 0.05)
    }

    /// The interval that covers at all times with a probability of at least 1 - `alpha`.
    pub fn new(pairs: Pentanomial, alpha: f64) -> ConfidenceSequence {
        let bound = (2.0 / alpha).ln();
        let low = edge(pairs, bound);
        let high = 1.0 - edge(pairs.flipped(), bound);
        ConfidenceSequence { low: elo_from_score(low), high: elo_from_score(high) }
    }

    /// The width in Elo; infinite while an end is.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// ln of the wealth of the bettor that bets on a mean above `mean`.
fn log_wealth_above(pairs: Pentanomial, mean: f64) -> f64 {
    let wealth = |k: i32| {
        let share = MAX_SHARE * 2f64.powf(-f64::from(k) / 2.0);
        let counts = pairs.counts.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let log = |(&n, score): (&u64, f64)| n as f64 * (share * (score / mean - 1.0)).ln_1p();
        counts.map(log).sum::<f64>()
    };
    log_sum((0..BETS).map(wealth)) - f64::from(BETS).ln()
}

/// The wealth of the bettors against "the mean is at most the first score" and "... at least the
/// second": e-values that hold at all times and depend only on counts. A [`super::Betting`] test bets on
/// its own hypotheses instead and is more powerful.
pub fn e_values(pairs: Pentanomial, scores: [f64; 2]) -> [f64; 2] {
    let above = log_wealth_above(pairs, scores[0]);
    let below = log_wealth_above(pairs.flipped(), 1.0 - scores[1]);
    [above.exp(), below.exp()]
}

/// The smallest mean that the bettor on higher means has not excluded.
fn edge(pairs: Pentanomial, bound: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // A mean of 0 is excluded as soon as there is a point.
    if pairs.counts[1..].iter().all(|n| *n == 0) {
        return 0.0;
    }
    // To a millionth of a point.
    for _ in 0..22 {
        let middle = 0.5 * (low + high);
        if log_wealth_above(pairs, middle) >= bound { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_contains_the_mean_and_shrinks_with_more_pairs() {
        let mut width = f64::INFINITY;
        for factor in [1, 10, 100, 1000] {
            let pairs = Pentanomial::new([3, 20, 50, 25, 2].map(|n| n * factor));
            let interval = ConfidenceSequence::of_pairs(pairs);
            assert!(interval.low < 5.2 && 5.2 < interval.high, "{interval:?}");
            assert!(interval.width() < width / 2.0, "{interval:?}");
            width = interval.width();
        }
    }

    #[test]
    fn both_views_mirror_each_other() {
        let pairs = Pentanomial::new([3, 10, 21, 14, 7]);
        let ours = ConfidenceSequence::of_pairs(pairs);
        let theirs = ConfidenceSequence::of_pairs(pairs.flipped());
        assert!((ours.low + theirs.high).abs() < 1e-6 && (ours.high + theirs.low).abs() < 1e-6);
    }

    #[test]
    fn few_or_equal_pairs_leave_the_ends_open() {
        let none = ConfidenceSequence::of_pairs(Pentanomial::default());
        assert_eq!((none.low, none.high), (f64::NEG_INFINITY, f64::INFINITY));
        let won = ConfidenceSequence::of_pairs(Pentanomial::new([0, 0, 0, 0, 40]));
        assert!(won.low > 200.0 && won.high == f64::INFINITY, "{won:?}");
        let drawn = ConfidenceSequence::of_pairs(Pentanomial::new([0, 0, 40, 0, 0]));
        assert!(drawn.low < -20.0 && drawn.high > 20.0, "{drawn:?}");
    }

    /// The ends are the means at which the wealth reaches 2 / alpha.
    #[test]
    fn the_wealth_at_the_lower_end_is_the_bound() {
        let pairs = Pentanomial::new([30, 200, 500, 250, 20]);
        let low = crate::score_from_elo(ConfidenceSequence::of_pairs(pairs).low);
        let [wealth, _] = e_values(pairs, [low, 0.5]);
        assert!((wealth / 40.0 - 1.0).abs() < 0.01, "{wealth}");
    }
}
