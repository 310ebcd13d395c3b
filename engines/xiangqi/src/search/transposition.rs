//! Entries of this search in the shared transposition table: values are counted from the root, one
//! word holds the move and the `tt_pv` flag, and much deeper entries of the same search are kept.

use super::params;
use super::score::{value_from_tt, value_to_tt};
use crate::position::Move;
use agon_search::transposition::{Bound, Entry, TranspositionTable};

/// A table entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The value, counted from the root.
    pub value: i32,
    /// The bound type of the value.
    pub bound: Bound,
    /// The searched depth in plies; 0 for quiescence.
    pub depth: i32,
    /// The best move, or none.
    pub best: Move,
    /// Whether the position has been on a principal variation.
    pub tt_pv: bool,
}

/// The `tt_pv` flag, above the bits of a move.
const TT_PV: u32 = 1 << 16;

impl TtEntry {
    /// Whether the value causes a cut-off for a node with this window.
    #[inline]
    pub fn cuts_off(&self, alpha: i32, beta: i32) -> bool {
        self.bound.cuts_off(self.value, alpha, beta)
    }

    /// Whether the value is a better estimate than a static evaluation.
    #[inline]
    pub fn improves_on(&self, eval: i32) -> bool {
        self.bound.cuts_off(self.value, eval - 1, eval + 1)
    }

    /// The table's entry for a position `ply` plies below the root.
    #[inline]
    pub fn probe(tt: &TranspositionTable, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = tt.probe(key)?;
        let packed = entry.packed.unwrap_or(0);
        Some(TtEntry {
            value: value_from_tt(entry.value, ply),
            bound: entry.bound,
            depth: entry.depth as i32,
            best: Move(packed as u16),
            tt_pv: packed & TT_PV != 0,
        })
    }

    /// Stores the entry of a position `ply` plies below the root. If the result has no best move,
    /// the old one is kept.
    #[inline]
    pub fn store(self, tt: &TranspositionTable, key: u64, ply: usize) {
        let entry = Entry {
            value: value_to_tt(self.value, ply),
            bound: self.bound,
            depth: self.depth.max(0) as u32,
            packed: Some(u32::from(self.best.0) | if self.tt_pv { TT_PV } else { 0 }),
        };
        tt.store_with(key, entry, |entry, old, current| {
            if self.best == Move::NONE {
                let old_move = old.packed.unwrap_or(0) & (TT_PV - 1);
                entry.packed = entry.packed.map(|bits| bits | old_move);
            }
            // A much deeper result of this search is worth more than a shallow new one.
            let exact = self.bound == Bound::Exact;
            exact || !current || self.depth + params::tt_keep_plies() >= old.depth as i32
        });
    }
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
        let tt = TranspositionTable::new(1).unwrap();
        let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
        for (i, bound) in bounds.into_iter().enumerate() {
            for value in [-MATE + 9, -20_000, -1, 0, 1, MATE - 9] {
                let stored = TtEntry { bound, tt_pv: i < 2, ..entry(value, 200) };
                stored.store(&tt, mix(i as u64), 5);
                assert_eq!(TtEntry::probe(&tt, mix(i as u64), 5), Some(stored));
            }
        }
        assert_eq!(TtEntry::probe(&tt, mix(10), 5), None);
    }

    #[test]
    fn a_mate_is_as_far_from_the_node_wherever_the_node_is_met() {
        let tt = TranspositionTable::new(1).unwrap();
        entry(MATE - 10, 3).store(&tt, 7, 4);
        assert_eq!(TtEntry::probe(&tt, 7, 6).unwrap().value, MATE - 12);
    }

    #[test]
    fn deep_results_and_known_moves_are_kept() {
        let tt = TranspositionTable::new(0).unwrap();
        entry(3, 12).store(&tt, 9, 0);
        entry(4, 1).store(&tt, 9, 0);
        assert_eq!(TtEntry::probe(&tt, 9, 0), Some(entry(3, 12)));
        TtEntry { best: Move::NONE, ..entry(5, 11) }.store(&tt, 9, 0);
        assert_eq!(TtEntry::probe(&tt, 9, 0), Some(entry(5, 11)));
        tt.new_search();
        entry(4, 1).store(&tt, 9, 0);
        assert_eq!(TtEntry::probe(&tt, 9, 0), Some(entry(4, 1)));
    }
}
