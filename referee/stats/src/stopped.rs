//! The Elo difference after a test that stopped early: a median-unbiased estimate and an interval.
//!
//! A test that stops because its score is extreme reports an extreme score, so the mean score is biased
//! and a fixed-sample interval covers too rarely. Here the outcomes of the test are ordered stagewise
//! (Armitage 1957; Siegmund, "Sequential Analysis", 1985, section 4.5): stopping at the upper bound is
//! above not stopping, which is above stopping at the lower bound; at the upper bound an earlier stop is
//! higher, at the lower bound a later one. The probability of an outcome at least as high as the observed
//! one increases with the true Elo. It is 1/2 at the estimate and 2.5% and 97.5% at the interval's ends.
//!
//! The probabilities are computed, not simulated: the total score of the pairs is a random walk on a
//! lattice, and its distribution is carried forward pair by pair within the test's bounds. The walk uses
//! the observed distribution of a pair's score, tilted exponentially to other means; the likelihood ratio
//! of two tilts depends only on the final score and the number of pairs, so one pass serves all means.

use super::{Elo, elo_from_score};

/// Pseudo-counts of each class, so that classes not seen are possible.
const PSEUDO_COUNT: f64 = 0.2;
/// The greatest tilt of a class against the next one; beyond it the interval is open.
const MAX_TILT: f64 = 60.0;
/// Probabilities below this one are dropped: their likelihood ratios could overflow.
const NEGLIGIBLE: f64 = 1e-280;

/// An Elo difference with a 95% interval, and how they were computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Value and interval.
    pub elo: Elo,
    /// What the interval is.
    pub method: TestMethod,
}

/// How an estimate was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestMethod {
    /// After a sequential test: stagewise ordering of its outcomes.
    Stagewise,
    /// The mean score with the confidence sequence.
    ConfidenceSequence,
    /// The mean score with the interval of a fixed number of samples.
    FixedSample,
}

impl TestMethod {
    /// The method in words.
    pub fn name(self) -> &'static str {
        match self {
            TestMethod::Stagewise => {
                "median-unbiased, interval valid after stopping (stagewise ordering)"
            }
            TestMethod::ConfidenceSequence => {
                "mean, interval valid at all times (confidence sequence)"
            }
            TestMethod::FixedSample => "mean, interval for a fixed number of games",
        }
    }

    /// The method's name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            TestMethod::Stagewise => "stagewise",
            TestMethod::ConfidenceSequence => "confidence_sequence",
            TestMethod::FixedSample => "fixed_sample",
        }
    }
}

/// Where a test stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoppedAt {
    /// At the upper bound, or undecided after the last sample.
    UpperOrOpen,
    /// At the lower bound.
    Lower,
}

/// The distribution of one sample's score on the lattice 0, 1, ... half points.
#[derive(Clone, Debug)]
pub struct Steps {
    /// Probabilities of the classes.
    pub weights: Vec<f64>,
    samples: u64,
    /// The sum of the observed half points.
    points: i64,
}

impl Steps {
    /// From the counts of the classes, worst first.
    pub fn new(counts: &[u64]) -> Steps {
        let samples: u64 = counts.iter().sum();
        let total = samples as f64 + PSEUDO_COUNT * counts.len() as f64;
        Steps {
            weights: counts.iter().map(|&n| (n as f64 + PSEUDO_COUNT) / total).collect(),
            samples,
            points: counts.iter().zip(0i64..).map(|(&n, i)| n as i64 * i).sum(),
        }
    }

    fn top(&self) -> i64 {
        self.weights.len() as i64 - 1
    }

    /// ln of the moment generating function, and the mean score (0 to 1), at a tilt.
    fn tilted(&self, tilt: f64) -> (f64, f64) {
        // Relative to the class that dominates, so that nothing overflows.
        let most = if tilt > 0.0 { tilt * self.top() as f64 } else { 0.0 };
        let (mut sum, mut points) = (0.0, 0.0);
        for (i, weight) in self.weights.iter().enumerate() {
            let weight = weight * (tilt * i as f64 - most).exp();
            sum += weight;
            points += weight * i as f64;
        }
        (sum.ln() + most, points / sum / self.top() as f64)
    }
}

/// The probabilities of outcomes beyond the observed one, under the observed distribution.
struct Outcomes {
    steps: Steps,
    stop: StoppedAt,
    /// Samples, half points and probability of each outcome strictly beyond the observed one.
    beyond: Vec<(u64, i64, f64)>,
    /// Probability of the observed outcome.
    here: f64,
}

impl Outcomes {
    /// `region(n)` has the total scores, in samples won, between which the test continues after `n` samples.
    fn new(steps: Steps, stop: StoppedAt, region: impl Fn(u64) -> [f64; 2]) -> Outcomes {
        let top = steps.top();
        let mut beyond = Vec::new();
        // `mass[i]` is the probability of `start + i` half points without a stop.
        let (mut start, mut mass) = (0i64, vec![1.0]);
        let mut next: Vec<f64> = Vec::new();
        for n in 1..=steps.samples {
            next.clear();
            next.resize(mass.len() + top as usize, 0.0);
            for (i, weight) in steps.weights.iter().enumerate() {
                for (to, from) in next[i..].iter_mut().zip(&mass) {
                    *to += weight * from;
                }
            }
            if n == steps.samples {
                mass = next;
                break;
            }
            let [low, high] = region(n).map(|points| points * top as f64);
            // The half points strictly between the bounds.
            let first = (low.max(-1.0).floor() as i64 + 1 - start).clamp(0, next.len() as i64);
            let end = (high.min((n as f64 + 1.0) * top as f64).ceil() as i64 - start)
                .clamp(first, next.len() as i64);
            let (first, end) = (first as usize, end as usize);
            let gone = match stop {
                StoppedAt::UpperOrOpen => end..next.len(),
                StoppedAt::Lower => 0..first,
            };
            beyond.extend(
                gone.filter(|i| next[*i] > NEGLIGIBLE).map(|i| (n, start + i as i64, next[i])),
            );
            mass.clear();
            mass.extend_from_slice(&next[first..end]);
            start += first as i64;
        }
        let mut here = 0.0;
        for (i, &p) in mass.iter().enumerate().filter(|(_, p)| **p > NEGLIGIBLE) {
            let points = start + i as i64;
            let is_beyond = match stop {
                StoppedAt::UpperOrOpen => points > steps.points,
                StoppedAt::Lower => points < steps.points,
            };
            if points == steps.points {
                here = p;
            } else if is_beyond {
                beyond.push((steps.samples, points, p));
            }
        }
        Outcomes { steps, stop, beyond, here }
    }

    /// The probability, at a tilt, of an outcome above the observed one plus `share` of its own.
    fn above(&self, tilt: f64, share: f64) -> f64 {
        let (log_moment, _) = self.steps.tilted(tilt);
        let weight = |n: u64, points: i64| (tilt * points as f64 - n as f64 * log_moment).exp();
        let beyond: f64 = self.beyond.iter().map(|&(n, points, p)| p * weight(n, points)).sum();
        let here = self.here * weight(self.steps.samples, self.steps.points);
        match self.stop {
            StoppedAt::UpperOrOpen => beyond + share * here,
            StoppedAt::Lower => 1.0 - beyond - (1.0 - share) * here,
        }
    }

    /// The Elo at which [`Outcomes::above`] is `level`; infinite if it is not reached.
    fn solve(&self, level: f64, share: f64) -> f64 {
        let excess = |tilt: f64| self.above(tilt, share) - level;
        let mut step = 1.0 / (self.steps.samples as f64).sqrt();
        let (mut low, mut high) = (0.0, 0.0);
        while excess(low) > 0.0 {
            high = low;
            low -= step;
            step *= 2.0;
            if low < -MAX_TILT {
                return f64::NEG_INFINITY;
            }
        }
        while high <= low || excess(high) < 0.0 {
            low = low.max(high);
            high = low + step;
            step *= 2.0;
            if high > MAX_TILT {
                return f64::INFINITY;
            }
        }
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { high = middle } else { low = middle }
        }
        elo_from_score(self.steps.tilted(0.5 * (low + high)).1)
    }
}

/// The median-unbiased estimate and the ends of the 95% interval, in Elo: [low, value, high].
///
/// `region(n)` has the total scores, in samples won, between which the test continues after `n` samples.
pub fn estimate(
    steps: Steps,
    stop: StoppedAt,
    region: impl Fn(u64) -> [f64; 2],
) -> Option<[f64; 3]> {
    if steps.samples == 0 {
        return None;
    }
    let outcomes = Outcomes::new(steps, stop, region);
    // The ends count the observed outcome in full, the estimate half: lattice outcomes have
    // probabilities of their own.
    let ends = [(0.025, 1.0), (0.5, 0.5), (0.975, 0.0)];
    Some(ends.map(|(level, share)| outcomes.solve(level, share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without bounds the number of samples is fixed, and the interval that of the mean.
    #[test]
    fn without_a_test_the_interval_is_nearly_the_fixed_one() {
        let counts = [30, 200, 500, 250, 20];
        let open = |_| [f64::NEG_INFINITY, f64::INFINITY];
        let [low, value, high] =
            estimate(Steps::new(&counts), StoppedAt::UpperOrOpen, open).unwrap();
        let fixed = crate::Spread::of_pairs(crate::Pentanomial::new(counts)).unwrap();
        let fixed = fixed.elo();
        for (a, b) in [(low, fixed.low), (value, fixed.value), (high, fixed.high)] {
            assert!((a - b).abs() < 0.3, "{low} {value} {high}, {fixed}");
        }
    }

    /// A fair walk that stops at a lead of one sample: P(stop at the upper bound) is known.
    #[test]
    fn a_gamblers_ruin_comes_out() {
        // 40 wins, 39 losses; after n samples it continues while |wins - losses| < 5.
        let counts = [37, 42];
        let region = |n: u64| [n as f64 / 2.0 - 2.5, n as f64 / 2.0 + 2.5];
        let outcomes = Outcomes::new(Steps::new(&counts), StoppedAt::UpperOrOpen, region);
        // By recursion over the lead with the same probabilities.
        let up = (42.0 + PSEUDO_COUNT) / (79.0 + 2.0 * PSEUDO_COUNT);
        let mut leads = [0.0; 11];
        leads[5] = 1.0;
        let mut beyond = 0.0;
        for n in 1..=79 {
            let mut next = [0.0; 11];
            for lead in 1..10 {
                next[lead + 1] += up * leads[lead];
                next[lead - 1] += (1.0 - up) * leads[lead];
            }
            if n < 79 {
                beyond += next[10];
            }
            leads = next;
        }
        assert!((outcomes.here - leads[10]).abs() < 1e-12, "{} {}", outcomes.here, leads[10]);
        assert!((outcomes.above(0.0, 0.0) - beyond).abs() < 1e-12);
    }

    #[test]
    fn an_early_stop_is_corrected_downwards_and_a_lost_match_has_an_open_end() {
        let region = |n: u64| [0.5 * n as f64 - 6.0, 0.5 * n as f64 + 6.0];
        let counts = [4, 12, 30, 22, 12];
        let steps = Steps::new(&counts);
        let mean = elo_from_score(steps.points as f64 / (4.0 * steps.samples as f64));
        let [low, value, high] = estimate(steps, StoppedAt::UpperOrOpen, region).unwrap();
        assert!(low < value && value < high && value < mean - 2.0, "{value} of {mean}");
        let lost = Steps::new(&[12, 0, 0, 0, 0]);
        let [low, value, high] = estimate(lost, StoppedAt::Lower, region).unwrap();
        assert!(low < -1000.0 && value < -300.0 && high < 0.0, "{low} {value} {high}");
    }

    #[test]
    fn both_views_mirror_each_other() {
        let region = |n: u64| [0.5 * n as f64 - 6.0, 0.5 * n as f64 + 6.0];
        let (ours, theirs) = ([4, 12, 30, 22, 12], [12, 22, 30, 12, 4]);
        let a = estimate(Steps::new(&ours), StoppedAt::UpperOrOpen, region).unwrap();
        let b = estimate(Steps::new(&theirs), StoppedAt::Lower, region).unwrap();
        for (x, y) in a.iter().zip(b.iter().rev()) {
            assert!((x + y).abs() < 1e-4, "{a:?} {b:?}");
        }
    }
}
