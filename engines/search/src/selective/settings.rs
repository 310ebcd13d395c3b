//! The settings of the selective search.

use super::params;

/// The settings of `best`.
#[derive(Clone, Debug)]
pub struct SelectiveSettings {
    /// Search threads, which share the table and nodes.
    pub threads: usize,
    /// The selectivity; `None` searches everything, with the same value as plain negamax.
    pub selectivity: Option<Selectivity>,
    /// Half the width of the first aspiration window; 0 uses the full window.
    pub aspiration: i32,
}

/// Nothing is pruned.
impl Default for SelectiveSettings {
    fn default() -> SelectiveSettings {
        SelectiveSettings { threads: 1, selectivity: None, aspiration: 60 }
    }
}

/// The pruning limits. Values are 1/100 of the game's unit.
#[derive(Clone, Debug)]
pub struct Selectivity {
    /// Maximum number of partial moves: at depth 1, and for each further ply.
    pub partial_moves: [usize; 2],
    /// Maximum number of moves, by static evaluation after the move: at depth 1, and for each
    /// further ply.
    pub moves: [usize; 2],
    /// The factor for both limits at the root.
    pub root_factor: usize,
    /// Beam: moves whose static evaluation is this far below the best one are pruned: at depth 1,
    /// and for each further ply.
    pub beam: [i32; 2],
    /// Futility pruning: skips a move if the evaluation of its partial move plus the gain of its
    /// completion elsewhere is this far below the value needed.
    pub futility_margin: i32,
    /// Reverse futility pruning: a static evaluation above beta by this much causes a cutoff: at depth
    /// 1, and for each further ply.
    pub reverse_futility_margin: [i32; 2],
    /// Reverse futility pruning: maximum depth; 0: none.
    pub reverse_futility_depth: u32,
    /// Late-move reductions: a move is reduced by `ln(depth) * ln(index) * 100 / this` plies; 0:
    /// none.
    pub lmr_divisor: u32,
    /// The history counter value that weighs as much as 1/100 of a unit.
    pub history_divisor: i32,
}

impl Selectivity {
    /// The maximum number of partial moves at this depth.
    pub fn partial_moves_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.partial_moves[0] + self.partial_moves[1] * (depth.max(1) as usize - 1), ply)
    }

    /// The maximum number of moves at this depth.
    pub fn moves_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.moves[0] + self.moves[1] * (depth.max(1) as usize - 1), ply)
    }

    /// The beam: the maximum distance of a move's static evaluation below the best one.
    pub fn beam_at(&self, depth: u32) -> i32 {
        self.beam[0] + self.beam[1] * (depth.max(1) as i32 - 1)
    }

    /// The margin of reverse futility pruning.
    pub fn reverse_futility_margin_at(&self, depth: u32) -> i32 {
        let [base, slope] = self.reverse_futility_margin;
        base + slope * (depth.max(1) as i32 - 1)
    }

    fn scale(&self, width: usize, ply: u32) -> usize {
        if ply == 0 { width * self.root_factor } else { width }
    }
}

/// `table[depth][index]`: the reduction of late moves in plies.
pub(super) fn reductions(percent: u32) -> Vec<[u8; 64]> {
    let ln = |n: usize| libm::log(n.max(1) as f64);
    let row = |depth: usize| {
        std::array::from_fn(|index| {
            if percent == 0 || depth < params::lmr_depth() || index < params::lmr_moves() {
                return 0;
            }
            // At least one ply remains.
            let plies = ln(depth) * ln(index) * 100.0 / f64::from(percent);
            (plies as usize).min(depth - 2) as u8
        })
    };
    (0..64).map(row).collect()
}
