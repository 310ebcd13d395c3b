//! Matches the two games of each pair while games arrive one at a time in any order.

use super::{GameScore, Pentanomial};
use agon_games::hash::FastMap;

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
