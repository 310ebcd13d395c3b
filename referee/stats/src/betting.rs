//! Tests by betting: wealth that can grow only if a hypothesis is false.
//!
//! A bettor starts with wealth 1. Before each pair it bets a predictable amount L against "the
//! expected score of a pair, given all earlier pairs, is at most m"; the pair's score x in [0, 1]
//! multiplies the wealth by 1 + L (x - m), which is never negative for 0 <= L <= 1/m. If the
//! hypothesis holds, the wealth is a nonnegative supermartingale, so by Ville's inequality the
//! probability that it *ever* reaches 1/alpha is at most alpha, however often one looks, whenever one
//! stops, and also if a stopped test is continued or machines are added. Nothing is assumed about
//! draws or the variance of a pair.
//!
//! Sources: J. Ville, "Étude critique de la notion de collectif" (1939); I. Waudby-Smith and A. Ramdas,
//! "Estimating means of bounded random variables by betting" (JRSS B 86, 2024), section 4; P. Grünwald,
//! R. de Heide and W. Koolen, "Safe testing" (JRSS B 86, 2024); A. Ramdas, P. Grünwald, V. Vovk and G.
//! Shafer, "Game-theoretic statistics and safe anytime-valid inference" (arXiv 2210.01948).

use super::numerics::{line, log_sum};
use super::score_from_elo;
use super::sprt::{SprtError, SprtVerdict};

/// The share of the starting wealth that bets on exactly the other hypothesis. The rest is divided
/// among bets on larger and larger effects, which find a broken build within few pairs.
const MAIN_SHARE: f64 = 0.9;
/// The largest share of the wealth that a bet may lose.
const MAX_STAKE: f64 = 0.99;
/// Prior of the variance of a pair's score, in pairs and in squared points.
const PRIOR_PAIRS: f64 = 8.0;
const PRIOR_VARIANCE: f64 = 0.0625;

/// A test of H0: Elo is at most `elo0` against H1: Elo is at least `elo1`, by betting against both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Betting {
    score0: f64,
    score1: f64,
    alpha: f64,
    beta: f64,
}

impl Betting {
    /// Creates a test that accepts H1 under H0 with a probability of at most `alpha`, and H0 under H1
    /// with at most `beta`. Differences are in logistic Elo.
    ///
    /// # Errors
    ///
    /// Fails unless `elo0 < elo1`, both finite, and both probabilities are between 0 and 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Betting, SprtError> {
        let (score0, score1) = (score_from_elo(elo0), score_from_elo(elo1));
        if !(elo0.is_finite()
            && elo1.is_finite()
            && 0.0 < score0
            && score0 < score1
            && score1 < 1.0)
        {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Betting { score0, score1, alpha, beta })
    }

    /// The bettors before the first pair.
    pub fn start(&self) -> Bettors {
        let effect = self.score1 - self.score0;
        Bettors {
            test: *self,
            against_h0: Bettor::new(self.score0, 1.0, effect),
            against_h1: Bettor::new(self.score1, -1.0, effect),
            pairs: 0.0,
            sum: 0.0,
            squares: 0.0,
        }
    }

    /// The logarithms of the bounds: H0 is accepted once the wealth against H1 is at least the first,
    /// H1 once the wealth against H0 is at least the second.
    pub fn bounds(&self) -> [f64; 2] {
        [-self.beta.ln(), -self.alpha.ln()]
    }
}

/// A mixture of bets against one hypothesis.
#[derive(Clone, PartialEq, Debug)]
struct Bettor {
    /// The hypothetical mean.
    mean: f64,
    /// 1: it bets on a higher mean, -1: on a lower one.
    sign: f64,
    /// The effects on which it bets, smallest first, and the logarithms of the wealth put on each.
    effects: Vec<(f64, f64)>,
}

impl Bettor {
    fn new(mean: f64, sign: f64, effect: f64) -> Bettor {
        let room = if sign > 0.0 { 1.0 - mean } else { mean };
        let mut larger: Vec<f64> =
            (1..).map(|k| effect * f64::from(2u32.pow(k))).take_while(|e| *e < room).collect();
        // The last bet expects to win nearly every game.
        larger.push(MAX_STAKE * room);
        let share = (1.0 - MAIN_SHARE) / larger.len() as f64;
        let larger = larger.into_iter().map(|e| (e, share.ln()));
        let effects = [(effect.min(MAX_STAKE * room), MAIN_SHARE.ln())].into_iter().chain(larger);
        Bettor { mean, sign, effects: effects.collect() }
    }

    /// The growth-optimal bet on an effect at a variance, to second order (Waudby-Smith and Ramdas,
    /// section 4.3): the mean gain over its mean square.
    fn stake(&self, effect: f64, variance: f64) -> f64 {
        let limit = MAX_STAKE / if self.sign > 0.0 { self.mean } else { 1.0 - self.mean };
        (effect / (variance + effect * effect)).min(limit)
    }

    fn push(&mut self, score: f64, variance: f64) {
        let gain = self.sign * (score - self.mean);
        for i in 0..self.effects.len() {
            let stake = self.stake(self.effects[i].0, variance);
            self.effects[i].1 += (stake * gain).ln_1p();
        }
    }

    fn log_wealth(&self) -> f64 {
        log_sum(self.effects.iter().map(|e| e.1))
    }

    /// The log wealth of each bet is about constant x samples + slope x points at a fixed variance:
    /// the least-squares line through its gains, weighted by how often each score was seen.
    fn lines(&self, values: &[f64], weights: &[f64], variance: f64) -> Vec<[f64; 3]> {
        let line = |(i, &(effect, _)): (usize, &(f64, f64))| {
            let stake = self.stake(effect, variance);
            let gains: Vec<f64> =
                values.iter().map(|x| (stake * self.sign * (x - self.mean)).ln_1p()).collect();
            let [constant, slope] = line(values, weights, &gains);
            let others = (self.effects.len() - 1) as f64;
            let share = if i == 0 { MAIN_SHARE } else { (1.0 - MAIN_SHARE) / others };
            [share.ln(), constant, slope]
        };
        self.effects.iter().enumerate().map(line).collect()
    }
}

/// The wealth of the bettors against both hypotheses.
#[derive(Clone, PartialEq, Debug)]
pub struct Bettors {
    test: Betting,
    against_h0: Bettor,
    against_h1: Bettor,
    pairs: f64,
    sum: f64,
    squares: f64,
}

impl Bettors {
    /// The variance of a pair's score that earlier pairs suggest.
    fn variance(&self) -> f64 {
        let mean = if self.pairs > 0.0 { self.sum / self.pairs } else { 0.0 };
        let scatter = (self.squares - self.pairs * mean * mean).max(0.0);
        (PRIOR_PAIRS * PRIOR_VARIANCE + scatter) / (PRIOR_PAIRS + self.pairs)
    }

    /// Settles the bets on the next pair of the schedule; `score` is from 0 to 1.
    pub fn push(&mut self, score: f64) {
        let variance = self.variance();
        self.against_h0.push(score, variance);
        self.against_h1.push(score, variance);
        self.pairs += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    /// The logarithms of the wealth against H0 and against H1: log e-values.
    pub fn log_wealth(&self) -> [f64; 2] {
        [self.against_h0.log_wealth(), self.against_h1.log_wealth()]
    }

    /// The wealth as one number: its logarithm against H0, or minus that against H1, whichever is
    /// greater, from 0 on. It passes the bounds of [`Betting::bounds`] exactly when the test decides.
    pub fn evidence(&self) -> f64 {
        let [up, down] = self.log_wealth();
        if up >= down { up.max(0.0) } else { -down.max(0.0) }
    }

    /// The verdict after the pairs so far.
    pub fn verdict(&self) -> SprtVerdict {
        let ([lower, upper], evidence) = (self.test.bounds(), self.evidence());
        if evidence >= upper {
            SprtVerdict::Accepted
        } else if evidence <= -lower {
            SprtVerdict::Rejected
        } else {
            SprtVerdict::Undecided
        }
    }

    /// The total scores between which the test continues after `n` pairs, as a function of `n`, for pairs
    /// that vary as much as those seen so far. `values` and `weights` are the distribution of a score.
    pub fn region(&self, values: &[f64], weights: &[f64]) -> impl Fn(u64) -> [f64; 2] + use<> {
        let variance = self.variance();
        let up = self.against_h0.lines(values, weights, variance);
        let down = self.against_h1.lines(values, weights, variance);
        let [lower, upper] = self.test.bounds();
        move |n| {
            let n = n as f64;
            let wealth = |lines: &[[f64; 3]], points: f64| {
                log_sum(lines.iter().map(|l| l[0] + n * l[1] + points * l[2]))
            };
            [
                crossing(n, |points| wealth(&down, points) < lower),
                crossing(n, |points| wealth(&up, points) >= upper),
            ]
        }
    }
}

/// Where a condition on the points of `n` pairs, false below and true above, becomes true; a point
/// beyond the possible scores if it never changes.
fn crossing(n: f64, condition: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-1.0, n + 1.0);
    while high - low > 1e-3 {
        let middle = (low + high) / 2.0;
        if condition(middle) { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;

    fn test() -> Betting {
        Betting::new(0.0, 10.0, 0.05, 0.05).unwrap()
    }

    /// The expected factor of every bet is 1 at the hypothetical mean, whatever the distribution.
    #[test]
    fn bets_are_fair_at_their_hypothesis() {
        let mut bettors = test().start();
        let mut random = rng::stream(1, 0, "test");
        for _ in 0..200 {
            let variance = bettors.variance();
            for bettor in [&bettors.against_h0, &bettors.against_h1] {
                // Two points whose mean is the hypothesis.
                for (low, high) in [(0.0, 1.0), (0.25, 0.75), (0.5, 1.0)] {
                    let up = (bettor.mean - low) / (high - low);
                    let wealth = |score: f64| {
                        let mut after = bettor.clone();
                        after.push(score, variance);
                        after.log_wealth().exp()
                    };
                    let expected = up * wealth(high) + (1.0 - up) * wealth(low);
                    let now = bettor.log_wealth().exp();
                    assert!((expected / now - 1.0).abs() < 1e-9, "{expected} {now}");
                }
            }
            bettors.push(rng::below(&mut random, 5) as f64 / 4.0);
        }
    }

    #[test]
    fn the_wealth_starts_at_one_and_a_lost_match_is_rejected_within_ten_pairs() {
        let mut bettors = test().start();
        assert!(bettors.log_wealth().iter().all(|w| w.abs() < 1e-12));
        assert_eq!(bettors.verdict(), SprtVerdict::Undecided);
        let mut pairs = 0;
        while bettors.verdict() == SprtVerdict::Undecided {
            bettors.push(0.0);
            pairs += 1;
        }
        assert_eq!(bettors.verdict(), SprtVerdict::Rejected);
        assert!(pairs <= 10, "{pairs}");
    }

    #[test]
    fn hypotheses_out_of_order_are_refused() {
        assert!(Betting::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Betting::new(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Betting::new(0.0, 1e9, 0.05, 0.05).is_err());
    }
}
