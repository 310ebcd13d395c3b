//! The generalised sequential probability ratio test on pairs (pentanomial) or single games
//! (trinomial), for hypotheses stated in logistic or normalised Elo.
//!
//! The log-likelihood ratio is exact for the multinomial: each hypothesis is represented by the
//! distribution that satisfies it and maximises the likelihood of the observed counts (Van den
//! Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo"). Classes
//! without observations count as a thousandth of a sample, as in fishtest.

use super::numerics::line;
use super::{Pentanomial, Wdl, score_from_elo};
use std::f64::consts::{LN_10, SQRT_2};

/// The scale on which hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EloModel {
    /// Expected score, mapped to Elo.
    Logistic,
    /// Expected score over its standard deviation per game, mapped to Elo.
    Normalised,
}

/// A test of H0: Elo is `elo0` against H1: Elo is `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
}

/// Error: invalid parameters of a test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller, both finite")]
    Hypotheses {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// A test by betting with another scale or other samples.
    #[error("a test by betting needs pairs of games and hypotheses in logistic Elo")]
    Betting,
    /// The error probabilities are out of range.
    #[error("alpha is {alpha} and beta is {beta}: both must be above 0 and their sum below 1")]
    Errors {
        /// As given.
        alpha: f64,
        /// As given.
        beta: f64,
    },
}

/// The verdict so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// H1 accepted.
    Accepted,
    /// H0 accepted.
    Rejected,
    /// The difference is measured as precisely as was required.
    Measured,
    /// More games are needed.
    Undecided,
}

/// A test's state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this value.
    pub lower: f64,
    /// H1 is accepted at or above this value.
    pub upper: f64,
    /// The resulting verdict.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// Creates a test that accepts H1 under H0 with a probability of about `alpha`, and H0 under H1
    /// with about `beta` (Wald's bounds).
    pub fn new(
        model: EloModel,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        Ok(Sprt { model, elo0, elo1, lower, upper })
    }

    /// The state after these pairs.
    pub fn of_pairs(&self, pairs: Pentanomial) -> SprtState {
        self.state(self.llr(&pairs.counts, 2))
    }

    /// The state after these games, counted singly.
    pub fn of_games(&self, wdl: Wdl) -> SprtState {
        self.state(self.llr(&[wdl.losses, wdl.draws, wdl.wins], 1))
    }

    fn state(&self, llr: f64) -> SprtState {
        let verdict = if llr >= self.upper {
            SprtVerdict::Accepted
        } else if llr <= self.lower {
            SprtVerdict::Rejected
        } else {
            SprtVerdict::Undecided
        };
        SprtState { llr, lower: self.lower, upper: self.upper, verdict }
    }

    fn llr(&self, counts: &[u64], games_per_sample: u32) -> f64 {
        if counts.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let (observed, ratios) = self.ratios(counts, games_per_sample);
        let sum: f64 = observed.weights.iter().zip(&ratios).map(|(w, ratio)| w * ratio).sum();
        counts.iter().map(|&n| seen(n)).sum::<f64>() * sum
    }

    /// The total scores, in samples won, between which the test continues after `n` samples, for samples
    /// distributed like those of `counts`: the LLR as a linear function of the total score.
    pub fn region(
        &self,
        counts: &[u64],
        games_per_sample: u32,
    ) -> impl Fn(u64) -> [f64; 2] + use<> {
        let (observed, ratios) = self.ratios(counts, games_per_sample);
        let [constant, slope] = line(&observed.values, &observed.weights, &ratios);
        let bounds = [self.lower, self.upper];
        move |n| bounds.map(|bound| (bound - n as f64 * constant) / slope)
    }

    /// The observed distribution, and the log-likelihood ratio of H1 to H0 of each class.
    fn ratios(&self, counts: &[u64], games_per_sample: u32) -> (Distribution, Vec<f64>) {
        let seen: Vec<f64> = counts.iter().map(|&n| seen(n)).collect();
        let total: f64 = seen.iter().sum();
        let top = (counts.len() - 1) as f64;
        let observed = Distribution {
            values: (0..counts.len()).map(|i| i as f64 / top).collect(),
            weights: seen.iter().map(|n| n / total).collect(),
        };
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => observed.likeliest_with_mean(score_from_elo(elo)),
            EloModel::Normalised => {
                let per_game = elo * LN_10 / 800.0;
                let per_sample = if games_per_sample == 2 { SQRT_2 * per_game } else { per_game };
                observed.likeliest_with_t_value(per_sample)
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratios = p0.iter().zip(&p1).map(|(p0, p1)| (p1 / p0).ln()).collect();
        (observed, ratios)
    }
}

/// The weight of a class: classes without observations count as a thousandth of a sample.
fn seen(count: u64) -> f64 {
    if count == 0 { 1e-3 } else { count as f64 }
}

/// Observed relative frequencies of the possible values of a sample.
struct Distribution {
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl Distribution {
    /// The distribution with this mean that maximises the likelihood of the observations:
    /// p_i / (1 + x (a_i - mean)), where the mean determines x.
    fn likeliest_with_mean(&self, mean: f64) -> Vec<f64> {
        let offsets: Vec<f64> = self.values.iter().map(|a| a - mean).collect();
        tilt(&self.weights, &offsets)
    }

    /// The same with (mean - 1/2) / standard deviation = `t`.
    fn likeliest_with_t_value(&self, t: f64) -> Vec<f64> {
        if t < 0.0 {
            let mut p = self.flipped().likeliest_with_t_value(-t);
            p.reverse();
            return p;
        }
        if self.reaches(&self.weights, t) {
            // The distributions with a smaller t-value are a convex set, so the maximum is unique.
            return self.climb(self.weights.clone(), t);
        }
        // There may be several local maxima: one is sought from the side of each class above 1/2.
        let above = (0..self.values.len()).filter(|&class| self.values[class] > 0.5);
        let found = above.map(|class| self.climb(self.moved_towards(class, t), t));
        let likelihood =
            |p: &Vec<f64>| -> f64 { self.weights.iter().zip(p).map(|(w, p)| w * p.ln()).sum() };
        found.max_by(|p, q| likelihood(p).total_cmp(&likelihood(q))).unwrap_or_default()
    }

    /// The observations seen from the other side.
    fn flipped(&self) -> Distribution {
        Distribution {
            values: self.values.iter().rev().map(|a| 1.0 - a).collect(),
            weights: self.weights.iter().rev().copied().collect(),
        }
    }

    /// The observed distribution, mixed with as little of one class as makes its t-value at least `t`.
    fn moved_towards(&self, class: usize, t: f64) -> Vec<f64> {
        let mixed = |share: f64| -> Vec<f64> {
            let one =
                |(i, w): (usize, &f64)| (1.0 - share) * w + if i == class { share } else { 0.0 };
            self.weights.iter().enumerate().map(one).collect()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if self.reaches(&mixed(middle), t) { high = middle } else { low = middle }
        }
        mixed(high)
    }

    /// Whether the t-value of a distribution is at least `t`.
    fn reaches(&self, p: &[f64], t: f64) -> bool {
        let [mean, sigma] = self.moments(p);
        mean - 0.5 >= t * sigma
    }

    /// Mean and standard deviation.
    fn moments(&self, p: &[f64]) -> [f64; 2] {
        let mean: f64 = p.iter().zip(&self.values).map(|(p, a)| p * a).sum();
        let variance: f64 =
            p.iter().zip(&self.values).map(|(p, a)| p * (a - mean) * (a - mean)).sum();
        [mean, variance.sqrt()]
    }

    /// Goes to the likeliest distribution with the t-value `t` from one whose t-value is at least `t`.
    ///
    /// For any s and m, the standard deviation is at most (s + E(a - m)^2 / s) / 2, with equality at
    /// its own value and the mean. With s and m of the last distribution the condition becomes one on a
    /// mean, and every distribution on the way has a t-value of at least `t`, so that the offsets lie on
    /// both sides of 0.
    fn climb(&self, mut p: Vec<f64>, t: f64) -> Vec<f64> {
        for _ in 0..1000 {
            let [mean, sigma] = self.moments(&p);
            let bent: Vec<f64> = self
                .values
                .iter()
                .map(|a| {
                    let z = (mean - a) / sigma;
                    a - 0.5 - t * sigma * (1.0 + z * z) / 2.0
                })
                .collect();
            let next = tilt(&self.weights, &bent);
            let step = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            p = next;
            if step < 1e-12 {
                break;
            }
        }
        p
    }
}

/// The weights w_i / (1 + x o_i) whose mean offset is 0. The offsets must lie on both sides of 0.
/// The mean offset decreases in x. Newton's method finds x, with bisection where a step would leave
/// the remaining interval.
fn tilt(weights: &[f64], offsets: &[f64]) -> Vec<f64> {
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut mean_offset, mut fall) = (0.0, 0.0);
        for (w, o) in weights.iter().zip(offsets) {
            let share = o / (1.0 + x * o);
            mean_offset += w * share;
            fall += w * share * share;
        }
        if mean_offset > 0.0 {
            low = x
        } else {
            high = x
        }
        let step = mean_offset / fall;
        let next = x + step;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let converged = (next - x).abs() <= 1e-15 * (1.0 + x.abs());
        x = next;
        if converged {
            break;
        }
    }
    weights.iter().zip(offsets).map(|(w, o)| w / (1.0 + x * o)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap()
    }

    fn close(llr: f64, published: f64) {
        assert!((llr - published).abs() < 0.006, "{llr} is not {published}");
    }

    // The expected values are worked examples of fastchess's test suite (app/tests/sprt_test.cpp),
    // which gives them to two places.

    #[test]
    fn pairs_give_the_published_ratios() {
        let n = |e0, e1, c| sprt(EloModel::Normalised, e0, e1).of_pairs(Pentanomial::new(c)).llr;
        close(n(0.0, 2.0, [365, 16618, 36229, 16974, 390]), 2.25);
        close(n(-1.75, 0.25, [127, 4883, 10712, 5150, 104]), 3.01);
        let l = |e0, e1, c| sprt(EloModel::Logistic, e0, e1).of_pairs(Pentanomial::new(c)).llr;
        close(l(0.5, 2.5, [223, 9863, 21279, 10037, 246]), -3.07);
        close(l(0.0, 2.0, [871, 26175, 55983, 26678, 821]), -4.98);
    }

    #[test]
    fn single_games_give_the_published_ratios() {
        let n = |e0, e1, w| sprt(EloModel::Normalised, e0, e1).of_games(w).llr;
        close(n(0.0, 2.0, Wdl::new(36433, 68692, 36027)), 0.92);
        close(n(-1.75, 0.25, Wdl::new(10871, 20431, 10650)), 2.30);
        let l = |e0, e1, w| sprt(EloModel::Logistic, e0, e1).of_games(w).llr;
        close(l(0.5, 2.5, Wdl::new(21404, 40708, 21184)), -1.57);
        close(l(0.0, 2.0, Wdl::new(57433, 106_593, 57030)), -2.59);
    }

    #[test]
    fn one_sided_counts_give_the_ratio_that_can_be_worked_out_by_hand() {
        let test = sprt(EloModel::Normalised, 0.0, 5.0);
        let t = 5.0 * LN_10 / 800.0 * SQRT_2;
        // Only double wins: each hypothesis puts the maximum q on them and 1 - q on double losses,
        // with (q - 1/2) / sqrt(q (1 - q)) = t.
        let q = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
        let llr = test.of_pairs(Pentanomial::new([0, 0, 0, 0, 104])).llr;
        assert!((llr - 104.0 * (2.0 * q).ln()).abs() < 0.01, "{llr}");
        // Only split pairs: H1 must move e off the middle, with sqrt(e / (1 - e)) = t.
        let llr = test.of_pairs(Pentanomial::new([0, 0, 9000, 0, 0])).llr;
        assert!((llr + 9000.0 * (1.0 + t * t).ln()).abs() < 0.02, "{llr}");
    }

    /// Fixed counts from nothing to one-sided, and hypotheses up to 1,500 Elo.
    fn extremes() -> impl Iterator<Item = ([u64; 5], f64)> {
        let counts = [
            [0, 0, 60, 0, 0],
            [10, 20, 30, 20, 10],
            [144, 3, 1, 0, 0],
            [0, 0, 0, 0, 7],
            [1, 0, 0, 0, 1],
            [0, 50, 0, 1, 0],
            [3, 0, 900, 0, 2],
        ];
        let elos = [-1500.0, -700.0, -240.0, -231.0, -20.0, 0.0, 1.0, 100.0, 232.0, 300.0, 900.0];
        counts.into_iter().flat_map(move |c| elos.into_iter().map(move |elo| (c, elo)))
    }

    #[test]
    fn normalised_ratios_are_finite_and_monotone_beyond_the_observed_score() {
        for (counts, elo0) in extremes() {
            let mut last = f64::INFINITY;
            for step in 1..40 {
                let elo1 = elo0 + 25.0 * f64::from(step);
                let llr = sprt(EloModel::Normalised, elo0, elo1).of_pairs(Pentanomial::new(counts));
                assert!(llr.llr.is_finite(), "{counts:?} {elo0} {elo1}: {}", llr.llr);
                let spread = crate::Spread::of_pairs(Pentanomial::new(counts)).unwrap();
                if spread.normalised_elo().is_some_and(|elo| elo.value < elo1 - 25.0) {
                    assert!(llr.llr < last, "{counts:?} {elo0} {elo1}: {} {last}", llr.llr);
                }
                last = llr.llr;
            }
        }
        // Between the values for 230 and 250 Elo that the iteration before this one found.
        let drawn = sprt(EloModel::Normalised, 0.0, 240.0);
        let t = 240.0 * LN_10 / 800.0 * SQRT_2;
        let llr = drawn.of_pairs(Pentanomial::new([0, 0, 60, 0, 0])).llr;
        assert!((llr + 60.0 * (1.0 + t * t).ln()).abs() < 0.2, "{llr}");
    }

    /// Single games: with d draws, (win + loss) / 2 is fixed, and the t-value gives win - loss. So the
    /// maximum is that of a function of d.
    #[test]
    fn single_games_have_the_maximum_that_a_scan_over_draws_finds() {
        for (counts, elo) in [
            ([20u64, 30, 40], 150.0),
            ([0, 90, 0], 400.0),
            ([500, 10, 3], 350.0),
            ([1, 0, 30], -600.0),
            ([7, 1, 0], 900.0),
        ] {
            let t = elo * LN_10 / 800.0;
            let of_draws = |d: f64| {
                let lead = t * ((1.0 - d) / (1.0 + t * t)).sqrt();
                let p = [(1.0 - d - lead) / 2.0, d, (1.0 - d + lead) / 2.0];
                p.iter().zip(counts).map(|(p, n)| seen(n) * p.max(0.0).ln()).sum::<f64>()
            };
            let scan = (1..200_000).map(|i| of_draws(f64::from(i) / 2e5)).fold(f64::MIN, f64::max);
            let total: f64 = counts.iter().map(|&n| seen(n)).sum();
            let weights = counts.iter().map(|&n| seen(n) / total).collect();
            let observed = Distribution { values: vec![0.0, 0.5, 1.0], weights };
            let p = observed.likeliest_with_t_value(t);
            let found: f64 = p.iter().zip(counts).map(|(p, n)| seen(n) * p.ln()).sum();
            assert!(found > scan - 1e-6 && found < scan + 1e-2, "{counts:?} {elo}: {found} {scan}");
        }
    }

    /// Whatever other distribution with the same t-value is tried, none is likelier.
    #[test]
    fn no_other_distribution_with_the_t_value_is_likelier() {
        use agon_games::rng;
        let mut random = rng::stream(11, 0, "test");
        let mut unit = move || rng::below(&mut random, 1 << 30) as f64 / f64::from(1 << 30);
        for (counts, elo) in extremes().filter(|(_, elo)| *elo >= 0.0) {
            let t = elo * LN_10 / 800.0 * SQRT_2;
            let total: f64 = counts.iter().map(|&n| seen(n)).sum();
            let weights = counts.iter().map(|&n| seen(n) / total).collect();
            let observed = Distribution { values: vec![0.0, 0.25, 0.5, 0.75, 1.0], weights };
            let best = observed.likeliest_with_t_value(t);
            let [mean, sigma] = observed.moments(&best);
            assert!((mean - 0.5 - t * sigma).abs() < 1e-9, "{counts:?} {elo}: {best:?}");
            let likelihood = |p: &[f64]| -> f64 {
                observed.weights.iter().zip(p).map(|(w, p)| w * p.ln()).sum()
            };
            for _ in 0..300 {
                let size = 3f64.powi(-((unit() * 8.0) as i32));
                let shape: Vec<f64> =
                    best.iter().map(|p| p * (size * (8.0 * unit() - 4.0)).exp()).collect();
                let sum: f64 = shape.iter().sum();
                let weights: Vec<f64> = shape.iter().map(|p| p / sum).collect();
                let values = observed.values.clone();
                let other = Distribution { values, weights };
                // On the border of the condition, by mixing in a class from the side that is needed.
                let [mean, sigma] = other.moments(&other.weights);
                let tried = if mean - 0.5 < t * sigma {
                    other.moved_towards(if unit() < 0.5 { 3 } else { 4 }, t)
                } else {
                    continue;
                };
                let (tried, most) = (likelihood(&tried), likelihood(&best));
                assert!(tried <= most + 1e-9, "{counts:?} {elo}: {tried} {most}");
            }
        }
    }

    #[test]
    fn exchanging_the_players_and_the_hypotheses_negates_the_ratio() {
        let pairs = Pentanomial::new([11, 40, 90, 52, 9]);
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let ours = sprt(model, -3.0, 7.0).of_pairs(pairs).llr;
            let theirs = sprt(model, -7.0, 3.0).of_pairs(pairs.flipped()).llr;
            assert!((ours + theirs).abs() < 1e-9, "{ours} {theirs}");
        }
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let test = sprt(EloModel::Logistic, 0.0, 20.0);
        assert_eq!(test.of_pairs(Pentanomial::default()).verdict, SprtVerdict::Undecided);
        assert_eq!(test.of_pairs(Pentanomial::default()).llr, 0.0);
        let strong = Pentanomial::new([5, 60, 300, 160, 40]);
        assert_eq!(test.of_pairs(strong).verdict, SprtVerdict::Accepted);
        assert_eq!(test.of_pairs(strong.flipped()).verdict, SprtVerdict::Rejected);
        assert!((test.of_pairs(strong).upper - 19f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn hypotheses_and_errors_out_of_order_are_refused() {
        assert!(Sprt::new(EloModel::Logistic, 5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(EloModel::Logistic, f64::NAN, 5.0, 0.05, 0.05).is_err());
        let message = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.5, 0.6).unwrap_err().to_string();
        assert!(message.contains("alpha is 0.5"), "{message}");
    }
}
