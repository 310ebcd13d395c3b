//! A set of game numbers, for example of the finished games.

/// A set of game numbers, one bit per number.
#[derive(Clone, Debug, Default)]
pub struct GameSet(Vec<u64>);

impl GameSet {
    /// Adds a game; returns `false` if it was already in the set.
    pub fn insert(&mut self, game: u64) -> bool {
        let (word, bit) = (game as usize / 64, 1 << (game % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// All games, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().zip(0u64..).flat_map(|(&word, i)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| 64 * i + bit)
        })
    }

    /// Whether a game is in the set.
    pub fn contains(&self, game: u64) -> bool {
        self.0.get(game as usize / 64).is_some_and(|w| w & (1 << (game % 64)) != 0)
    }
}
