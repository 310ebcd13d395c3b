//! What a search remembers of positions: that there is no win within a depth, or the win.

use super::proof::Step;
use agon_protocol::hash::FastMap;
use std::sync::Arc;

/// The depth stored where deeper searches would find nothing new.
pub const COMPLETE: u32 = u8::MAX as u32;

/// The bits of a failure that hold its depth.
const DEPTH: u64 = COMPLETE as u64;

/// Places at most, as a power of two.
const MOST_BITS: u32 = 18;

/// Failures in a table of fixed size, a new one over an old one; wins, which are few, for good.
pub struct Table {
    bits: u32,
    /// Keys, with the depth in place of their last byte; 0 where there is none.
    failures: Vec<u64>,
    wins: FastMap<u64, Arc<Step>>,
}

impl Table {
    /// A table for a search that places so many stones at most; no memory is taken before the
    /// first failure.
    pub fn new(stones: u64) -> Table {
        let bits = (stones.max(256).ilog2() - 2).min(MOST_BITS);
        Table { bits, failures: Vec::new(), wins: FastMap::default() }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }

    /// Whether no win was found within `depth` turns.
    #[inline]
    pub fn fails(&self, key: u64, depth: u32) -> Option<u32> {
        let &stored = self.failures.get(self.place(key))?;
        let searched = (stored & DEPTH) as u32;
        ((stored ^ key) & !DEPTH == 0 && searched >= depth).then_some(searched)
    }

    /// No win was found within `depth` turns, or at all ([`COMPLETE`]).
    #[inline]
    pub fn fail(&mut self, key: u64, depth: u32) {
        if self.failures.is_empty() {
            self.failures = vec![0; 1 << self.bits];
        }
        let place = self.place(key);
        self.failures[place] = key & !DEPTH | u64::from(depth.min(COMPLETE));
    }

    /// A win found before.
    pub fn win(&self, key: u64) -> Option<&Arc<Step>> {
        self.wins.get(&key)
    }

    /// Remembers a win.
    pub fn won(&mut self, key: u64, proof: Arc<Step>) {
        self.wins.insert(key, proof);
    }

    /// Forgets the failures: what the search may do has changed.
    pub fn clear_failures(&mut self) {
        self.failures.clear();
    }
}
