//! Move ordering: moves by decreasing score, sorted lazily.
//!
//! A node that is cut off after a move or two does not pay for sorting two thousand.

/// A move with its score; equal scores keep the order of `index`.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    /// Moves with greater scores are tried first.
    pub score: i32,
    /// The index in generation order.
    pub index: u32,
    /// The move, or its first part.
    pub m: M,
}

impl<M> ScoredMove<M> {
    #[inline]
    fn key(&self) -> u64 {
        // Descending score, then ascending index, as one ascending key.
        u64::from(!(self.score as u32 ^ 1 << 31)) << 32 | u64::from(self.index)
    }
}

/// The number of moves picked one at a time before the rest is sorted.
const PICKED: usize = 4;

/// Moves the `i`-th best to index `i`. Call it with 0, 1, 2, ... in turn.
#[inline]
pub fn select_best<M: Copy>(moves: &mut [ScoredMove<M>], i: usize) {
    if i < PICKED {
        let best = (i..moves.len()).min_by_key(|&j| moves[j].key());
        if let Some(j) = best {
            moves.swap(i, j);
        }
    } else if i == PICKED {
        moves[i..].sort_unstable_by_key(ScoredMove::key);
    }
}

/// Keeps the `width` best moves, sorted.
pub fn truncate_to_best<M: Copy>(moves: &mut Vec<ScoredMove<M>>, width: usize) {
    if width == 0 {
        moves.clear();
    } else if width < moves.len() {
        moves.select_nth_unstable_by_key(width - 1, ScoredMove::key);
        moves.truncate(width);
    }
    moves.sort_unstable_by_key(ScoredMove::key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::rng;

    #[test]
    fn selecting_gives_the_same_order_as_sorting() {
        let mut rng = rng::stream(1, 0, "order");
        for n in [0, 1, 3, 4, 5, 100] {
            let mut moves: Vec<ScoredMove<u32>> = (0..n)
                .map(|m| ScoredMove { score: rng::below(&mut rng, 9) as i32 - 4, index: m, m })
                .collect();
            let mut sorted = moves.clone();
            sorted.sort_by_key(|s| -s.score);
            let expected: Vec<u32> = sorted.iter().map(|s| s.m).collect();
            let mut few = moves.clone();
            truncate_to_best(&mut few, 7);
            assert!(few.iter().map(|s| s.m).eq(expected.iter().copied().take(7)));
            let selected: Vec<u32> = (0..moves.len())
                .map(|i| {
                    select_best(&mut moves, i);
                    moves[i].m
                })
                .collect();
            assert_eq!(selected, expected);
        }
    }
}
