//! Wins, draws and losses: exact counts from one player's point of view.

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
}
