//! What a search remembers of positions: that there is no win within a depth, or the win.

use super::proof::Step;
use agon_protocol::hash::FastMap;
use std::sync::Arc;

/// The depth stored where deeper searches would find nothing new.
pub const COMPLETE: u32 = u8::MAX as u32;

const BITS: u32 = 18;

/// Failures in a table of fixed size, a new one over an old one; wins, which are few, for good.
#[derive(Default)]
pub struct Table {
    failures: Vec<(u64, u8)>,
    wins: FastMap<u64, Arc<Step>>,
}

impl Table {
    /// Whether no win was found within `depth` turns.
    #[inline]
    pub fn fails(&self, key: u64, depth: u32) -> Option<u32> {
        let &(stored, searched) = self.failures.get((key >> (64 - BITS)) as usize)?;
        (stored == key && u32::from(searched) >= depth).then_some(u32::from(searched))
    }

    /// No win was found within `depth` turns, or at all ([`COMPLETE`]).
    #[inline]
    pub fn fail(&mut self, key: u64, depth: u32) {
        if self.failures.is_empty() {
            self.failures.resize(1 << BITS, (0, 0));
        }
        self.failures[(key >> (64 - BITS)) as usize] = (key, depth.min(COMPLETE) as u8);
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
