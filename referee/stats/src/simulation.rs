//! What the self-test simulates with: sources of pairs at an Elo difference, trials with their own random streams, and
//! figures with what a method promises of them.

use super::{GameScore, Pentanomial, score_from_elo};
use agon_games::rng::{self, Stream};
use rayon::prelude::*;

/// Figures that a method promises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expected {
    /// At most this value.
    AtMost(f64),
    /// At least this value.
    AtLeast(f64),
    /// This value, up to an error of the method's approximation.
    About(f64, f64),
    /// Shown for comparison.
    Nothing,
}

/// One figure of the tables.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The method.
    pub method: &'static str,
    /// The simulated case.
    pub case: String,
    /// What is measured.
    pub what: &'static str,
    /// The mean over all trials.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// What the method promises.
    pub expected: Expected,
}

impl Figure {
    /// Whether the promise is kept within four standard errors.
    pub fn holds(&self) -> bool {
        let room = 4.0 * self.error;
        match self.expected {
            Expected::AtMost(most) => self.value <= most + room,
            Expected::AtLeast(least) => self.value >= least - room,
            Expected::About(value, within) => (self.value - value).abs() <= within + room,
            Expected::Nothing => true,
        }
    }
}

/// How much is simulated.
#[derive(Clone, Copy, Debug)]
pub struct SelfTestEffort {
    /// Seed of all trials.
    pub seed: u64,
    /// A few seconds instead of minutes.
    pub quick: bool,
}

/// The distributions of a pair's score that are simulated, at equal strength: a game with many draws,
/// and one without draws.
pub const SHAPES: [(&str, [f64; 5]); 2] =
    [("draws", [0.05, 0.22, 0.46, 0.22, 0.05]), ("no draws", [0.25, 0.0, 0.5, 0.0, 0.25])];

/// Pairs at an Elo difference.
#[derive(Clone, Copy)]
pub struct SampleSource {
    weights: [f64; 5],
}

impl SampleSource {
    /// A shape tilted exponentially to the expected score of `elo`.
    pub fn new(shape: [f64; 5], elo: f64) -> SampleSource {
        let target = score_from_elo(elo);
        let (mut low, mut high) = (-100.0, 100.0);
        let mut weights = shape;
        for _ in 0..100 {
            let tilt: f64 = 0.5 * (low + high);
            for (i, weight) in weights.iter_mut().enumerate() {
                *weight = shape[i] * (tilt * (i as f64 - 2.0)).exp();
            }
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|w| *w /= sum);
            let mean: f64 = weights.iter().zip(0u8..).map(|(w, i)| w * f64::from(i) / 4.0).sum();
            if mean < target { low = tilt } else { high = tilt }
        }
        SampleSource { weights }
    }

    /// The two games of a pair, in half points.
    pub fn pair(&self, random: &mut Stream) -> [GameScore; 2] {
        use GameScore::{Draw, Loss, Win};
        let mut ticket = rng::unit(random);
        let pairs = [[Loss, Loss], [Draw, Loss], [Win, Loss], [Win, Draw], [Win, Win]];
        for (weight, pair) in self.weights.iter().zip(pairs) {
            if ticket < *weight {
                return pair;
            }
            ticket -= weight;
        }
        pairs[if self.weights[4] > 0.0 { 4 } else { 0 }]
    }

    pub fn pairs(&self, random: &mut Stream, count: u64) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for _ in 0..count {
            let [a, b] = self.pair(random);
            pairs.push(a, b);
        }
        pairs
    }
}

/// The trials' results in order, computed on all cores.
pub fn trials<T: Send>(
    effort: SelfTestEffort,
    purpose: &str,
    count: u64,
    trial: impl Fn(&mut Stream) -> T + Sync,
) -> Vec<T> {
    let one = |i| trial(&mut rng::stream(effort.seed, i, purpose));
    (0..count).into_par_iter().map(one).collect()
}

/// Collects the figures of one case.
pub struct CaseReport {
    method: &'static str,
    case: String,
    pub figures: Vec<Figure>,
}

impl CaseReport {
    pub fn new(method: &'static str, case: String) -> CaseReport {
        CaseReport { method, case, figures: Vec::new() }
    }

    pub fn mean(&mut self, what: &'static str, values: &[f64], expected: Expected) {
        let n = values.len().max(1) as f64;
        let value = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - value) * (x - value)).sum::<f64>() / n;
        let (method, case) = (self.method, self.case.clone());
        let error = (variance / n).sqrt();
        self.figures.push(Figure { method, case, what, value, error, expected });
    }

    /// A share of trials. Its error is never 0: one trial more on the other side is always possible.
    pub fn share(
        &mut self,
        what: &'static str,
        hits: impl Iterator<Item = bool>,
        expected: Expected,
    ) {
        let values: Vec<f64> = hits.map(|hit| f64::from(u8::from(hit))).collect();
        self.mean(what, &values, expected);
        if let Some(figure) = self.figures.last_mut() {
            figure.error = figure.error.max(1.0 / values.len().max(1) as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo_from_score;

    #[test]
    fn a_source_has_the_score_of_its_elo() {
        for elo in [-400.0, -5.0, 0.0, 20.0] {
            let weights = SampleSource::new(SHAPES[0].1, elo).weights;
            let mean: f64 = weights.iter().zip(0u8..).map(|(w, i)| w * f64::from(i) / 4.0).sum();
            assert!((elo_from_score(mean) - elo).abs() < 1e-6, "{elo}");
        }
    }

    #[test]
    fn a_wrong_method_does_not_pass() {
        let mut table = CaseReport::new("m", String::new());
        table.share("s", (0..1000).map(|i| i % 10 != 0), Expected::AtLeast(0.95));
        table.share("s", (0..1000).map(|i| i % 10 != 0), Expected::About(0.9, 0.0));
        assert_eq!(table.figures.iter().map(Figure::holds).collect::<Vec<_>>(), [false, true]);
    }
}
