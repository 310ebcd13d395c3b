//! What a search remembers of positions: that there is no win within a depth, or the win.

use super::proof::Step;
use agon_protocol::hash::FastMap;
use std::sync::Arc;

/// The depth stored where deeper searches would find nothing new.
pub const COMPLETE: u32 = u8::MAX as u32;

/// The bits of a failure that hold its depth.
const DEPTH: u64 = COMPLETE as u64;

/// Places at first and at most, as powers of two, and the step by which they grow.
const LEAST_BITS: u32 = 10;
const MOST_BITS: u32 = 18;
const STEP_BITS: u32 = 2;

/// Failures, a new one over an old one of the same slot, which is named by the key's first bits;
/// wins, which are few, for good. The memory grows with the slots in use: while it has fewer places
/// than there are slots, a failure lies in the next free place from its slot's on.
pub struct Table {
    /// There are so many slots, as a power of two.
    slot_bits: u32,
    bits: u32,
    filled: usize,
    /// Keys, with the depth in place of their last byte; 0 where there is none.
    failures: Vec<u64>,
    wins: FastMap<u64, Arc<Step>>,
}

impl Table {
    /// A table for a search that places so many stones at most; no memory is taken before the
    /// first failure.
    pub fn new(stones: u64) -> Table {
        let slot_bits = (stones.max(256).ilog2() - 2).min(MOST_BITS);
        let bits = slot_bits.min(LEAST_BITS);
        Table { slot_bits, bits, filled: 0, failures: Vec::new(), wins: FastMap::default() }
    }

    /// Where the failure of this key's slot is, or would be. There is a free place at least, or
    /// each slot has its own.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut place = (key >> (64 - self.bits)) as usize;
        loop {
            let stored = self.failures[place];
            if stored == 0 || (stored ^ key) >> (64 - self.slot_bits) == 0 {
                return place;
            }
            place = (place + 1) & (self.failures.len() - 1);
        }
    }

    /// Whether no win was found within `depth` turns.
    #[inline]
    pub fn fails(&self, key: u64, depth: u32) -> Option<u32> {
        if self.failures.is_empty() {
            return None;
        }
        let stored = self.failures[self.place(key)];
        let searched = (stored & DEPTH) as u32;
        ((stored ^ key) & !DEPTH == 0 && searched >= depth).then_some(searched)
    }

    /// No win was found within `depth` turns, or at all ([`COMPLETE`]).
    #[inline]
    pub fn fail(&mut self, key: u64, depth: u32) {
        if self.failures.is_empty() {
            self.failures = vec![0; 1 << self.bits];
        } else if self.bits < self.slot_bits && 2 * self.filled >= self.failures.len() {
            self.grow();
        }
        let place = self.place(key);
        self.filled += usize::from(self.failures[place] == 0);
        self.failures[place] = key & !DEPTH | u64::from(depth.clamp(1, COMPLETE));
    }

    #[cold]
    fn grow(&mut self) {
        self.bits = (self.bits + STEP_BITS).min(self.slot_bits);
        let old = std::mem::replace(&mut self.failures, vec![0; 1 << self.bits]);
        for failure in old.into_iter().filter(|f| *f != 0) {
            let place = self.place(failure);
            self.failures[place] = failure;
        }
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
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::hash::mix;

    #[test]
    fn a_table_that_grows_is_one_of_full_size() {
        for stones in [500, 100_000, u64::MAX] {
            let mut table = Table::new(stones);
            let slots = 1u64 << table.slot_bits;
            let mut full = vec![(0, 0); slots as usize];
            let slot = |key: u64| (key >> (64 - slots.ilog2())) as usize;
            for i in 0..300_000 {
                let (key, depth) = (mix(i % 100_000), 1 + (i % 20) as u32);
                let (stored, searched) = full[slot(key)];
                let known = (stored == key && searched >= 7).then_some(searched);
                assert_eq!(table.fails(key, 7), known, "{i}");
                if i % 3 != 0 {
                    table.fail(key, depth);
                    full[slot(key)] = (key, depth);
                }
                if i == 50_000 {
                    table.clear_failures();
                    full.fill((0, 0));
                }
            }
        }
    }
}
