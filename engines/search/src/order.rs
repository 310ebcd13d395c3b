//! Moves in order of falling score, sorted only as far as they are asked for.
//!
//! A node that is cut off after a move or two does not pay for sorting two thousand.

/// A move with its score; equal scores keep the order of `place`.
#[derive(Clone, Copy, Debug)]
pub struct Scored<M> {
    /// Greater is tried earlier.
    pub score: i32,
    /// The place in generation order.
    pub place: u32,
    /// The move, or the first part of one.
    pub m: M,
}

impl<M> Scored<M> {
    #[inline]
    fn key(&self) -> u64 {
        // Falling score, then rising place, as one rising number.
        u64::from(!(self.score as u32 ^ 1 << 31)) << 32 | u64::from(self.place)
    }
}

/// So many are picked one at a time before the rest is sorted.
const PICKED: usize = 4;

/// Brings the `i`-th in order to index `i`. Call it with 0, 1, 2, ... in turn.
#[inline]
pub fn settle<M: Copy>(moves: &mut [Scored<M>], i: usize) {
    if i < PICKED {
        let best = (i..moves.len()).min_by_key(|&j| moves[j].key());
        if let Some(j) = best {
            moves.swap(i, j);
        }
    } else if i == PICKED {
        moves[i..].sort_unstable_by_key(Scored::key);
    }
}

/// Keeps the `width` first in order, sorted.
pub fn keep_best<M: Copy>(moves: &mut Vec<Scored<M>>, width: usize) {
    if width == 0 {
        moves.clear();
    } else if width < moves.len() {
        moves.select_nth_unstable_by_key(width - 1, Scored::key);
        moves.truncate(width);
    }
    moves.sort_unstable_by_key(Scored::key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::rng;

    #[test]
    fn settling_gives_the_same_order_as_sorting() {
        let mut rng = rng::stream(1, 0, "order");
        for n in [0, 1, 3, 4, 5, 100] {
            let mut moves: Vec<Scored<u32>> = (0..n)
                .map(|m| Scored { score: rng::below(&mut rng, 9) as i32 - 4, place: m, m })
                .collect();
            let mut sorted = moves.clone();
            sorted.sort_by_key(|s| -s.score);
            let expected: Vec<u32> = sorted.iter().map(|s| s.m).collect();
            let mut few = moves.clone();
            keep_best(&mut few, 7);
            assert!(few.iter().map(|s| s.m).eq(expected.iter().copied().take(7)));
            let settled: Vec<u32> = (0..moves.len())
                .map(|i| {
                    settle(&mut moves, i);
                    moves[i].m
                })
                .collect();
            assert_eq!(settled, expected);
        }
    }
}
