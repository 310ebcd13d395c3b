//! Values of this search, which fit in 16 bits, and its entries in the shared transposition table.
//!
//! In ascending order, values are static evaluations, wins by repetition, and mates, whether found by
//! search or in the tablebase. Those of entries are counted from the root, one word holds the move and
//! the `tt_pv` flag, and much deeper entries of the same search are kept.

use super::params;
use crate::position::Move;
use agon_search::score::WIN;
use agon_search::transposition::{Entry, EntryBound, TranspositionTable};

/// The value of a mate at the root itself; a mate `p` plies below it is worth `MATE - p`.
pub const MATE: i32 = 32_000;
/// The value of a win by repetition at the root itself.
pub const REPETITION_WIN: i32 = 29_000;
/// Greater than every value.
pub const INFINITE: i32 = 32_500;
/// The maximum length of a line; it keeps mates above repetition wins and those above static
/// evaluations.
pub const MAX_PLY: usize = 240;
/// The maximum total plies of a line and a tablebase mate at its end.
const MAX_MATE_PLIES: i32 = 2 * MAX_PLY as i32 + 20;

/// Whether a value is a mate.
pub const fn is_mate(value: i32) -> bool {
    value.abs() >= MATE - MAX_MATE_PLIES
}

/// Whether a value is a proved win or loss, not an evaluation.
pub const fn is_decisive(value: i32) -> bool {
    value.abs() >= REPETITION_WIN - MAX_PLY as i32
}

/// The value of being mated `ply` plies below the root.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The winner's value of a tablebase mate in `plies`, at a node `ply` plies below the root.
pub const fn tablebase_win(plies: u32, ply: usize) -> i32 {
    let plies = if plies > 2 * MAX_PLY as u32 { 2 * MAX_PLY as u32 } else { plies };
    let far = plies as i32 + ply as i32;
    MATE - if far < MAX_MATE_PLIES { far } else { MAX_MATE_PLIES }
}

/// Converts a value counted from the root into one counted from a node, as the table stores it.
pub const fn value_to_tt(value: i32, ply: usize) -> i32 {
    if is_decisive(value) { value + value.signum() * ply as i32 } else { value }
}

/// The inverse of [`value_to_tt`].
pub const fn value_from_tt(value: i32, ply: usize) -> i32 {
    if is_decisive(value) { value - value.signum() * ply as i32 } else { value }
}

/// Converts a value to the scale of `agon_search::score`, for reports.
pub const fn to_report(value: i32) -> i32 {
    if !is_mate(value) {
        value
    } else if value > 0 {
        WIN - (MATE - value)
    } else {
        (MATE + value) - WIN
    }
}

/// A table entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The value, counted from the root.
    pub value: i32,
    /// The bound type of the value.
    pub bound: EntryBound,
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
            let exact = self.bound == EntryBound::Exact;
            exact || !current || self.depth + params::tt_keep_plies() >= old.depth as i32
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::hash::mix;

    #[test]
    fn node_and_root_values_are_inverse() {
        for value in
            [mated_in(7), -REPETITION_WIN + 3, -300, 0, 12, tablebase_win(40, 9), MATE - 40]
        {
            for ply in [0, 1, 9] {
                assert_eq!(value_from_tt(value_to_tt(value, ply), ply), value);
            }
        }
    }

    #[test]
    fn evaluations_wins_and_mates_do_not_overlap() {
        assert!(!is_decisive(crate::evaluation::EVAL_LIMIT));
        assert!(is_mate(tablebase_win(u32::MAX, 200)) && is_mate(tablebase_win(252, MAX_PLY)));
        assert!(is_decisive(REPETITION_WIN - MAX_PLY as i32) && !is_mate(REPETITION_WIN));
        assert_eq!(to_report(tablebase_win(7, 2)), WIN - 9);
        assert!(is_mate(MATE - MAX_PLY as i32));
        assert_eq!(to_report(MATE - 3), WIN - 3);
        assert_eq!(to_report(mated_in(4)), 4 - WIN);
    }

    fn entry(value: i32, depth: i32) -> TtEntry {
        TtEntry { value, bound: EntryBound::Lower, depth, best: Move::new(89, 3), tt_pv: true }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let tt = TranspositionTable::new(1).unwrap();
        let bounds = [EntryBound::Exact, EntryBound::Lower, EntryBound::Upper];
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
