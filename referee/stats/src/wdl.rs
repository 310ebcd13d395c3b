//! Wins, draws and losses: exact counts from one player's point of view, and Wilson's score interval of a rate (Wilson
//! 1927, JASA 22:209), without continuity correction.

use super::numerics::Z95;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// One game's result from one player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameScore {
    /// Half points: 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// The same result from the opponent's point of view.
    #[must_use]
    pub const fn flipped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }
}

/// Counts of won, drawn and lost games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// From three counts.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    /// All games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points: a win is 2, a draw 1.
    pub const fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points over games, from 0 to 1; `None` without games.
    pub fn score(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.half_points() as f64 / (2 * games) as f64)
    }

    /// Draws over games; `None` without games.
    pub fn draw_rate(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.draws as f64 / games as f64)
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub const fn flipped(self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl AddAssign<GameScore> for Wdl {
    fn add_assign(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }
}

impl Add for Wdl {
    type Output = Wdl;
    fn add(mut self, other: Wdl) -> Wdl {
        self += other;
        self
    }
}

impl Sum for Wdl {
    fn sum<I: Iterator<Item = Wdl>>(iter: I) -> Wdl {
        iter.fold(Wdl::default(), Add::add)
    }
}

/// A rate with its 95% Wilson interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wilson {
    /// Successes over trials.
    pub rate: f64,
    /// Lower end, at least 0.
    pub low: f64,
    /// Upper end, at most 1.
    pub high: f64,
}

impl Wilson {
    /// The interval of `successes` out of `trials`; `None` if there are no trials or more successes
    /// than trials. Without a success the lower end is exactly 0; with successes only, the upper
    /// end is exactly 1.
    pub fn new(successes: u64, trials: u64) -> Option<Wilson> {
        if trials == 0 || successes > trials {
            return None;
        }
        let (mut low, mut high) = ends(successes as f64 / trials as f64, trials as f64);
        if successes == 0 {
            low = 0.0;
        }
        if successes == trials {
            high = 1.0;
        }
        Some(Wilson { rate: successes as f64 / trials as f64, low, high })
    }

    /// Whether `rate` lies within the interval.
    pub fn contains(&self, rate: f64) -> bool {
        (self.low..=self.high).contains(&rate)
    }
}

/// Both ends of the interval of `rate` over `n` trials, clamped to 0..1.
fn ends(rate: f64, n: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let middle = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

impl fmt::Display for Wilson {
    /// Percent: `99.34% [98.32, 99.75]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rate, low, high] = [self.rate, self.low, self.high].map(|x| 100.0 * x);
        write!(f, "{rate:.2}% [{low:.2}, {high:.2}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_and_flip_and_score() {
        let mut w = Wdl::new(3, 1, 0);
        w += Wdl::new(0, 0, 2);
        w += GameScore::Draw;
        assert_eq!(w, Wdl::new(3, 2, 2));
        assert_eq!(w.flipped(), Wdl::new(2, 2, 3));
        assert_eq!(w.half_points() + w.flipped().half_points(), 2 * w.games());
        assert_eq!(w.score(), Some(8.0 / 14.0));
        assert_eq!(Wdl::default().score(), None);
    }

    #[test]
    fn published_examples_come_out() {
        // Newcombe 1998 (Statistics in Medicine 17:857), table I, method 3.
        for (r, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let w = Wilson::new(r, n).unwrap();
            assert!((w.low - low).abs() < 5e-5, "{r}/{n}: {w:?}");
            assert!((w.high - high).abs() < 5e-5, "{r}/{n}: {w:?}");
        }
    }

    #[test]
    fn the_interval_is_symmetric_in_success_and_failure_and_closed_at_the_ends() {
        for n in [1, 2, 7, 610] {
            for k in 0..=n {
                let (a, b) = (Wilson::new(k, n).unwrap(), Wilson::new(n - k, n).unwrap());
                assert!((a.low - (1.0 - b.high)).abs() < 1e-12);
                assert!(a.low <= a.rate && a.rate <= a.high && a.contains(a.rate));
            }
            assert_eq!(Wilson::new(0, n).unwrap().low, 0.0);
            assert_eq!(Wilson::new(n, n).unwrap().high, 1.0);
        }
        assert_eq!(Wilson::new(0, 0), None);
        assert_eq!(Wilson::new(2, 1), None);
    }

    #[test]
    fn it_prints_as_percent() {
        assert_eq!(Wilson::new(606, 610).unwrap().to_string(), "99.34% [98.33, 99.74]");
    }
}
