//! Move ordering: moves by decreasing score, sorted lazily, because a node that is cut off after a move
//! or two does not pay for sorting two thousand; and the history heuristic (Schaeffer 1989), by which
//! moves that were good elsewhere are tried early.
//!
//! A move has two features (for Amazons the amazon's step and the arrow's square); each has its own
//! counter for each player, and a move's score in the history is their sum.

use crate::evaluator::MoveEncoding;
use crate::params;
use agon_games::{Game, Player};
use std::marker::PhantomData;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

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

/// The limit of counters under history gravity.
pub const LIMIT: i32 = 1 << 14;

/// The counters, which the threads of a search share. Of two changes at the same time one may be lost.
#[derive(Debug)]
pub struct History<G, H> {
    counters: [[Vec<AtomicI32>; 2]; 2],
    game: PhantomData<fn() -> (G, H)>,
}

impl<G: Game, H: MoveEncoding<G>> Default for History<G, H> {
    fn default() -> Self {
        let side = || H::HISTORY_KEYS.map(|keys| (0..keys).map(|_| AtomicI32::new(0)).collect());
        History { counters: [side(), side()], game: PhantomData }
    }
}

impl<G: Game, H: MoveEncoding<G>> History<G, H> {
    /// The history score of `m` for `player`.
    #[inline]
    pub fn score(&self, player: Player, m: G::Move) -> i32 {
        let [first, second] = H::history_keys(m);
        let counters = &self.counters[player.index()];
        counters[0][first].load(Relaxed) + counters[1][second].load(Relaxed)
    }

    /// The score of moves with this first feature for `player`.
    #[inline]
    pub fn first_key_score(&self, player: Player, key: usize) -> i32 {
        self.counters[player.index()][0][key].load(Relaxed)
    }

    /// Adds the bonus `depth` squared to `m`, which was best or caused a cutoff in a search of
    /// `depth` plies.
    pub fn add_bonus(&self, player: Player, m: G::Move, depth: u32) {
        self.add(player, m, (depth * depth) as i32);
    }

    /// Adds a bonus or, if negative, a malus, with history gravity: the closer a counter is to plus
    /// or minus [`LIMIT`], the less is added. The magnitude of `amount` must be less than
    /// [`LIMIT`].
    pub fn update(&self, player: Player, m: G::Move, amount: i32) {
        for (counters, key) in self.counters[player.index()].iter().zip(H::history_keys(m)) {
            let old = counters[key].load(Relaxed);
            counters[key].store(old + amount - old * amount.abs() / LIMIT, Relaxed);
        }
    }

    fn add(&self, player: Player, m: G::Move, amount: i32) {
        let mut high = false;
        for (counters, key) in self.counters[player.index()].iter().zip(H::history_keys(m)) {
            let new = counters[key].load(Relaxed) + amount;
            counters[key].store(new, Relaxed);
            high |= new.abs() > params::history_max();
        }
        if high {
            self.age();
        }
    }

    /// Halves every counter, so that old results count less.
    pub fn age(&self) {
        self.counters
            .iter()
            .flatten()
            .flatten()
            .for_each(|c| c.store(c.load(Relaxed) / 2, Relaxed));
    }

    /// Clears all counters.
    pub fn clear(&self) {
        self.counters.iter().flatten().flatten().for_each(|c| c.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;

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
