//! What a search remembers of positions: that there is no win within a depth, or the win.

use super::proof::Step;
use agon_protocol::hash::FastMap;
use std::sync::Arc;

/// The depth stored where deeper searches would find nothing new.
pub const COMPLETE: u32 = u8::MAX as u32;

/// Places at most, as a power of two.
const MOST_BITS: u32 = 18;

/// Failures in a table of fixed size, a new one over an old one; wins, which are few, for good.
pub struct Table {
    bits: u32,
    failures: Vec<(u64, u8)>,
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
        let &(stored, searched) = self.failures.get(self.place(key))?;
        (stored == key && u32::from(searched) >= depth).then_some(u32::from(searched))
    }

    /// No win was found within `depth` turns, or at all ([`COMPLETE`]).
    #[inline]
    pub fn fail(&mut self, key: u64, depth: u32) {
        if self.failures.is_empty() {
            self.failures.resize(1 << self.bits, (0, 0));
        }
        let place = self.place(key);
        self.failures[place] = (key, depth.min(COMPLETE) as u8);
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
