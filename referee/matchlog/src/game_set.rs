//! A set of game numbers, for example of the finished games.

use std::collections::BTreeMap;

/// A set of game numbers, one bit per number where numbers are dense. A large number costs no more
/// than a small one.
#[derive(Clone, Debug, Default)]
pub struct GameSet(BTreeMap<u64, u64>);

impl GameSet {
    /// Adds a game; returns `false` if it was already in the set.
    pub fn insert(&mut self, game: u64) -> bool {
        let (word, bit) = (self.0.entry(game / 64).or_default(), 1 << (game % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// All games, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|(&i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| 64 * i + bit)
        })
    }

    /// Whether a game is in the set.
    pub fn contains(&self, game: u64) -> bool {
        self.0.get(&(game / 64)).is_some_and(|w| w & (1 << (game % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_numbers_need_no_more_memory_than_small_ones() {
        let mut set = GameSet::default();
        for number in [1 << 36, 0, u64::MAX, 63, 64, 1_000_000_000_000_000_000] {
            assert!(set.insert(number) && !set.insert(number) && set.contains(number));
        }
        let all = [0, 63, 64, 1 << 36, 1_000_000_000_000_000_000, u64::MAX];
        assert_eq!(set.iter().collect::<Vec<_>>(), all);
        assert!(!set.contains(62));
    }
}
