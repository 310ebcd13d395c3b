//! Pairs of games counted by their total score: 0, 1/2, 1, 3/2 or 2 points; and the book that makes pairs of games that
//! arrive one at a time in any order.
//!
//! Both games of a pair start from the same opening with sides swapped, so an unbalanced opening
//! makes them anticorrelated. Counting single games overestimates the variance of the score.

use super::wdl::GameScore;
use agon_games::hash::FastMap;
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

/// Complete pairs so far, and the games whose partner is missing. Memory grows only with the
/// incomplete pairs.
#[derive(Clone, Default, Debug)]
pub struct PairBook {
    waiting: FastMap<u64, GameScore>,
    complete: Pentanomial,
}

impl PairBook {
    /// Counts one game of pair number `pair`. The second game of a number completes the pair. A
    /// third would open a new pair, so duplicates in a log must be dropped first.
    pub fn push(&mut self, pair: u64, score: GameScore) {
        match self.waiting.remove(&pair) {
            None => {
                self.waiting.insert(pair, score);
            }
            Some(partner) => self.complete.push(partner, score),
        }
    }

    /// Adds another book of the same match and completes pairs whose games are in different books.
    pub fn absorb(&mut self, other: PairBook) {
        self.complete += other.complete;
        for (pair, score) in other.waiting {
            self.push(pair, score);
        }
    }

    /// The complete pairs.
    pub fn complete(&self) -> Pentanomial {
        self.complete
    }

    /// The number of games whose partner is missing.
    #[cfg(test)]
    fn waiting(&self) -> u64 {
        self.waiting.len() as u64
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

    #[test]
    fn pairs_are_matched_by_number_in_any_order() {
        let mut book = PairBook::default();
        for (pair, score) in [(0, Win), (1, Draw), (2, Loss), (1, Win), (0, Loss)] {
            book.push(pair, score);
        }
        assert_eq!(book.complete(), Pentanomial::new([0, 0, 1, 1, 0]));
        assert_eq!(book.waiting(), 1);
        let mut rest = PairBook::default();
        rest.push(2, Win);
        book.absorb(rest);
        assert_eq!((book.complete().pairs(), book.waiting()), (3, 0));
    }
}
