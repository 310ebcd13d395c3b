//! Parts of self-play that other machines play: the files of all shards together hold the games of
//! one run.

/// The numbers of the games to play: all below `games`, or every `shards`-th from `shard` - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The number of games of all shards.
    pub games: u64,
    /// The shard, from 1, and the number of shards.
    pub shard: (u64, u64),
}

impl Numbers {
    /// All games.
    pub fn all(games: u64) -> Numbers {
        Numbers { games, shard: (1, 1) }
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        (self.games + self.shard.1).saturating_sub(self.shard.0) / self.shard.1
    }

    /// The number of the game at an index below [`Numbers::count`].
    pub fn number(self, index: u64) -> u64 {
        self.shard.0 - 1 + index * self.shard.1
    }
}

/// Parses a shard and the number of shards, such as `2/8`.
///
/// # Errors
/// It is something else.
pub fn parse(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let expected = || format!("`{text}`: expected K/N with K from 1 to N, such as 2/8");
    numbers.filter(|&(k, n)| 1 <= k && k <= n && n <= u64::from(u32::MAX)).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_all_games() {
        let mut numbers: Vec<u64> = (1..=4)
            .map(|shard| Numbers { games: 10, shard: (shard, 4) })
            .flat_map(|shard| (0..shard.count()).map(move |index| shard.number(index)))
            .collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..10));
        assert_eq!(Numbers { games: 2, shard: (4, 4) }.count(), 0);
        assert_eq!(Numbers::all(7).count(), 7);
    }

    #[test]
    fn a_shard_that_does_not_exist_is_refused() {
        assert_eq!(parse("2/8"), Ok((2, 8)));
        for text in ["", "2", "0/8", "9/8", "2/8/1", "a/b", "-1/2"] {
            assert!(parse(text).unwrap_err().contains("K from 1 to N"), "{text}");
        }
    }
}
