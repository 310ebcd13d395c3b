//! The history heuristic (Schaeffer 1989): moves that were good elsewhere are tried early.
//!
//! A move has two features (for Amazons the amazon's step and the arrow's square); each has its own
//! counter for each player, and a move's score is their sum.

use crate::evaluator::MoveEncoding;
use crate::params;
use agon_protocol::{Game, Player};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

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
