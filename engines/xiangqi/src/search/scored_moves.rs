//! A list of scored moves for repeated selection of the best move.

use crate::position::Move;
use arrayvec::ArrayVec;

/// A move's score in the high bits and its index in the list in the low bits, as one key.
type Key = i32;

const INDEX_BITS: u32 = 7;
const CAPACITY: usize = 1 << INDEX_BITS;
/// The number of keys compared at a time with vector instructions.
const ROW: usize = 16;
/// The maximum score that fits in a key.
const MAX_SCORE: i32 = (1 << (31 - INDEX_BITS)) - 1;
/// The key of a move that has been picked; below all others.
const PICKED: Key = i32::MIN;

/// Moves with their scores.
pub(super) struct ScoredMoves {
    keys: [Key; CAPACITY],
    moves: [Move; CAPACITY],
    len: usize,
    /// The greatest key.
    best: Key,
}

impl ScoredMoves {
    #[inline]
    pub fn new() -> ScoredMoves {
        let (keys, moves) = ([PICKED; CAPACITY], [Move::NONE; CAPACITY]);
        ScoredMoves { keys, moves, len: 0, best: PICKED }
    }

    /// The number of moves in the list, including picked ones.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a move; `score` within plus and minus [`MAX_SCORE`].
    #[inline]
    pub fn push(&mut self, score: i32, from: usize, to: usize) {
        debug_assert!(score.abs() <= MAX_SCORE && self.len < CAPACITY);
        // No position has more moves than the capacity.
        let index = self.len & (CAPACITY - 1);
        let key = score << INDEX_BITS | index as Key;
        self.keys[index] = key;
        self.best = self.best.max(key);
        self.moves[index] = Move::new(from, to);
        self.len += 1;
    }

    /// Finds the greatest key by whole rows: keys beyond the last move are equivalent to picked
    /// ones.
    #[inline]
    fn find_best(&mut self) {
        let mut best = [PICKED; ROW];
        for row in self.keys.chunks_exact(ROW).take(self.len.div_ceil(ROW)) {
            for (best, &key) in best.iter_mut().zip(row) {
                *best = key.max(*best);
            }
        }
        self.best = best.into_iter().fold(PICKED, i32::max);
    }

    pub fn clear(&mut self) {
        if self.best != PICKED {
            self.keys.fill(PICKED);
        }
        self.len = 0;
        self.best = PICKED;
    }

    /// Removes and returns the best move and its score, and finds the next best while the keys are
    /// in the cache and latency is hidden.
    #[inline(never)]
    pub fn pick(&mut self) -> Option<(Move, i32)> {
        let best = self.best;
        if best == PICKED {
            return None;
        }
        let index = best as usize & (CAPACITY - 1);
        self.keys[index] = PICKED;
        self.find_best();
        Some((self.moves[index], best >> INDEX_BITS))
    }

    /// Removes all moves but `moves`; returns how many were removed.
    pub fn retain(&mut self, moves: &[Move]) -> usize {
        let len = self.len & (CAPACITY - 1);
        let left = self.keys[..len].iter().filter(|&&key| key != PICKED).count();
        let mut kept: ArrayVec<(usize, Key), CAPACITY> = ArrayVec::new();
        for m in moves {
            if let Some(index) = self.moves[..len].iter().position(|other| other == m)
                && self.keys[index] != PICKED
            {
                let _ = kept.try_push((index, self.keys[index]));
            }
        }
        self.keys[..len].fill(PICKED);
        for &(index, key) in &kept {
            self.keys[index] = key;
        }
        self.find_best();
        left - kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_score_and_each_once() {
        let mut list = ScoredMoves::new();
        let scores = [-MAX_SCORE, -57_344, -1, 0, 1, 57_344, MAX_SCORE, 7, 7, 8];
        for (i, score) in scores.into_iter().enumerate() {
            list.push(score, i, 89);
        }
        let picked: Vec<_> = std::iter::from_fn(|| list.pick()).collect();
        let order: Vec<usize> = picked.iter().map(|(m, _)| m.from()).collect();
        assert_eq!(order, [6, 5, 9, 8, 7, 4, 3, 2, 1, 0]);
        assert_eq!((picked[0].1, picked[1].1, picked[9].1), (MAX_SCORE, 57_344, -MAX_SCORE));
    }

    #[test]
    fn removed_moves_are_not_picked_and_a_cleared_list_is_empty() {
        let mut list = ScoredMoves::new();
        for len in [CAPACITY - 1, 5 * ROW + 3, ROW + 1, ROW, ROW - 1, 1] {
            // All scores are different, in no order.
            let score = |from: usize| (from * 37 % 128) as i32 - 60;
            let mut moves: Vec<Move> = (0..len).map(|from| Move::new(from, 89)).collect();
            moves.iter().for_each(|m| list.push(score(m.from()), m.from(), m.to()));
            moves.sort_by_key(|m| -score(m.from()));
            assert_eq!(list.pick(), Some((moves[0], score(moves[0].from()))));
            // The picked move does not come back.
            let kept: Vec<Move> = moves.iter().copied().step_by(3).collect();
            assert_eq!(list.retain(&kept), len - 1 - (kept.len() - 1), "{len}");
            let picked: Vec<Move> = std::iter::from_fn(|| list.pick()).map(|p| p.0).collect();
            assert_eq!(picked, kept[1..], "{len}");
            // Some moves remain when the list is reused.
            list.clear();
            (0..=ROW).for_each(|from| list.push(100, from, 2));
            assert!(list.pick().is_some());
            list.clear();
            assert_eq!(list.pick(), None);
        }
    }
}
