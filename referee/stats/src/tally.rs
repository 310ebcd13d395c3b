//! Counts for one player in a series of games against one opponent or against all.

use super::{GameScore, Pentanomial, Spread, Wdl};
use agon_games::Player;
use std::ops::AddAssign;

/// Games by side, and complete pairs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games in which the player moved first.
    pub as_first: Wdl,
    /// Games in which the player moved second.
    pub as_second: Wdl,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Counts a game in which the player was on `side`. Complete pairs are added separately.
    pub fn push(&mut self, score: GameScore, side: Player) {
        match side {
            Player::First => self.as_first += score,
            Player::Second => self.as_second += score,
        }
    }

    /// All games.
    pub fn wdl(&self) -> Wdl {
        self.as_first + self.as_second
    }

    /// Games that belong to no complete pair.
    pub fn outside_pairs(&self) -> u64 {
        self.wdl().games().saturating_sub(2 * self.pairs.pairs())
    }

    /// The input of Elo and LOS: complete pairs if there are any, else single games; `None` without
    /// games.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of_pairs(self.pairs).or_else(|| Spread::of_games(self.wdl()))
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub fn flipped(&self) -> Tally {
        Tally {
            as_first: self.as_second.flipped(),
            as_second: self.as_first.flipped(),
            pairs: self.pairs.flipped(),
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.as_first += other.as_first;
        self.as_second += other.as_second;
        self.pairs += other.pairs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_pairs_are_counted_in_the_score_and_left_out_of_the_spread() {
        let mut t = Tally::default();
        t.push(GameScore::Win, Player::First);
        t.push(GameScore::Loss, Player::Second);
        t.pairs.push(GameScore::Win, GameScore::Loss);
        t.push(GameScore::Win, Player::First);
        assert_eq!(t.wdl(), Wdl::new(2, 0, 1));
        assert_eq!(t.outside_pairs(), 1);
        let s = t.spread().unwrap();
        assert_eq!((s.samples, s.games_per_sample, s.mean), (1, 2, 0.5));
        assert_eq!(t.flipped().flipped(), t);
        assert_eq!(t.flipped().as_second, Wdl::new(0, 0, 2));
    }

    #[test]
    fn without_pairs_games_count_one_by_one() {
        let mut t = Tally::default();
        t.push(GameScore::Draw, Player::First);
        t.push(GameScore::Win, Player::First);
        assert_eq!(t.spread().unwrap().games_per_sample, 1);
    }
}
