//! Elo differences from counted results, with their uncertainty.
//!
//! All estimates start from a [`Spread`], the mean and variance of the score of a sample (a game or
//! a pair), so pairs and single games share the same code. Intervals are normal approximations on
//! the score, mapped to Elo. If all samples have the same score, the variance is unknown rather
//! than 0, and an exact interval is used instead ([`Elo::regularised`]): if the expected score is m,
//! all n samples score at least s with a probability of at most (m/s)^n (Markov), whatever their
//! distribution. For samples that were all won it is the interval of Clopper and Pearson.

use super::numerics::{Z95, normal_cdf};
use super::{Pentanomial, Wdl};
use std::f64::consts::LN_10;
use std::fmt;

/// Mean and variance of the score of one sample, as a fraction of the possible points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Mean score, from 0 to 1.
    pub mean: f64,
    /// Variance of one sample's score.
    pub variance: f64,
    /// Number of samples, at least 1.
    pub samples: u64,
    /// Games per sample: 1, or 2 for pairs.
    pub games_per_sample: u32,
}

/// An Elo difference with its 95% interval; any of the three may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Whether all samples had the same score, so that the interval is the exact one for equal samples
    /// instead of one from a measured variance.
    pub regularised: bool,
}

impl Elo {
    /// The same difference from the other engine's side.
    #[must_use]
    pub fn mirrored(self) -> Elo {
        Elo { value: -self.value, low: -self.high, high: -self.low, ..self }
    }
}

/// The logistic Elo difference that makes `score` (0 to 1) the expected score; infinite at the
/// ends.
pub fn elo_from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score at a logistic Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Spread {
    /// The spread of samples that scored 0, 1, ... `counts.len() - 1` equal parts; `None` if empty.
    fn of_counts(counts: &[u64], games_per_sample: u32) -> Option<Spread> {
        let samples: u64 = counts.iter().sum();
        if samples == 0 {
            return None;
        }
        let top = (counts.len() - 1) as f64;
        let moment = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 =
                counts.iter().zip(0u32..).map(|(&n, i)| n as f64 * f(f64::from(i) / top)).sum();
            sum / samples as f64
        };
        let mean = moment(&|a| a);
        let variance = moment(&|a| (a - mean) * (a - mean));
        Some(Spread { mean, variance, samples, games_per_sample })
    }

    /// The spread of single games; `None` without games.
    pub fn of_games(wdl: Wdl) -> Option<Spread> {
        Spread::of_counts(&[wdl.losses, wdl.draws, wdl.wins], 1)
    }

    /// The spread of complete pairs; `None` without pairs.
    pub fn of_pairs(pairs: Pentanomial) -> Option<Spread> {
        Spread::of_counts(&pairs.counts, 2)
    }

    /// Whether all samples had the same score.
    fn is_degenerate(&self) -> bool {
        self.variance <= 0.0
    }

    /// Standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.samples as f64).sqrt()
    }

    /// The logistic Elo difference.
    pub fn elo(&self) -> Elo {
        let regularised = self.is_degenerate();
        let (low, high) = if regularised {
            // Each end is missed with a probability of at most 2.5%.
            let share = 0.025f64.powf(1.0 / self.samples as f64);
            (self.mean * share, 1.0 - (1.0 - self.mean) * share)
        } else {
            let half = Z95 * self.standard_error();
            (self.mean - half, self.mean + half)
        };
        // Rounding may move an end past the estimate; the interval must contain the estimate.
        Elo {
            value: elo_from_score(self.mean),
            low: elo_from_score(low.min(self.mean)),
            high: elo_from_score(high.max(self.mean)),
            regularised,
        }
    }

    /// The normalised Elo difference: the mean over the standard deviation of a game, times
    /// 800/ln 10, so that near equality it equals logistic Elo for games of maximum variance (Van den
    /// Bergh, "Normalized Elo"). `None` if the variance is unknown.
    pub fn normalised_elo(&self) -> Option<Elo> {
        if self.is_degenerate() {
            return None;
        }
        let games = f64::from(self.games_per_sample);
        let scale = 800.0 / LN_10;
        let value = scale * (self.mean - 0.5) / (self.variance * games).sqrt();
        let half = scale * Z95 / (self.samples as f64 * games).sqrt();
        Some(Elo { value, low: value - half, high: value + half, regularised: false })
    }

    /// The likelihood of superiority (LOS): the probability that the expected score exceeds 1/2. If
    /// the same side is ahead by the same score in all samples, it is the posterior under a uniform
    /// prior, 1 - 2^-(n+1), because the normal approximation would give certainty.
    pub fn los(&self) -> f64 {
        if !self.is_degenerate() {
            return normal_cdf((self.mean - 0.5) / self.standard_error());
        }
        let doubt = 0.5f64.powf(self.samples as f64 + 1.0);
        match self.mean.partial_cmp(&0.5) {
            Some(std::cmp::Ordering::Greater) => 1.0 - doubt,
            Some(std::cmp::Ordering::Less) => doubt,
            _ => 0.5,
        }
    }
}

impl Elo {
    /// The difference from the opponent's point of view.
    #[must_use]
    pub fn flipped(self) -> Elo {
        Elo { value: -self.value, low: -self.high, high: -self.low, ..self }
    }
}

/// Formats `+12.3`, `-0.4`, `+inf`.
fn signed(x: f64) -> String {
    if x.is_infinite() {
        return if x > 0.0 { "+inf".into() } else { "-inf".into() };
    }
    let x = if x.abs() < 0.05 { 0.0 } else { x };
    format!("{x:+.1}")
}

impl fmt::Display for Elo {
    /// Formats `+12.3 [+1.0, +23.6]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}, {}]", signed(self.value), signed(self.low), signed(self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b} within {within}");
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-800.0, -12.5, 0.0, 1.0, 400.0] {
            close(elo_from_score(score_from_elo(elo)), elo, 1e-9);
        }
        close(score_from_elo(400.0), 10.0 / 11.0, 1e-15);
        assert_eq!(elo_from_score(1.0), f64::INFINITY);
        assert_eq!(elo_from_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn single_games_give_the_figures_that_fastchess_publishes() {
        // Worked examples of fastchess's test suite (app/tests/elo_test.cpp), with its tolerance of
        // 1%.
        let s = Spread::of_games(Wdl::new(136, 111, 96)).unwrap();
        close(s.elo().value, 40.70, 0.01);
        close((s.elo().high - s.elo().low) / 2.0, 30.43, 0.1);
        let n = s.normalised_elo().unwrap();
        close(n.value, 49.77, 0.01);
        close(n.high - n.value, 36.77, 0.01);
        close(s.los(), 0.9960, 5e-5);
        let s = Spread::of_games(Wdl::new(76, 123, 89)).unwrap();
        close(s.normalised_elo().unwrap().value, -20.76, 0.01);
        close(s.los(), 0.1553, 5e-5);
    }

    #[test]
    fn pairs_give_the_figures_that_fastchess_publishes() {
        let s = Spread::of_pairs(Pentanomial::new([34, 54, 31 + 32, 64, 75])).unwrap();
        close(s.elo().value, 55.58, 0.01);
        close((s.elo().high - s.elo().low) / 2.0, 27.65, 0.1);
        let n = s.normalised_elo().unwrap();
        close(n.value, 57.94, 0.01);
        close(n.high - n.value, 28.28, 0.01);
        let s = Spread::of_pairs(Pentanomial::new([332, 433, 457 + 41, 333, 334])).unwrap();
        close(s.elo().value, -8.64, 0.01);
        close(s.normalised_elo().unwrap().value, -9.17, 0.01);
        close(s.los(), 0.0505, 5e-5);
    }

    #[test]
    fn opposite_views_mirror_each_other() {
        let p = Pentanomial::new([3, 10, 21, 14, 7]);
        let (a, b) = (Spread::of_pairs(p).unwrap(), Spread::of_pairs(p.flipped()).unwrap());
        close(a.elo().value, -b.elo().value, 1e-9);
        close(a.elo().low, -b.elo().high, 1e-9);
        close(a.los() + b.los(), 1.0, 1e-12);
    }

    #[test]
    fn all_wins_are_infinite_elo_with_a_finite_lower_end() {
        let s = Spread::of_games(Wdl::new(10, 0, 0)).unwrap();
        let e = s.elo();
        assert!(e.regularised);
        assert_eq!((e.value, e.high), (f64::INFINITY, f64::INFINITY));
        // The lower end of Clopper and Pearson for 10 of 10 is 0.025^(1/10).
        close(e.low, elo_from_score(0.025f64.powf(0.1)), 1e-9);
        assert_eq!(s.normalised_elo(), None);
        close(s.los(), 1.0 - 1.0 / 2048.0, 1e-15);
        assert_eq!(e.to_string(), "+inf [+140.2, +inf]");
    }

    /// Who may look at any time pays for it: that interval contains the one for a fixed number of pairs.
    #[test]
    fn the_interval_that_always_holds_contains_the_fixed_one() {
        let mut grid = Vec::new();
        for n in [1, 2, 10, 500, 20_000] {
            grid.extend((0..5).map(|class| {
                let mut counts = [0; 5];
                counts[class] = n;
                counts
            }));
        }
        for shape in [[1, 2, 4, 2, 1], [0, 1, 40, 2, 0], [5, 0, 0, 0, 7], [0, 0, 99, 1, 0]] {
            grid.extend([10, 100, 1000].map(|n| shape.map(|x| n * x)));
        }
        for counts in grid {
            let pairs = Pentanomial::new(counts);
            let fixed = Spread::of_pairs(pairs).unwrap().elo();
            let always = crate::ConfidenceSequence::of_pairs(pairs);
            // The ends of the sequence are searched to a millionth of a point.
            let room = 1e-3;
            assert!(
                always.low <= fixed.low + room && fixed.high <= always.high + room,
                "{counts:?}: {fixed}, at all times {always:?}"
            );
        }
    }

    #[test]
    fn balanced_results_never_claim_an_advantage() {
        let all_split = Spread::of_pairs(Pentanomial::new([0, 0, 40, 0, 0])).unwrap();
        assert!(all_split.elo().regularised);
        assert_eq!(all_split.elo().value, 0.0);
        assert!(all_split.elo().low < -30.0 && all_split.elo().high > 30.0);
        assert_eq!(all_split.los(), 0.5);
        assert_eq!(Spread::of_games(Wdl::default()), None);
    }
}
