//! A sequential test over games that finish in any order.
//!
//! Stopping by finishing order would favour short games. Therefore the test takes samples in
//! schedule order, and the first that crosses a bound decides. The same seed gives the same verdict
//! for any number of workers, in one log or over shards.

use super::betting::{Betting, Bettors};
use super::confidence::ConfidenceSequence;
use super::elo::{Elo, Spread, elo_from_score};
use super::stopped::{Estimate, Steps, StoppedAt, TestMethod, estimate};
use super::{GameScore, Pentanomial, Sprt, SprtVerdict, Wdl};
use agon_games::hash::FastMap;
use std::collections::BTreeMap;

/// The type of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestSample {
    /// Two games with sides swapped: pentanomial.
    Pair,
    /// A game: trinomial.
    Game,
}

/// What ends a match before its last game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// A sequential probability ratio test.
    Sprt(Sprt),
    /// A test by betting; its samples are pairs.
    Betting(Betting),
    /// The width in Elo at which the confidence sequence ends the match; its samples are pairs.
    Width(f64),
    /// Nothing: all games are played. The method is that of the estimate: games that are added after a
    /// look need the confidence sequence.
    Open(TestMethod),
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestState {
    /// The log-likelihood ratio of an SPRT; the log wealth of a test by betting
    /// ([`Bettors::evidence`]); the width of the confidence sequence in Elo.
    pub evidence: f64,
    /// The test rejects at or below this value; 0 for a width.
    pub lower: f64,
    /// The test accepts at or above this value; for a width the match ends at or below it.
    pub upper: f64,
    /// The resulting verdict.
    pub verdict: SprtVerdict,
}

/// A point of a test's path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathPoint {
    /// The number of samples.
    pub samples: u64,
    /// [`TestState::evidence`] after them.
    pub evidence: f64,
    /// The pairs among them; [`ConfidenceSequence::of_pairs`] gives the interval at this point.
    pub pairs: Pentanomial,
}

/// The maximum number of points of a path.
const PATH: usize = 1024;

/// The test and the games so far.
#[derive(Clone, Debug)]
pub struct Sequential {
    test: Test,
    sample: TestSample,
    /// First games of incomplete pairs.
    half: FastMap<u64, GameScore>,
    /// Complete samples that wait for an earlier one.
    ready: BTreeMap<u64, [Option<GameScore>; 2]>,
    next: u64,
    counts: Counts,
    decided: Option<DecidingSample>,
    path: Vec<PathPoint>,
    /// The path has a point every `stride` samples.
    stride: u64,
}

/// The samples before the first gap.
#[derive(Clone, Debug, PartialEq)]
struct Counts {
    pairs: Pentanomial,
    wdl: Wdl,
    bettors: Option<Bettors>,
}

/// The sample that decided a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecidingSample {
    /// The number of samples up to the decision.
    pub samples: u64,
    /// The state after these samples.
    pub state: TestState,
}

impl Sequential {
    /// The state before the first game.
    pub fn new(test: Test, sample: TestSample) -> Sequential {
        let bettors = match &test {
            Test::Betting(betting) => Some(betting.start()),
            _ => None,
        };
        Sequential {
            test,
            sample,
            half: FastMap::default(),
            ready: BTreeMap::new(),
            next: 0,
            counts: Counts { pairs: Pentanomial::default(), wdl: Wdl::default(), bettors },
            decided: None,
            path: Vec::new(),
            stride: 1,
        }
    }

    /// The state after pairs whose order is unknown, as if the test had not stopped before the last one.
    pub fn of_pairs(test: Test, pairs: Pentanomial) -> Sequential {
        let mut sequence = Sequential::new(test, TestSample::Pair);
        sequence.counts.pairs = pairs;
        sequence.next = pairs.pairs();
        sequence
    }

    /// Adds a game of pair `pair` with the score of the engine under test. Each game must be added
    /// only once.
    pub fn push(&mut self, pair: u64, score: GameScore) {
        match self.sample {
            TestSample::Game => {
                self.ready.insert(pair, [Some(score), None]);
            }
            TestSample::Pair => match self.half.remove(&pair) {
                None => {
                    self.half.insert(pair, score);
                }
                Some(other) => {
                    self.ready.insert(pair, [Some(other), Some(score)]);
                }
            },
        }
        while let Some(scores) = self.ready.remove(&self.next) {
            self.next += 1;
            self.count(scores);
        }
    }

    /// Counts the next sample. What follows the decision has no part in it or in the estimate.
    fn count(&mut self, scores: [Option<GameScore>; 2]) {
        if self.decided.is_some() {
            return;
        }
        let counts = &mut self.counts;
        if let [Some(a), Some(b)] = scores {
            counts.pairs.push(a, b);
            if let Some(bettors) = &mut counts.bettors {
                bettors.push(f64::from(a.half_points() + b.half_points()) / 4.0);
            }
        }
        scores.into_iter().flatten().for_each(|s| counts.wdl += s);
        let state = self.now();
        if self.next.is_multiple_of(self.stride) {
            self.path.push(self.point(state));
        }
        if self.path.len() > PATH {
            self.stride *= 2;
            let stride = self.stride;
            self.path.retain(|p| p.samples % stride == 0);
        }
        if state.verdict != SprtVerdict::Undecided {
            self.decided = Some(DecidingSample { samples: self.next, state });
        }
    }

    fn point(&self, state: TestState) -> PathPoint {
        let samples = self.decided.map_or(self.next, |d| d.samples);
        PathPoint { samples, evidence: state.evidence, pairs: self.counts.pairs }
    }

    fn now(&self) -> TestState {
        let counts = &self.counts;
        match (&self.test, &counts.bettors) {
            (Test::Sprt(test), _) => {
                let state = match self.sample {
                    TestSample::Pair => test.of_pairs(counts.pairs),
                    TestSample::Game => test.of_games(counts.wdl),
                };
                let (lower, upper) = (state.lower, state.upper);
                TestState { evidence: state.llr, lower, upper, verdict: state.verdict }
            }
            (Test::Betting(test), bettors) => {
                let [lower, upper] = test.bounds();
                let bettors = bettors.as_ref();
                TestState {
                    evidence: bettors.map_or(0.0, Bettors::evidence),
                    lower: -lower,
                    upper,
                    verdict: bettors.map_or(SprtVerdict::Undecided, Bettors::verdict),
                }
            }
            (Test::Width(width), _) => {
                let now = ConfidenceSequence::of_pairs(counts.pairs).width();
                let verdict =
                    if now <= *width { SprtVerdict::Measured } else { SprtVerdict::Undecided };
                TestState { evidence: now, lower: 0.0, upper: *width, verdict }
            }
            (Test::Open(_), _) => {
                let verdict = SprtVerdict::Undecided;
                TestState { evidence: 0.0, lower: f64::NEG_INFINITY, upper: f64::INFINITY, verdict }
            }
        }
    }

    /// The state at the decision, or else that of all samples before the first gap.
    pub fn state(&self) -> TestState {
        self.decided.map_or_else(|| self.now(), |d| d.state)
    }

    /// The decision, if the test is decided.
    pub fn decision(&self) -> Option<DecidingSample> {
        self.decided
    }

    /// The number of samples before the first gap.
    pub fn samples(&self) -> u64 {
        self.next
    }

    /// The number of samples that wait for an earlier one.
    pub fn waiting(&self) -> u64 {
        (self.half.len() + self.ready.len()) as u64
    }

    /// The type of the samples.
    pub fn sample(&self) -> TestSample {
        self.sample
    }

    /// The test.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// The pairs up to the decision, or else before the first gap.
    pub fn pairs(&self) -> Pentanomial {
        self.counts.pairs
    }

    /// The e-values of a test by betting: the wealth against H0 and against H1.
    pub fn e_values(&self) -> Option<[f64; 2]> {
        self.counts.bettors.as_ref().map(|b| b.log_wealth().map(f64::exp))
    }

    /// The path of the test in schedule order, up to its decision: about 1,000 points at most.
    pub fn path(&self) -> Vec<PathPoint> {
        let mut path = self.path.clone();
        let last = self.point(self.state());
        if last.samples > 0 && path.last().is_none_or(|p| p.samples != last.samples) {
            path.push(last);
        }
        path
    }

    /// The Elo difference of the samples up to the decision, by a method that the test does not bias;
    /// `None` without samples, and for counts with which the test cannot have stopped because it would have
    /// stopped before. It takes up to about a second for 100,000 pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        if !self.can_end_here() {
            return None;
        }
        let counts = &self.counts;
        let classes = match self.sample {
            TestSample::Pair => counts.pairs.counts.to_vec(),
            TestSample::Game => vec![counts.wdl.losses, counts.wdl.draws, counts.wdl.wins],
        };
        let stop = match self.state().verdict {
            SprtVerdict::Rejected => StoppedAt::Lower,
            _ => StoppedAt::UpperOrOpen,
        };
        let steps = Steps::new(&classes);
        let ends = match (&self.test, &counts.bettors) {
            (Test::Sprt(test), _) => {
                let games = if self.sample == TestSample::Pair { 2 } else { 1 };
                estimate(steps, stop, test.region(&classes, games))
            }
            (Test::Betting(_), Some(bettors)) => {
                let region = bettors.region(&[0.0, 0.25, 0.5, 0.75, 1.0], &steps.weights);
                estimate(steps, stop, region)
            }
            (Test::Open(TestMethod::FixedSample), _) => {
                let elo = Spread::of_pairs(counts.pairs)?.elo();
                return Some(Estimate { elo, method: TestMethod::FixedSample });
            }
            _ => {
                let interval = ConfidenceSequence::of_pairs(counts.pairs);
                let value = elo_from_score(Spread::of_pairs(counts.pairs)?.mean);
                let elo = Elo { value, low: interval.low, high: interval.high, regularised: false };
                return Some(Estimate { elo, method: TestMethod::ConfidenceSequence });
            }
        };
        let [low, value, high] = ends?;
        // The correction may pass equality where the score is close to it.
        let value = if value * lead(&classes) < 0.0 { 0.0 } else { value };
        let elo = Elo { value, low, high, regularised: false };
        Some(Estimate { elo, method: TestMethod::Stagewise })
    }

    /// Whether the test can have ended with these samples: one of them came last, and the test was undecided
    /// without it.
    fn can_end_here(&self) -> bool {
        let Test::Sprt(test) = &self.test else { return true };
        if self.decided.is_some() || self.now().verdict == SprtVerdict::Undecided {
            return true;
        }
        let pairs = self.counts.pairs;
        (0..pairs.counts.len()).filter(|&class| pairs.counts[class] > 0).any(|class| {
            let mut before = pairs;
            before.counts[class] -= 1;
            test.of_pairs(before).verdict == SprtVerdict::Undecided
        })
    }
}

/// The points beyond one half of samples that score 0, 1, ... equal parts, in such parts.
fn lead(classes: &[u64]) -> f64 {
    let half = (classes.len() - 1) as f64 / 2.0;
    classes.iter().zip(0u32..).map(|(&n, i)| n as f64 * (f64::from(i) - half)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EloModel;
    use GameScore::{Draw, Loss, Win};
    use agon_games::rng;

    fn test(sample: TestSample) -> Sequential {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 30.0, 0.05, 0.05).unwrap();
        Sequential::new(Test::Sprt(sprt), sample)
    }

    fn games(count: u64) -> Vec<(u64, GameScore)> {
        let mut random = rng::stream(3, 0, "test");
        (0..2 * count)
            .map(|i| (i / 2, [Win, Win, Win, Draw, Loss][rng::below(&mut random, 5) as usize]))
            .collect()
    }

    #[test]
    fn the_verdict_does_not_depend_on_the_order_in_which_games_finish() {
        let mut in_order = test(TestSample::Pair);
        games(400).into_iter().for_each(|(pair, score)| in_order.push(pair, score));
        let decision = in_order.decision().unwrap();
        assert_eq!(decision.state.verdict, SprtVerdict::Accepted);
        assert!((20..300).contains(&decision.samples), "{decision:?}");
        for seed in 0..20 {
            let mut shuffled = games(400);
            rng::shuffle(&mut rng::stream(seed, 0, "order"), &mut shuffled);
            let mut other = test(TestSample::Pair);
            shuffled.into_iter().for_each(|(pair, score)| other.push(pair, score));
            assert_eq!(other.decision(), Some(decision));
            assert_eq!((other.samples(), other.waiting()), (400, 0));
        }
    }

    #[test]
    fn a_gap_holds_everything_after_it_back() {
        let mut t = test(TestSample::Pair);
        for (pair, score) in games(400).into_iter().filter(|(pair, _)| *pair != 3) {
            t.push(pair, score);
        }
        assert_eq!((t.samples(), t.decision()), (3, None));
        t.push(3, Win);
        assert_eq!(t.samples(), 3);
        t.push(3, Draw);
        assert!(t.samples() == 400 && t.decision().is_some());
    }

    #[test]
    fn the_decision_is_that_of_the_first_crossing() {
        let mut t = test(TestSample::Game);
        let mut by_hand = Wdl::default();
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 30.0, 0.05, 0.05).unwrap();
        let mut first = None;
        for (i, (_, score)) in games(400).into_iter().enumerate() {
            t.push(i as u64, score);
            by_hand += score;
            let state = sprt.of_games(by_hand);
            if first.is_none() && state.verdict != SprtVerdict::Undecided {
                first = Some((i as u64 + 1, state.llr));
            }
        }
        assert_eq!(t.decision().map(|d| (d.samples, d.state.evidence)), first);
        assert!(first.is_some());
    }

    /// Random counts, also such as a test that stops in time never has.
    #[test]
    fn an_estimate_needs_a_possible_end_and_has_the_sign_of_the_score() {
        let mut random = rng::stream(5, 0, "test");
        let (mut estimates, mut impossible) = (0, 0);
        for round in 0..400 {
            let shape: Vec<u64> = (0..5).map(|_| 1 + rng::below(&mut random, 9)).collect();
            let mut pairs = Pentanomial::default();
            for _ in 0..=rng::below(&mut random, 200) {
                let mut at = rng::below(&mut random, shape.iter().sum());
                let class = shape
                    .iter()
                    .take_while(|w| {
                        at >= **w && {
                            at -= **w;
                            true
                        }
                    })
                    .count();
                pairs.counts[class] += 1;
            }
            let (elo0, elo1) = [(0.0, 10.0), (-30.0, 0.0), (0.0, 50.0)][round % 3];
            let model = [EloModel::Logistic, EloModel::Normalised][round % 2];
            let sprt = Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap();
            let test = Sequential::of_pairs(Test::Sprt(sprt), pairs);
            let Some(Estimate { elo, .. }) = test.estimate() else {
                impossible += 1;
                continue;
            };
            estimates += 1;
            let score = Spread::of_pairs(pairs).unwrap().elo().value;
            assert!(score * elo.value >= 0.0, "{:?} {elo0} {elo1}: {elo} of {score}", pairs.counts);
        }
        assert!(estimates > 200 && impossible > 20, "{estimates} {impossible}");
        // Sixty double wins: the test accepts H1 after a few of them.
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap();
        let won = |n| Sequential::of_pairs(Test::Sprt(sprt), Pentanomial::new([0, 0, 0, 0, n]));
        let ends = (1..=60).filter(|&n| won(n).estimate().is_some()).max();
        let decided = (1..=60).find(|&n| won(n).state().verdict == SprtVerdict::Accepted);
        assert!(ends == decided && ends.is_some_and(|n| n < 40), "{ends:?} {decided:?}");
    }

    /// Wald's bounds are approximate, but conservative for small steps: under each hypothesis about
    /// one of twenty tests gives the wrong verdict.
    #[test]
    fn errors_come_about_as_often_as_they_were_allowed() {
        let wrong = |win_weight: u64, wrong: SprtVerdict| {
            (0..400)
                .filter(|&seed| {
                    let mut random = rng::stream(seed, 1, "test");
                    let mut t = test(TestSample::Game);
                    let mut i = 0;
                    while t.decision().is_none() {
                        let score =
                            if rng::below(&mut random, 10_000) < win_weight { Win } else { Loss };
                        t.push(i, score);
                        i += 1;
                    }
                    t.state().verdict == wrong
                })
                .count()
        };
        // Elo 0 and Elo 30 are expected scores of 0.5 and 0.5431. The expected number of errors in
        // 400 tests is 20; four standard deviations are 17.
        let (under_h0, under_h1) =
            (wrong(5000, SprtVerdict::Accepted), wrong(5431, SprtVerdict::Rejected));
        assert!((3..38).contains(&under_h0), "{under_h0}");
        assert!((3..38).contains(&under_h1), "{under_h1}");
    }
}
