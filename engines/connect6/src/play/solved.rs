//! What the solver found in positions of the tree, shared by the threads of a search without locks.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the solver found in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Solved {
    /// The depth of the node, which set the limits; at most 254.
    pub depth: u32,
    /// The value of the win, if there is one.
    pub value: Option<i32>,
}

/// The number of results that are kept.
const SLOTS: usize = 1 << 16;

/// The last results, by the position's hash. A slot is two words: the result, and the hash XOR the result. A
/// pair that two threads have written is no result of any position.
#[derive(Debug)]
pub(super) struct SolvedTable(Box<[[AtomicU64; 2]]>);

impl SolvedTable {
    pub fn new() -> SolvedTable {
        SolvedTable((0..SLOTS).map(|_| [const { AtomicU64::new(0) }; 2]).collect())
    }

    /// Forgets all results.
    pub fn clear(&self) {
        self.0.iter().flatten().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// The result of the position with this hash.
    pub fn get(&self, hash: u64) -> Option<Solved> {
        let [data, check] = self.slot(hash).each_ref().map(|word| word.load(Ordering::Relaxed));
        (data != 0 && data ^ check == hash).then(|| unpack(data))
    }

    /// Keeps a result in place of the one in its slot.
    pub fn store(&self, hash: u64, solved: Solved) {
        let data = pack(solved);
        let [slot, check] = self.slot(hash);
        slot.store(data, Ordering::Relaxed);
        check.store(data ^ hash, Ordering::Relaxed);
    }

    fn slot(&self, hash: u64) -> &[AtomicU64; 2] {
        &self.0[hash as usize % SLOTS]
    }
}

/// value 32 | whether there is one 1 | depth plus one 8, from the highest bit down; never 0.
fn pack(Solved { depth, value }: Solved) -> u64 {
    let win = value.map_or(0, |value| u64::from(value as u32) << 32 | 1 << 8);
    win | u64::from(depth.min(254) + 1)
}

fn unpack(data: u64) -> Solved {
    let value = (data >> 8 & 1 == 1).then_some((data >> 32) as u32 as i32);
    Solved { depth: (data as u32 & 0xff) - 1, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_until_they_are_replaced_or_forgotten() {
        let table = SolvedTable::new();
        assert_eq!(table.get(0), None);
        let results = [(0, None), (3, Some(31_990)), (254, Some(-1)), (1, Some(0))];
        for (hash, (depth, value)) in (0u64..).zip(results) {
            table.store(hash, Solved { depth, value });
        }
        for (hash, (depth, value)) in (0u64..).zip(results) {
            assert_eq!(table.get(hash), Some(Solved { depth, value }));
        }
        let same_slot = 1 << 40;
        assert_eq!(table.get(same_slot), None);
        table.store(same_slot, Solved { depth: 2, value: None });
        assert_eq!(table.get(0), None);
        table.clear();
        assert!((0..4).chain([same_slot]).all(|hash| table.get(hash).is_none()));
    }

    #[test]
    fn threads_never_read_a_result_of_another_position() {
        let table = SolvedTable::new();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        // All in one slot.
                        let hash = |i: u64| (i % 16) << 40;
                        let value = |i: u64| (i % 16) as i32 * 100;
                        let depth = (thread + i % 5) as u32;
                        table.store(hash(i), Solved { depth, value: Some(value(i)) });
                        if let Some(found) = table.get(hash(i + 3)) {
                            assert_eq!(found.value, Some(value(i + 3)));
                        }
                    }
                });
            }
        });
    }
}
