//! What makes `best` selective, as numbers that matches can tune.

use super::params;

/// How `best` searches.
#[derive(Clone, Debug)]
pub struct SelectiveSettings {
    /// Search threads sharing the table.
    pub threads: usize,
    /// What may be left out; `None` searches everything, to the same value as plain negamax.
    pub selectivity: Option<Selectivity>,
    /// Half the width of the first aspiration window; 0 opens it fully at once.
    pub aspiration: i32,
}

/// Everything is searched.
impl Default for SelectiveSettings {
    fn default() -> SelectiveSettings {
        SelectiveSettings { threads: 1, selectivity: None, aspiration: 60 }
    }
}

/// What is left out. Values are hundredths of the game's unit.
#[derive(Clone, Debug)]
pub struct Selectivity {
    /// Partial moves looked at: at depth 1, and for each further ply.
    pub partial_moves: [usize; 2],
    /// Moves searched, by static evaluation after the move: at depth 1, and for each further ply.
    pub moves: [usize; 2],
    /// The root searches this many times as many of both.
    pub root_factor: usize,
    /// Beam: moves whose static evaluation is this far below the best one are dropped: at depth 1,
    /// and for each further ply.
    pub beam: [i32; 2],
    /// Futility pruning: a move is skipped if the evaluation of its partial move and what its
    /// completion has added elsewhere stay this far below what is needed.
    pub futility_margin: i32,
    /// Reverse futility pruning: a static evaluation this far above beta, for each ply of depth
    /// beyond the first, is a cutoff.
    pub reverse_futility_margin: i32,
    /// Reverse futility pruning: up to this depth.
    pub reverse_futility_depth: u32,
    /// Late-move reductions: a move loses `ln(depth) * ln(index) * 100 / this` plies; 0: none.
    pub lmr_divisor: u32,
    /// A history counter of this much weighs as much as one hundredth of a unit.
    pub history_divisor: i32,
}

impl Selectivity {
    /// Partial moves looked at with this much depth left.
    pub fn partial_moves_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.partial_moves[0] + self.partial_moves[1] * (depth.max(1) as usize - 1), ply)
    }

    /// Moves searched with this much depth left.
    pub fn moves_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.moves[0] + self.moves[1] * (depth.max(1) as usize - 1), ply)
    }

    /// How far below the best one a move's static evaluation may be.
    pub fn beam_at(&self, depth: u32) -> i32 {
        self.beam[0] + self.beam[1] * (depth.max(1) as i32 - 1)
    }

    fn scale(&self, width: usize, ply: u32) -> usize {
        if ply == 0 { width * self.root_factor } else { width }
    }
}

/// `table[depth][index]`: the plies that late moves are reduced by.
pub(super) fn reductions(percent: u32) -> Vec<[u8; 64]> {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let row = |depth: usize| {
        std::array::from_fn(|index| {
            if percent == 0 || depth < params::lmr_depth() || index < params::lmr_moves() {
                return 0;
            }
            // At least one ply stays.
            let plies = ln(depth) * ln(index) * 100.0 / f64::from(percent);
            (plies as usize).min(depth - 2) as u8
        })
    };
    (0..64).map(row).collect()
}
