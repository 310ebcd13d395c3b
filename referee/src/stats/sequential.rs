//! A sequential test over games that finish in any order.
//!
//! Stopping by finishing order would favour short games. Therefore the test takes samples in
//! schedule order, and the first that crosses a bound decides. The same seed gives the same verdict
//! for any number of workers, in one log or over shards.

use super::{GameScore, Pentanomial, Sprt, SprtState, Verdict, Wdl};
use agon_protocol::hash::FastMap;
use std::collections::BTreeMap;

/// The type of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Two games with sides swapped: pentanomial.
    Pair,
    /// A game: trinomial.
    Game,
}

/// The test and the games so far.
#[derive(Clone, Debug)]
pub struct Sequential {
    test: Sprt,
    sample: Sample,
    /// First games of incomplete pairs.
    half: FastMap<u64, GameScore>,
    /// Complete samples that wait for an earlier one.
    ready: BTreeMap<u64, [Option<GameScore>; 2]>,
    next: u64,
    pairs: Pentanomial,
    wdl: Wdl,
    decided: Option<Decision>,
}

/// The sample that decided a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The number of samples up to the decision.
    pub samples: u64,
    /// The state after these samples.
    pub state: SprtState,
}

impl Sequential {
    /// The state before the first game.
    pub fn new(test: Sprt, sample: Sample) -> Sequential {
        Sequential {
            test,
            sample,
            half: FastMap::default(),
            ready: BTreeMap::new(),
            next: 0,
            pairs: Pentanomial::default(),
            wdl: Wdl::default(),
            decided: None,
        }
    }

    /// Adds a game of pair `pair` with the score of the engine under test. Each game must be added
    /// only once.
    pub fn push(&mut self, pair: u64, score: GameScore) {
        match self.sample {
            Sample::Game => {
                self.ready.insert(pair, [Some(score), None]);
            }
            Sample::Pair => match self.half.remove(&pair) {
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

    fn count(&mut self, scores: [Option<GameScore>; 2]) {
        if let [Some(a), Some(b)] = scores {
            self.pairs.push(a, b);
        }
        scores.into_iter().flatten().for_each(|s| self.wdl += s);
        if self.decided.is_none() {
            let state = self.now();
            if state.verdict != Verdict::Undecided {
                self.decided = Some(Decision { samples: self.next, state });
            }
        }
    }

    fn now(&self) -> SprtState {
        match self.sample {
            Sample::Pair => self.test.of_pairs(self.pairs),
            Sample::Game => self.test.of_games(self.wdl),
        }
    }

    /// The state at the decision, or else that of all samples before the first gap.
    pub fn state(&self) -> SprtState {
        self.decided.map_or_else(|| self.now(), |d| d.state)
    }

    /// The decision, if the test is decided.
    pub fn decision(&self) -> Option<Decision> {
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
    pub fn sample(&self) -> Sample {
        self.sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::EloModel;
    use GameScore::{Draw, Loss, Win};
    use agon_protocol::rng;

    fn test(sample: Sample) -> Sequential {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 30.0, 0.05, 0.05).unwrap();
        Sequential::new(sprt, sample)
    }

    fn games(count: u64) -> Vec<(u64, GameScore)> {
        let mut random = rng::stream(3, 0, "test");
        (0..2 * count)
            .map(|i| (i / 2, [Win, Win, Win, Draw, Loss][rng::below(&mut random, 5) as usize]))
            .collect()
    }

    #[test]
    fn the_verdict_does_not_depend_on_the_order_in_which_games_finish() {
        let mut in_order = test(Sample::Pair);
        games(400).into_iter().for_each(|(pair, score)| in_order.push(pair, score));
        let decision = in_order.decision().unwrap();
        assert_eq!(decision.state.verdict, Verdict::Accepted);
        assert!((20..300).contains(&decision.samples), "{decision:?}");
        for seed in 0..20 {
            let mut shuffled = games(400);
            rng::shuffle(&mut rng::stream(seed, 0, "order"), &mut shuffled);
            let mut other = test(Sample::Pair);
            shuffled.into_iter().for_each(|(pair, score)| other.push(pair, score));
            assert_eq!(other.decision(), Some(decision));
            assert_eq!((other.samples(), other.waiting()), (400, 0));
        }
    }

    #[test]
    fn a_gap_holds_everything_after_it_back() {
        let mut t = test(Sample::Pair);
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
        let mut t = test(Sample::Game);
        let mut by_hand = Wdl::default();
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 30.0, 0.05, 0.05).unwrap();
        let mut first = None;
        for (i, (_, score)) in games(400).into_iter().enumerate() {
            t.push(i as u64, score);
            by_hand += score;
            let state = sprt.of_games(by_hand);
            if first.is_none() && state.verdict != Verdict::Undecided {
                first = Some((i as u64 + 1, state));
            }
        }
        assert_eq!(t.decision().map(|d| (d.samples, d.state)), first);
        assert!(first.is_some());
    }

    /// Wald's bounds are approximate, but conservative for small steps: under each hypothesis about
    /// one of twenty tests gives the wrong verdict.
    #[test]
    fn errors_come_about_as_often_as_they_were_allowed() {
        let wrong = |win_weight: u64, wrong: Verdict| {
            (0..400)
                .filter(|&seed| {
                    let mut random = rng::stream(seed, 1, "test");
                    let mut t = test(Sample::Game);
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
        let (under_h0, under_h1) = (wrong(5000, Verdict::Accepted), wrong(5431, Verdict::Rejected));
        assert!((3..38).contains(&under_h0), "{under_h0}");
        assert!((3..38).contains(&under_h1), "{under_h1}");
    }
}
