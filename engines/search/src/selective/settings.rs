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
    /// First parts of moves looked at: at depth 1, and for each further ply.
    pub parts: [usize; 2],
    /// Moves searched, by static value after the move: at depth 1, and for each further ply.
    pub moves: [usize; 2],
    /// The root searches this many times as many.
    pub root: usize,
    /// Moves whose static value is this far below the best one are dropped: at depth 1, and for
    /// each further ply.
    pub drop: [i32; 2],
    /// A move is not looked at if the estimate of its first part and what its second part has
    /// added elsewhere stay this far below what is needed.
    pub slack: i32,
    /// A node whose static value exceeds beta by this much for each ply of depth counts as cut.
    pub calm: i32,
    /// Up to this depth.
    pub calm_depth: u32,
    /// Late moves lose `ln(depth) * ln(place) * 100 / this` plies; 0 switches reductions off.
    pub reduction: u32,
    /// A history counter of this much weighs as much as one hundredth of a unit.
    pub history: i32,
}

impl Selectivity {
    /// First parts looked at with this much depth left.
    pub fn parts_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.parts[0] + self.parts[1] * (depth.max(1) as usize - 1), ply)
    }

    /// Moves searched with this much depth left.
    pub fn moves_at(&self, depth: u32, ply: u32) -> usize {
        self.scale(self.moves[0] + self.moves[1] * (depth.max(1) as usize - 1), ply)
    }

    /// How far below the best one a move's static value may be.
    pub fn drop_at(&self, depth: u32) -> i32 {
        self.drop[0] + self.drop[1] * (depth.max(1) as i32 - 1)
    }

    fn scale(&self, width: usize, ply: u32) -> usize {
        if ply == 0 { width * self.root } else { width }
    }
}

/// `table[depth][place]`: the plies that late moves lose.
pub(super) fn reductions(percent: u32) -> Vec<[u8; 64]> {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let row = |depth: usize| {
        std::array::from_fn(|place| {
            if percent == 0 || depth < params::lmr_depth() || place < params::lmr_moves() {
                return 0;
            }
            // At least one ply stays.
            let plies = ln(depth) * ln(place) * 100.0 / f64::from(percent);
            (plies as usize).min(depth - 2) as u8
        })
    };
    (0..64).map(row).collect()
}
