//! The transposition table of VCDT: positions without a win within a depth, and wins with their
//! proofs.
//!
//! It is separate from the table of `agon_search`, which stores a value, a bound and a move in 16
//! bytes and is shared by threads. This table needs one word per failure, keeps proofs, belongs to
//! a single search, and starts at 8 KiB: the inner nodes of a game search start thousands of small
//! searches per second, and allocating and clearing a table of fixed size would cost more than the
//! search.

use crate::proof::Step;
use agon_games::hash::FastMap;
use std::sync::Arc;

/// The stored depth of a position for which deeper searches would find nothing new.
pub const COMPLETE: u32 = u8::MAX as u32;

/// The bits of a failure that hold the depth.
const DEPTH_MASK: u64 = COMPLETE as u64;

/// The initial and maximum sizes as powers of two, and the step of growth.
const MIN_BITS: u32 = 10;
const MAX_BITS: u32 = 18;
const STEP_BITS: u32 = 2;

/// A slot, selected by the key's first bits, holds the last failure stored there; wins, which are
/// few, are all kept. Memory grows with the number of slots in use: while there are fewer cells
/// than slots, a failure is in the first free cell starting at its slot's, so a table that has not
/// grown yet answers like a full-sized one.
pub struct VcdtTable {
    /// The number of slots, as a power of two.
    slot_bits: u32,
    /// The number of cells, as a power of two.
    bits: u32,
    filled: usize,
    /// Keys with the last byte replaced by the depth; 0: empty.
    failures: Vec<u64>,
    wins: FastMap<u64, Arc<Step>>,
}

impl VcdtTable {
    /// A table for a search that places at most `stones`; memory is allocated at the first failure.
    pub fn new(stones: u64) -> VcdtTable {
        let slot_bits = (stones.max(256).ilog2() - 2).min(MAX_BITS);
        let bits = slot_bits.min(MIN_BITS);
        VcdtTable { slot_bits, bits, filled: 0, failures: Vec::new(), wins: FastMap::default() }
    }

    /// The cell of this key's slot. Either a cell is free, or each slot has its own.
    #[inline]
    fn cell(&self, key: u64) -> usize {
        let mut cell = (key >> (64 - self.bits)) as usize;
        loop {
            let stored = self.failures[cell];
            if stored == 0 || (stored ^ key) >> (64 - self.slot_bits) == 0 {
                return cell;
            }
            cell = (cell + 1) & (self.failures.len() - 1);
        }
    }

    /// The depth of a stored failure if it is at least `depth`.
    #[inline]
    pub fn failure(&self, key: u64, depth: u32) -> Option<u32> {
        if self.failures.is_empty() {
            return None;
        }
        let stored = self.failures[self.cell(key)];
        let searched = (stored & DEPTH_MASK) as u32;
        ((stored ^ key) & !DEPTH_MASK == 0 && searched >= depth).then_some(searched)
    }

    /// Stores that there is no win within `depth` turns, or none at all ([`COMPLETE`]).
    #[inline]
    pub fn store_failure(&mut self, key: u64, depth: u32) {
        if self.failures.is_empty() {
            self.failures = vec![0; 1 << self.bits];
        } else if self.bits < self.slot_bits && 2 * self.filled >= self.failures.len() {
            self.grow();
        }
        let cell = self.cell(key);
        self.filled += usize::from(self.failures[cell] == 0);
        self.failures[cell] = key & !DEPTH_MASK | u64::from(depth.clamp(1, COMPLETE));
    }

    #[cold]
    fn grow(&mut self) {
        self.bits = (self.bits + STEP_BITS).min(self.slot_bits);
        let old = std::mem::replace(&mut self.failures, vec![0; 1 << self.bits]);
        for failure in old.into_iter().filter(|f| *f != 0) {
            let cell = self.cell(failure);
            self.failures[cell] = failure;
        }
    }

    /// The stored win of a position.
    pub fn win(&self, key: u64) -> Option<&Arc<Step>> {
        self.wins.get(&key)
    }

    /// Stores a win.
    pub fn store_win(&mut self, key: u64, proof: Arc<Step>) {
        self.wins.insert(key, proof);
    }

    /// Clears the failures, after the set of admitted turns has changed.
    pub fn clear_failures(&mut self) {
        self.failures.clear();
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::hash::mix;

    #[test]
    fn a_table_that_grows_is_one_of_full_size() {
        for stones in [500, 100_000, u64::MAX] {
            let mut table = VcdtTable::new(stones);
            let slots = 1u64 << table.slot_bits;
            let mut full = vec![(0, 0); slots as usize];
            let slot = |key: u64| (key >> (64 - slots.ilog2())) as usize;
            for i in 0..300_000 {
                let (key, depth) = (mix(i % 100_000), 1 + (i % 20) as u32);
                let (stored, searched) = full[slot(key)];
                let known = (stored == key && searched >= 7).then_some(searched);
                assert_eq!(table.failure(key, 7), known, "{i}");
                if i % 3 != 0 {
                    table.store_failure(key, depth);
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
