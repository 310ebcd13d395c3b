//! The transposition table, shared by threads without locks.
//!
//! An entry is two relaxed atomic words: the data, and the position's hash XOR the data (Hyatt and
//! Mann 2002). A pair torn by two writers fails its check and counts as a miss. There is no data
//! race.

use crate::params;
use memmap2::MmapMut;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The relation of a stored value to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryBound {
    /// The stored value is exact.
    Exact,
    /// The true value is at least the stored one.
    Lower,
    /// The true value is at most the stored one.
    Upper,
}

impl EntryBound {
    /// The bound of a result that a search with this window returned.
    #[inline]
    pub fn of(value: i32, alpha: i32, beta: i32) -> EntryBound {
        match value {
            v if v >= beta => EntryBound::Lower,
            v if v <= alpha => EntryBound::Upper,
            _ => EntryBound::Exact,
        }
    }

    /// Whether a stored value with this bound causes a cutoff in this window.
    #[inline]
    pub fn cuts_off(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            EntryBound::Exact => true,
            EntryBound::Lower => value >= beta,
            EntryBound::Upper => value <= alpha,
        }
    }
}

/// One entry. `value` takes 24 bits with its sign, `depth` 8, `packed` 24.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value, counted from the node (see [`crate::score::value_to_tt`]).
    pub value: i32,
    /// The bound type of the value.
    pub bound: EntryBound,
    /// The searched depth in plies.
    pub depth: u32,
    /// The best move, encoded by [`crate::evaluator::MoveEncoding::pack`]; `None` if unknown.
    pub packed: Option<u32>,
}

/// The error of a failed table allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllocationError {
    /// Not enough memory.
    #[error("cannot allocate a transposition table of {megabytes} MB; set Hash to less")]
    Memory {
        /// The requested size.
        megabytes: usize,
    },
}

const WAYS: usize = 4;
const NO_MOVE: u64 = (1 << 24) - 1;
/// Generations have 6 bits and start at 1: an all-zero word is an empty slot.
const GENERATIONS: u8 = 63;

struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four slots in one cache line.
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// Buckets that are cleared together, 512 bytes: a bit says whether one of them has an entry.
const GROUP: usize = 8;

/// A fixed-size table of search results, in huge pages where available: with small pages, the page
/// walk for a bucket takes as long as the bucket itself.
pub struct TranspositionTable {
    memory: MmapMut,
    generation: AtomicU8,
    /// One bit per [`GROUP`] of buckets with an entry.
    used: Box<[AtomicU64]>,
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
        let words = bytes.div_ceil(size_of::<Bucket>() * GROUP * 64);
        let mut used = Vec::new();
        used.try_reserve_exact(words).map_err(|_| error)?;
        used.resize_with(words, AtomicU64::default);
        let used = used.into_boxed_slice();
        let mut table = TranspositionTable { memory, generation: AtomicU8::new(1), used };
        // Touches every page now, outside thinking time.
        table.memory.fill(0);
        Ok(table)
    }

    /// Removes all entries: the table is as when it was new. Only what was used takes time, so that
    /// short games do not pay for a large table.
    pub fn clear(&mut self) {
        const BYTES: usize = size_of::<Bucket>() * GROUP;
        let groups = self.memory.chunks_mut(64 * BYTES);
        for (word, groups) in self.used.iter_mut().zip(groups) {
            let mut bits = std::mem::take(word.get_mut());
            while bits != 0 {
                let group = bits.trailing_zeros() as usize;
                let run = (bits >> group).trailing_ones() as usize;
                let end = ((group + run) * BYTES).min(groups.len());
                groups[group * BYTES..end].fill(0);
                bits &= u64::MAX.checked_shl((group + run) as u32).unwrap_or(0);
            }
        }
        *self.generation.get_mut() = 1;
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        let old = self.generation.load(Ordering::Relaxed);
        self.generation.store(old % GENERATIONS + 1, Ordering::Relaxed);
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let count = self.memory.len() / size_of::<Bucket>();
        // SAFETY: a mapping starts at a page boundary, which is aligned for a bucket; `count`
        // buckets fit into it; any bytes are a valid bucket, whose atomics allow changes behind a
        // shared reference.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), count) }
    }

    #[inline]
    fn bucket_number(&self, hash: u64) -> usize {
        // The high half of the product distributes any hash over any number of buckets.
        let buckets = self.memory.len() / size_of::<Bucket>();
        ((u128::from(hash) * buckets as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets()[self.bucket_number(hash)]
    }

    /// Notes that a bucket gets its first entry.
    #[cold]
    fn mark(&self, hash: u64) {
        let group = self.bucket_number(hash) / GROUP;
        self.used[group / 64].fetch_or(1 << (group % 64), Ordering::Relaxed);
    }

    /// Prefetches a position's bucket.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// The entry of the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (data != 0 && slot.check.load(Ordering::Relaxed) ^ data == hash).then(|| unpack(data))
        })
    }

    /// Stores a result in the slot of the same position, or else in the least valuable slot of the
    /// bucket. If the result has no best move, the old one is kept.
    pub fn store(&self, hash: u64, entry: Entry) {
        self.store_with(hash, entry, |entry, old, _| {
            entry.packed = entry.packed.or(old.packed);
            true
        });
    }

    /// Like [`TranspositionTable::store`], but `replace` decides whether to overwrite an entry of
    /// the same position. It receives the new entry, which it may change, the old one, and whether
    /// the old one is from this search; it returns whether to store the new entry.
    #[inline]
    pub fn store_with(
        &self,
        hash: u64,
        mut entry: Entry,
        replace: impl FnOnce(&mut Entry, Entry, bool) -> bool,
    ) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = (i32::MAX, 0);
        let slots = &self.bucket(hash).0;
        // Entries fill the slots of a bucket from the first one on.
        if slots[0].data.load(Ordering::Relaxed) == 0 {
            self.mark(hash);
        }
        for (i, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                victim = victim.min((i32::MIN, i));
                continue;
            }
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            if slot.check.load(Ordering::Relaxed) ^ data == hash {
                if !replace(&mut entry, unpack(data), age == 0) {
                    return;
                }
                victim = (i32::MIN, i);
                break;
            }
            victim = victim
                .min((unpack(data).depth as i32 - params::tt_age_plies() * i32::from(age), i));
        }
        let data = pack(entry, generation);
        let slot = &slots[victim.1];
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(hash ^ data, Ordering::Relaxed);
    }

    /// The share of the table filled by the current search, in permille, from a sample.
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

/// Prefetches a value into the L1 cache.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and prefetching any address is harmless; this one
        // is the address of a value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// value 24 | move 24 | depth 8 | bound 2 | generation 6, from the highest bit down.
#[inline]
fn pack(entry: Entry, generation: u8) -> u64 {
    let value = (entry.value as u32 as u64 & 0xff_ffff) << 40;
    let packed = entry.packed.map_or(NO_MOVE, u64::from) & NO_MOVE;
    let depth = u64::from(entry.depth.min(255));
    value | packed << 16 | depth << 8 | (entry.bound as u64) << 6 | u64::from(generation)
}

#[inline]
fn unpack(data: u64) -> Entry {
    let packed = data >> 16 & NO_MOVE;
    Entry {
        value: (data as i64 >> 40) as i32,
        bound: match data >> 6 & 3 {
            0 => EntryBound::Exact,
            1 => EntryBound::Lower,
            _ => EntryBound::Upper,
        },
        depth: (data >> 8 & 0xff) as u32,
        packed: (packed != NO_MOVE).then_some(packed as u32),
    }
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data & 63) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;
    use agon_games::hash::mix;

    fn entry(value: i32, depth: u32) -> Entry {
        Entry { value, bound: EntryBound::Lower, depth, packed: Some(0x12_3456) }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = TranspositionTable::new(1).unwrap();
        for (i, bound) in
            [EntryBound::Exact, EntryBound::Lower, EntryBound::Upper].into_iter().enumerate()
        {
            for value in [-WIN, -1, 0, 1, WIN] {
                let stored = Entry { value, bound, depth: 200, packed: Some(i as u32) };
                table.store(mix(9), stored);
                assert_eq!(table.probe(mix(9)), Some(stored));
            }
        }
        assert_eq!(table.probe(mix(10)), None);
    }

    #[test]
    fn a_known_move_survives_a_result_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, entry(1, 3));
        table.store(7, Entry { packed: None, ..entry(2, 4) });
        assert_eq!(table.probe(7), Some(entry(2, 4)));
    }

    #[test]
    fn old_generations_are_replaced_first() {
        let table = TranspositionTable::new(0).unwrap();
        (0..4).for_each(|i| table.store(i + 1, entry(0, 5)));
        table.new_search();
        table.store(9, entry(0, 2));
        table.store(10, entry(0, 2));
        assert!(table.probe(9).is_some() && table.probe(10).is_some());
        assert_eq!((1..5).filter(|&h| table.probe(h).is_some()).count(), 2);
    }

    #[test]
    fn clearing_forgets_and_hashfull_counts_this_search_only() {
        let mut table = TranspositionTable::new(1).unwrap();
        for i in 0..100_000 {
            table.store(mix(i), entry(0, 1));
        }
        assert!(table.hashfull() > 900, "{}", table.hashfull());
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        table.clear();
        assert!((0..100_000).all(|i| table.probe(mix(i)).is_none()));
    }

    #[test]
    fn a_cleared_table_is_as_when_it_was_new() {
        let is_empty = |table: &TranspositionTable| table.memory.iter().all(|&byte| byte == 0);
        for (megabytes, entries) in [(0, 9), (1, 1), (1, 500), (1, 1_000_000), (3, 20_000)] {
            let mut table = TranspositionTable::new(megabytes).unwrap();
            for round in 0..3 {
                (0..entries).for_each(|i| table.store(mix(i + 7 * round), entry(0, 1)));
                table.new_search();
                assert!(!is_empty(&table));
                table.clear();
                assert!(is_empty(&table), "{megabytes} {entries}");
                assert_eq!(table.generation.load(Ordering::Relaxed), 1);
            }
        }
        // The first and the last bucket.
        let mut table = TranspositionTable::new(1).unwrap();
        [0, u64::MAX].into_iter().for_each(|hash| table.store(hash, entry(0, 1)));
        table.clear();
        assert!(is_empty(&table));
    }

    #[test]
    fn threads_never_read_an_entry_that_nobody_stored() {
        let table = TranspositionTable::new(0).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let hash = mix(i % 16);
                        let value = (i % 16) as i32 * 100 + 7;
                        table.store(hash, Entry { value, ..entry(0, (thread + i % 5) as u32) });
                        if let Some(found) = table.probe(mix((i + 3) % 16)) {
                            assert_eq!(found.value, ((i + 3) % 16) as i32 * 100 + 7);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        let megabytes = usize::MAX >> 20;
        assert!(
            TranspositionTable::new(megabytes)
                .is_err_and(|e| e == AllocationError::Memory { megabytes })
        );
    }
}
