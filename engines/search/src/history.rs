//! The history heuristic (Schaeffer 1989): moves that were good elsewhere are tried early.
//!
//! A move has two features (for Amazons the amazon's step and the arrow's square); each has its own
//! counter for each player, and a move's score is their sum.

use crate::evaluator::MoveEncoding;
use crate::params;
use agon_protocol::{Game, Player};
use std::marker::PhantomData;

/// The limit of counters under history gravity.
pub const LIMIT: i32 = 1 << 14;

/// The counters of one search thread.
#[derive(Debug)]
pub struct History<G, H> {
    counters: [[Vec<i32>; 2]; 2],
    game: PhantomData<fn() -> (G, H)>,
}

impl<G, H> Clone for History<G, H> {
    fn clone(&self) -> Self {
        History { counters: self.counters.clone(), game: PhantomData }
    }
}

impl<G: Game, H: MoveEncoding<G>> Default for History<G, H> {
    fn default() -> Self {
        let side = || H::HISTORY_KEYS.map(|keys| vec![0; keys]);
        History { counters: [side(), side()], game: PhantomData }
    }
}

impl<G: Game, H: MoveEncoding<G>> History<G, H> {
    /// The history score of `m` for `player`.
    #[inline]
    pub fn score(&self, player: Player, m: G::Move) -> i32 {
        let [first, second] = H::history_keys(m);
        let counters = &self.counters[player.index()];
        counters[0][first] + counters[1][second]
    }

    /// The score of moves with this first feature for `player`.
    #[inline]
    pub fn first_key_score(&self, player: Player, key: usize) -> i32 {
        self.counters[player.index()][0][key]
    }

    /// Adds the bonus `depth` squared to `m`, which was best or caused a cutoff in a search of
    /// `depth` plies.
    pub fn add_bonus(&mut self, player: Player, m: G::Move, depth: u32) {
        self.add(player, m, (depth * depth) as i32);
    }

    /// Adds a bonus or, if negative, a malus, with history gravity: the closer a counter is to plus
    /// or minus [`LIMIT`], the less is added. The magnitude of `amount` must be less than
    /// [`LIMIT`].
    pub fn update(&mut self, player: Player, m: G::Move, amount: i32) {
        for (counters, key) in self.counters[player.index()].iter_mut().zip(H::history_keys(m)) {
            counters[key] += amount - counters[key] * amount.abs() / LIMIT;
        }
    }

    fn add(&mut self, player: Player, m: G::Move, amount: i32) {
        let mut high = false;
        for (counters, key) in self.counters[player.index()].iter_mut().zip(H::history_keys(m)) {
            counters[key] += amount;
            high |= counters[key].abs() > params::history_max();
        }
        if high {
            self.age();
        }
    }

    /// Halves every counter, so that old results count less.
    pub fn age(&mut self) {
        self.counters.iter_mut().flatten().flatten().for_each(|c| *c /= 2);
    }

    /// Clears all counters.
    pub fn clear(&mut self) {
        self.counters.iter_mut().flatten().flatten().for_each(|c| *c = 0);
    }
}
