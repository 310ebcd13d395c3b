//! The static evaluation cache, and the correction history, which learns the evaluation's error in
//! positions with the same structure.

use super::params;
use crate::evaluation::{EVAL_LIMIT, XiangqiNetworkEvaluator};
use crate::position::Position;
use agon_search::transposition::prefetch;

/// Entries of the cache, 128 KiB: positions recur soon enough, and a larger cache would not fit in
/// the processor's L2 cache.
const CACHE_SIZE: usize = 1 << 14;

/// Static evaluations of recent positions, each stored in place of the lowest 16 bits of its
/// position's key.
pub struct EvalCache {
    cells: Vec<u64>,
    evaluator: XiangqiNetworkEvaluator,
}

impl EvalCache {
    /// An empty cache.
    pub fn new(evaluator: XiangqiNetworkEvaluator) -> EvalCache {
        EvalCache { cells: vec![0; CACHE_SIZE], evaluator }
    }

    /// The static evaluation of a position, as returned by [`XiangqiNetworkEvaluator::evaluate`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let key = position.key();
        let cell = &mut self.cells[key as usize & (CACHE_SIZE - 1)];
        // All but two of the bits that are not compared were used to select the cell.
        if (*cell ^ key) >> 16 == 0 {
            return i32::from(*cell as i16);
        }
        let value = self.evaluator.evaluate(position);
        *cell = key & !0xffff | u64::from(value as u16);
        value
    }

    /// Prefetches the cell of a position that may be evaluated next.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.cells[key as usize & (CACHE_SIZE - 1)]);
    }
}

const CORRECTION_SIZE: usize = 1 << 14;
/// Corrections are stored in units of this many per centipawn.
const CORRECTION_GRAIN: i32 = 64;

/// The correction history: counters by side to move and structure.
pub struct CorrectionHistory(Vec<[i16; CORRECTION_SIZE]>);

impl CorrectionHistory {
    /// All zero.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(vec![[0; CORRECTION_SIZE]; 2])
    }

    #[inline]
    fn index(position: &Position) -> usize {
        (position.structure_key() >> 50) as usize & (CORRECTION_SIZE - 1)
    }

    /// The correction of a position, an argument of [`corrected`].
    #[inline]
    pub fn get(&self, position: &Position) -> i16 {
        self.0[position.side()][Self::index(position)]
    }

    /// Records that the value of a search of `depth` plies differs by `error` centipawns from the
    /// corrected evaluation.
    pub fn update(&mut self, position: &Position, depth: i32, error: i32) {
        let counter = &mut self.0[position.side()][Self::index(position)];
        let weight = (depth + 1).min(params::correction_weight());
        let old = i32::from(*counter);
        let max_error = params::correction_error();
        let limit = params::correction_max() * CORRECTION_GRAIN;
        let target = old + error.clamp(-max_error, max_error) * CORRECTION_GRAIN;
        *counter = ((old * (256 - weight) + target * weight) / 256).clamp(-limit, limit) as i16;
    }
}

/// A static evaluation with its correction applied.
#[inline]
pub fn corrected(raw: i32, correction: i16) -> i32 {
    (raw + i32::from(correction) / CORRECTION_GRAIN).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::built_in;
    use crate::position::Move;
    use agon_games::xiangqi::{Xiangqi, XiangqiRules};
    use agon_games::{Game, rng};

    #[test]
    fn cached_evaluations_are_those_of_the_evaluation() {
        let anew =
            |position: &Position| XiangqiNetworkEvaluator::new(built_in()).evaluate(position);
        let mut cache = EvalCache::new(XiangqiNetworkEvaluator::new(built_in()));
        let mut rng = rng::stream(11, 0, "values met again");
        let mut position = Position::from_game(&Xiangqi::start(&XiangqiRules::default()));
        let mut met = 0;
        for _ in 0..4 {
            // Each line of play is unmade again, so that all its positions occur twice.
            for ply in 0..60 {
                assert_eq!(cache.evaluate(&position), anew(&position), "ply {ply}");
                met += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
            }
            while position.last() != Move::NONE {
                assert_eq!(cache.evaluate(&position), anew(&position));
                position.undo();
            }
        }
        assert!(met > 100, "{met}");
        let kept = cache.cells.iter().filter(|&&cell| cell != 0).count();
        assert!(kept * 2 > met, "{kept} of {met}");
    }
}
