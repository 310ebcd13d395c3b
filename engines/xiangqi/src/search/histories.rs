//! Move histories: the success of moves elsewhere in the tree (Schaeffer's history heuristic and
//! its descendants). Butterfly history is indexed by side, from and to; continuation history also
//! by previous moves; capture history also by the victim. A countermove is the last refutation of a
//! move.
//!
//! Counters have 16 bits with gravity: the closer a counter is to its bound, the less is added.

use super::static_eval::{CorrectionHistory, EvalCache};
use crate::evaluation::XiangqiNetworkEvaluator;
use crate::evaluation::features::XiangqiNetwork;
use crate::position::{EMPTY, Move, Position};
use std::sync::Arc;

/// The bound of a counter.
const LIMIT: i32 = 16_384;
/// Combinations of a piece and the square it moves to.
const PIECE_TOS: usize = 14 * 90;
/// The piece-to index of a missing move: before the first move and after a null move.
pub const NO_PIECE_TO: usize = PIECE_TOS;

/// All histories of one thread in a game.
pub struct Histories {
    /// By side, from and to.
    butterfly: Vec<[i16; Move::PAIRS]>,
    /// By the piece-to index of an earlier move and of this one.
    continuation: Vec<[i16; PIECE_TOS]>,
    /// By piece-to index and captured kind.
    captures: Vec<[i16; 7]>,
    /// By the piece-to index of the refuted move.
    countermoves: Vec<Move>,
    pub correction: CorrectionHistory,
    pub eval_cache: EvalCache,
}

/// The piece-to indices of the moves one, two and four plies ago, for continuation history.
pub type PreviousMoves = [usize; 3];

#[inline]
fn add_with_gravity(counter: &mut i16, amount: i32) {
    let old = i32::from(*counter);
    *counter = (old + amount - old * amount.abs() / LIMIT) as i16;
}

/// The piece of a move and the square it moves to, as one index.
#[inline]
pub fn piece_to(position: &Position, m: Move) -> usize {
    (position.piece_at(m.from()).min(EMPTY - 1) * 90 + m.to()).min(PIECE_TOS - 1)
}

impl Histories {
    /// All zero.
    pub fn new(network: Arc<XiangqiNetwork>) -> Histories {
        Histories {
            butterfly: vec![[0; Move::PAIRS]; 2],
            continuation: vec![[0; PIECE_TOS]; PIECE_TOS + 1],
            captures: vec![[0; 7]; PIECE_TOS],
            countermoves: vec![Move::NONE; PIECE_TOS + 1],
            correction: CorrectionHistory::new(),
            eval_cache: EvalCache::new(XiangqiNetworkEvaluator::new(network)),
        }
    }

    /// The history score of a quiet move.
    #[inline]
    pub fn quiet(&self, position: &Position, m: Move, previous: PreviousMoves) -> i32 {
        let piece = position.piece_at(m.from()).min(EMPTY - 1);
        self.quiet_scorer(position.side(), previous)(piece, m.from(), m.to())
    }

    /// [`Histories::quiet`] for several moves of one position; takes piece, from and to.
    #[inline]
    pub fn quiet_scorer(
        &self,
        side: usize,
        previous: PreviousMoves,
    ) -> impl Fn(usize, usize, usize) -> i32 + '_ {
        let [one, two, four] = previous.map(|index| &self.continuation[index]);
        let butterfly = &self.butterfly[side];
        move |piece, from, to| {
            let at = (piece * 90 + to).min(PIECE_TOS - 1);
            i32::from(butterfly[Move::new(from, to).pair()])
                + i32::from(one[at])
                + i32::from(two[at])
                + (i32::from(four[at]) >> 1)
        }
    }

    /// The history score of a capture.
    #[inline]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.captures[piece_to(position, m)][position.piece_at(m.to()) % 7])
    }

    /// The same by piece, target and captured kind.
    #[inline]
    pub fn capture_by(&self, piece: usize, to: usize, victim: usize) -> i32 {
        i32::from(self.captures[(piece * 90 + to).min(PIECE_TOS - 1)][victim % 7])
    }

    /// The last refutation of a move.
    pub fn countermove(&self, refuted: usize) -> Move {
        self.countermoves[refuted]
    }

    /// Stores `m` as the refutation of a move.
    pub fn set_countermove(&mut self, refuted: usize, m: Move) {
        self.countermoves[refuted] = m;
    }

    /// Adds to the butterfly and continuation history of a quiet move.
    pub fn add_quiet(
        &mut self,
        position: &Position,
        m: Move,
        previous: PreviousMoves,
        amount: i32,
    ) {
        let at = piece_to(position, m);
        add_with_gravity(&mut self.butterfly[position.side()][m.pair()], amount);
        for index in previous {
            if index != NO_PIECE_TO {
                add_with_gravity(&mut self.continuation[index][at], amount);
            }
        }
    }

    /// Adds to the capture history of a capture.
    pub fn add_capture(&mut self, position: &Position, m: Move, amount: i32) {
        let victim = position.piece_at(m.to()) % 7;
        add_with_gravity(&mut self.captures[piece_to(position, m)][victim], amount);
    }

    /// Starts a new search: halves butterfly history.
    pub fn age(&mut self) {
        self.butterfly.iter_mut().flatten().for_each(|c| *c /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_limit_and_follow_what_is_added() {
        let mut counter = 0;
        for _ in 0..1000 {
            add_with_gravity(&mut counter, 1500);
        }
        assert!(counter > 15_000 && i32::from(counter) <= LIMIT);
        for _ in 0..1000 {
            add_with_gravity(&mut counter, -1500);
        }
        assert!(counter < -15_000 && i32::from(counter) >= -LIMIT);
    }
}
