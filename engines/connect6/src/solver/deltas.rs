//! A cache of evaluation deltas: how much a stone on a point would raise the score. An entry is
//! valid while the stones on the point's lines are unchanged, as most are from one position to the
//! next.

use crate::board::Board;
use agon_protocol::connect6::POINTS;

/// The stones on the four lines of a point, and the delta of a stone there.
type CacheEntry = ([[u32; 2]; 4], i32);

/// A value that the stones of no line have.
const EMPTY: CacheEntry = ([[u32::MAX; 2]; 4], 0);

/// The deltas for one colour, by point.
#[derive(Clone, Debug, Default)]
pub struct DeltaCache(Vec<CacheEntry>);

impl DeltaCache {
    /// [`Board::delta`] of an empty point; the colour must always be the same.
    #[inline]
    pub fn of(&mut self, board: &Board, colour: usize, point: u16) -> i32 {
        self.0.resize(POINTS, EMPTY);
        let (around, delta) = &mut self.0[usize::from(point)];
        let now = board.stones_around(point);
        if *around != now {
            (*around, *delta) = (now, board.delta(colour, point));
        }
        *delta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_step;
    use agon_protocol::rng;

    #[test]
    fn a_cached_delta_is_what_a_stone_adds_now() {
        let mut deltas = DeltaCache::default();
        let mut stream = rng::stream(1, 0, "deltas");
        let mut board = Board::new(19);
        for _ in 0..3000 {
            let q = random_step(&mut board, &mut stream);
            if board.is_empty(q) {
                assert_eq!(deltas.of(&board, 1, q), board.delta(1, q), "{q}");
            }
        }
    }
}
