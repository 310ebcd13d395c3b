//! The transposition table of this search. Threads share it without locks: data, and the hash XOR the
//! data (Hyatt and Mann 2002).
//!
//! It is not `agon_search::transposition` because that one would cost nodes per second or change the
//! tree: here a bucket can be prefetched and lies in huge pages, an entry has the `tt_pv` flag,
//! and a much deeper entry of the same search is kept.

use super::score::{value_from_tt, value_to_tt};
use crate::position::Move;
use agon_search::transposition::{AllocationError, Bound};
use memmap2::MmapMut;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What is stored about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The value, counted from the root.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// The searched depth in plies; 0: captures only.
    pub depth: i32,
    /// The best move, or none.
    pub best: Move,
    /// Whether the position has been on a principal variation.
    pub tt_pv: bool,
}

impl TtEntry {
    /// Whether the value is a cut-off for a node with this window.
    #[inline]
    pub fn cuts_off(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// Whether the value is closer to the true one than a static evaluation.
    #[inline]
    pub fn improves_on(&self, eval: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        }
    }
}

const WAYS: usize = 4;
/// Generations are 5 bits, counted from 1: an all-zero word is an empty slot.
const GENERATIONS: u8 = 31;

struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A fixed-size table, in huge pages where the system has them: with small ones, the page walk for a
/// bucket took as long as the bucket itself.
pub struct TranspositionTable {
    memory: MmapMut,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most `megabytes` (2^20 bytes), at least one bucket.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, AllocationError> {
        let error = AllocationError::Memory { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?.max(size_of::<Bucket>());
        let memory = MmapMut::map_anon(bytes).map_err(|_| error)?;
        #[cfg(target_os = "linux")]
        if let Err(e) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("the transposition table stays in small pages: {e}");
        }
        let mut table = TranspositionTable { memory, generation: AtomicU8::new(1) };
        // Touches every page now, while no clock runs.
        table.clear();
        Ok(table)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        *self.generation.get_mut() = 1;
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let count = self.memory.len() / size_of::<Bucket>();
        // SAFETY: a mapping begins at a page, which is aligned for a bucket; `count` buckets fit into
        // it; any bytes are a valid bucket, whose atomics allow changes behind a shared reference.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), count) }
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub fn new_search(&self) {
        let old = self.generation.load(Ordering::Relaxed);
        self.generation.store(old % GENERATIONS + 1, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    /// Prefetches a position's bucket.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about a position that is `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let found = data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key;
            found.then(|| {
                let mut entry = unpack(data);
                entry.value = value_from_tt(entry.value, ply);
                entry
            })
        })
    }

    /// Stores a result in place of the same position's, or else of the least useful entry of the bucket.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        entry.value = value_to_tt(entry.value, ply);
        let generation = self.generation.load(Ordering::Relaxed);
        let slots = &self.bucket(key).0;
        let mut victim = (i32::MAX, 0);
        for (i, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                victim = victim.min((i32::MIN, i));
                continue;
            }
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                let old = unpack(data);
                if entry.best == Move::NONE {
                    entry.best = old.best;
                }
                // A much deeper result of this search is worth more than a shallow new one.
                let exact = entry.bound == Bound::Exact;
                if !exact && age == 0 && entry.depth + 4 < old.depth {
                    return;
                }
                victim = (i32::MIN, i);
                break;
            }
            victim = victim.min((unpack(data).depth - 4 * i32::from(age), i));
        }
        let data = pack(entry, generation);
        let slot = &slots[victim.1];
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Permille of the table that the current search has filled, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let buckets = self.buckets();
        let sample = &buckets[..buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|b| &b.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }
}

/// Prefetches a value into the processor's first cache.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and prefetching any address is harmless; this one is
        // that of a value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// value 16 | unused 16 | move 14 | depth 8 | bound 2 | tt_pv 1 | generation 5.
#[inline]
fn pack(entry: TtEntry, generation: u8) -> u64 {
    let value = entry.value as i16 as u16;
    u64::from(value) << 48
        | (entry.best.pair() as u64) << 18
        | (entry.depth.clamp(0, 255) as u64) << 10
        | (entry.bound as u64) << 8
        | u64::from(entry.tt_pv) << 7
        | u64::from(generation)
}

#[inline]
fn unpack(data: u64) -> TtEntry {
    TtEntry {
        value: i32::from((data >> 48) as i16),
        bound: match data >> 8 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: (data >> 10 & 255) as i32,
        best: Move((data >> 18 & 0x3fff) as u16),
        tt_pv: data >> 7 & 1 == 1,
    }
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data & 31) as u8
}

#[cfg(test)]
mod tests {
    use super::super::score::MATE;
    use super::*;
    use agon_protocol::hash::mix;

    fn entry(value: i32, depth: i32) -> TtEntry {
        TtEntry { value, bound: Bound::Lower, depth, best: Move::new(89, 3), tt_pv: true }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = TranspositionTable::new(1).unwrap();
        let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
        for (i, bound) in bounds.into_iter().enumerate() {
            for value in [-MATE + 9, -20_000, -1, 0, 1, MATE - 9] {
                let stored = TtEntry { bound, tt_pv: i < 2, ..entry(value, 200) };
                table.store(mix(i as u64), 5, stored);
                assert_eq!(table.probe(mix(i as u64), 5), Some(stored));
            }
        }
        assert_eq!(table.probe(mix(10), 5), None);
    }

    #[test]
    fn a_mate_is_as_far_from_the_node_wherever_the_node_is_met() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, 4, entry(MATE - 10, 3));
        assert_eq!(table.probe(7, 6).unwrap().value, MATE - 12);
    }

    #[test]
    fn old_generations_are_replaced_first_and_deep_results_are_kept() {
        let table = TranspositionTable::new(0).unwrap();
        (0..4).for_each(|i| table.store(i + 1, 0, entry(0, 5)));
        table.new_search();
        table.store(9, 0, entry(3, 12));
        table.store(9, 0, entry(4, 1));
        assert_eq!(table.probe(9, 0), Some(entry(3, 12)));
        table.store(10, 0, entry(0, 2));
        assert_eq!((1..5).filter(|&key| table.probe(key, 0).is_some()).count(), 2);
    }
}
