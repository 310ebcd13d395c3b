//! Results between two engines as fastchess counts them, and its figures from these counts.

use agon_stats::GameScore;
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// The 97.5% quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Games and pairs from the first engine's point of view.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Lost, drawn and won games.
    pub games: [u64; 3],
    /// Pairs by half points; those with two are in the middle, whatever their games.
    pub pairs: [u64; 5],
    /// Of the pairs in the middle: one game won and one lost, or both drawn.
    pub split: [u64; 2],
    waiting: BTreeMap<u64, GameScore>,
}

impl Counts {
    /// Counts a game.
    pub fn push(&mut self, pair: u64, score: GameScore) {
        self.games[usize::from(score.half_points())] += 1;
        let Some(partner) = self.waiting.remove(&pair) else {
            self.waiting.insert(pair, score);
            return;
        };
        self.pairs[usize::from(score.half_points() + partner.half_points())] += 1;
        match (score, partner) {
            (GameScore::Draw, GameScore::Draw) => self.split[1] += 1,
            _ if score == partner.flipped() => self.split[0] += 1,
            _ => {}
        }
    }

    /// Adds results; `flipped`: those of the other side.
    pub fn add(&mut self, other: &Counts, flipped: bool) {
        let at = |i: usize, n: usize| if flipped { n - 1 - i } else { i };
        (0..3).for_each(|i| self.games[i] += other.games[at(i, 3)]);
        (0..5).for_each(|i| self.pairs[i] += other.pairs[at(i, 5)]);
        (0..2).for_each(|i| self.split[i] += other.split[i]);
    }

    /// Whether both games of a pair are counted.
    pub fn is_complete(&self, pair: u64) -> bool {
        !self.waiting.contains_key(&pair)
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The number of pairs.
    pub fn total_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// Elo and its figures from pairs or from single games.
    pub fn figures(&self, of_pairs: bool) -> Figures {
        let counts: &[u64] = if of_pairs { &self.pairs } else { &self.games };
        let samples = counts.iter().sum::<u64>() as f64;
        let top = (counts.len() - 1) as f64;
        let mean_of = |f: &dyn Fn(f64) -> f64| -> f64 {
            counts
                .iter()
                .zip(0u32..)
                .map(|(&n, i)| n as f64 / samples * f(f64::from(i) / top))
                .sum()
        };
        let score = mean_of(&|x| x);
        let variance = mean_of(&|x| (x - score) * (x - score));
        let half = Z95 * (variance / samples).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let games = if of_pairs { 2.0 } else { 1.0 };
        let nelo = |score: f64| (score - 0.5) / (games * variance).sqrt() * 800.0 / LN_10;
        Figures {
            elo: elo(score),
            error: (elo(score + half) - elo(score - half)) / 2.0,
            nelo: nelo(score),
            nelo_error: (nelo(score + half) - nelo(score - half)) / 2.0,
            los: agon_stats::normal_cdf((score - 0.5) / (variance / samples).sqrt()),
        }
    }
}

/// Figures of a result; without a variance they are infinite or no numbers, as in fastchess.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// The Elo difference.
    pub elo: f64,
    /// Half the width of its 95% interval.
    pub error: f64,
    /// The normalised Elo difference.
    pub nelo: f64,
    /// Half the width of its 95% interval.
    pub nelo_error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
}

/// A number as C++ prints it.
pub fn decimal(x: f64, digits: usize) -> String {
    if x.is_nan() { "nan".into() } else { format!("{x:.digits$}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameScore::{Draw, Loss, Win};

    /// The worked examples of fastchess's own tests.
    #[test]
    fn figures_are_those_that_fastchess_publishes() {
        let f = Counts { games: [96, 111, 136], ..Counts::default() }.figures(false);
        let round = |x: f64| (x * 100.0).round() / 100.0;
        assert_eq!([f.elo, f.nelo, 100.0 * f.los].map(round), [40.70, 49.77, 99.60]);
        let f = Counts { pairs: [34, 54, 63, 64, 75], ..Counts::default() }.figures(true);
        assert_eq!([f.elo, f.error, f.nelo, f.nelo_error].map(round), [55.58, 27.65, 57.94, 28.28]);
    }

    #[test]
    fn pairs_are_counted_in_any_order_and_from_both_sides() {
        let mut counts = Counts::default();
        for (pair, score) in
            [(0, Win), (1, Draw), (1, Draw), (2, Win), (0, Loss), (2, Draw), (3, Loss)]
        {
            counts.push(pair, score);
        }
        assert_eq!(
            (counts.games, counts.pairs, counts.split),
            ([2, 3, 2], [0, 0, 2, 1, 0], [1, 1])
        );
        assert!(counts.is_complete(2) && !counts.is_complete(3));
        let mut other = Counts::default();
        other.add(&counts, true);
        assert_eq!((other.games, other.pairs), ([2, 3, 2], [0, 1, 2, 0, 0]));
        assert_eq!(decimal(f64::NAN, 2), "nan");
        assert_eq!(decimal(f64::INFINITY, 2), "inf");
    }
}
