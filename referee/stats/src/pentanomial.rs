//! Pairs of games counted by their total score: 0, 1/2, 1, 3/2 or 2 points.
//!
//! Both games of a pair start from the same opening with sides swapped, so an unbalanced opening
//! makes them anticorrelated. Counting single games overestimates the variance of the score.

use super::wdl::GameScore;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Complete pairs by their half points, from one player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Pentanomial {
    /// Number of pairs with 0, 1, 2, 3 and 4 half points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Creates the counts, worst pair first.
    pub const fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    /// Counts one complete pair.
    pub fn push(&mut self, a: GameScore, b: GameScore) {
        self.counts[usize::from(a.half_points() + b.half_points())] += 1;
    }

    /// Complete pairs.
    pub fn pairs(self) -> u64 {
        self.counts.iter().sum()
    }

    /// The same pairs from the opponent's point of view.
    #[must_use]
    pub fn flipped(self) -> Pentanomial {
        let mut counts = self.counts;
        counts.reverse();
        Pentanomial { counts }
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;
    fn add(mut self, other: Pentanomial) -> Pentanomial {
        self += other;
        self
    }
}

impl Sum for Pentanomial {
    fn sum<I: Iterator<Item = Pentanomial>>(iter: I) -> Pentanomial {
        iter.fold(Pentanomial::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameScore::{Draw, Loss, Win};

    #[test]
    fn every_pair_lands_in_the_class_of_its_points() {
        let mut p = Pentanomial::default();
        for (a, b) in [(Loss, Loss), (Draw, Loss), (Win, Loss), (Draw, Draw), (Draw, Win)] {
            p.push(a, b);
        }
        p.push(Win, Win);
        p.push(Win, Win);
        assert_eq!(p, Pentanomial::new([1, 1, 2, 1, 2]));
        assert_eq!(p.pairs(), 7);
    }

    #[test]
    fn adding_shards_is_exact() {
        let whole: Pentanomial =
            [[1, 2, 3, 4, 5], [10, 0, 0, 0, 1]].into_iter().map(Pentanomial::new).sum();
        assert_eq!(whole, Pentanomial::new([11, 2, 3, 4, 6]));
    }
}
