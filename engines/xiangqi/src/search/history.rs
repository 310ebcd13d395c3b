//! What moves have been worth elsewhere in the tree (Schaeffer's history heuristic and its
//! descendants), and by how much static values have been off.
//!
//! Counters are 16 bits and are pulled towards a bound: the closer to it, the less is added.

use super::params;
use super::table::ask_for;
use crate::evaluation::{EVAL_LIMIT, evaluate};
use crate::position::{EMPTY, Move, Position};
use std::cell::Cell;

/// The greatest size of a counter.
const LIMIT: i32 = 16_384;
/// A piece on a square it went to.
const ARRIVALS: usize = 14 * 90;
/// The arrival that stands for none: before the first move and after a pass.
pub const NOWHERE: usize = ARRIVALS;
const CORRECTIONS: usize = 1 << 14;
/// Counters of corrections are in units of this many per hundredth of a pawn.
const GRAIN: i32 = 64;

/// The counters of one thread.
pub struct Histories {
    /// By side, from and to.
    quiet: Vec<[i16; Move::PAIRS]>,
    /// By an earlier arrival and this one.
    following: Vec<[i16; ARRIVALS]>,
    /// By arrival and the captured kind.
    captures: Vec<[i16; 7]>,
    /// By an arrival, what has refuted it.
    answers: Vec<Move>,
    /// By side and structure.
    corrections: Vec<[i16; CORRECTIONS]>,
    /// Static values of positions met lately, each in place of the lowest 16 bits of the position's key.
    recent: Vec<Cell<u64>>,
}

/// Static values kept, 128 KiB: positions are met again that soon, and more would not stay in the processor's
/// second cache.
const RECENT: usize = 1 << 14;

/// Two earlier arrivals of the line, nearest first, and one further back.
pub type Before = [usize; 3];

#[inline]
fn pull(counter: &mut i16, amount: i32) {
    let old = i32::from(*counter);
    *counter = (old + amount - old * amount.abs() / LIMIT) as i16;
}

/// A static value, put right by what [`Histories::error`] says.
#[inline]
pub fn corrected(raw: i32, error: i16) -> i32 {
    (raw + i32::from(error) / GRAIN).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// The piece of a move on the square it goes to.
#[inline]
pub fn arrival(position: &Position, m: Move) -> usize {
    (position.piece_at(m.from()).min(EMPTY - 1) * 90 + m.to()).min(ARRIVALS - 1)
}

impl Histories {
    /// All zero.
    pub fn new() -> Histories {
        Histories {
            quiet: vec![[0; Move::PAIRS]; 2],
            following: vec![[0; ARRIVALS]; ARRIVALS + 1],
            captures: vec![[0; 7]; ARRIVALS],
            answers: vec![Move::NONE; ARRIVALS + 1],
            corrections: vec![[0; CORRECTIONS]; 2],
            recent: vec![Cell::new(0); RECENT],
        }
    }

    /// How good a move that captures nothing has been.
    #[inline]
    pub fn quiet(&self, position: &Position, m: Move, before: Before) -> i32 {
        let piece = position.piece_at(m.from()).min(EMPTY - 1);
        self.quiets(position.side(), before)(piece, m.from(), m.to())
    }

    /// Answers [`Histories::quiet`] for many moves of one position: takes piece, from and to.
    #[inline]
    pub fn quiets(&self, side: usize, before: Before) -> impl Fn(usize, usize, usize) -> i32 + '_ {
        let [one, two, four] = before.map(|last| &self.following[last]);
        let own = &self.quiet[side];
        move |piece, from, to| {
            let at = (piece * 90 + to).min(ARRIVALS - 1);
            i32::from(own[Move::new(from, to).pair()])
                + i32::from(one[at])
                + i32::from(two[at])
                + (i32::from(four[at]) >> 1)
        }
    }

    /// How good a capture has been.
    #[inline]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.captures[arrival(position, m)][position.piece_at(m.to()) % 7])
    }

    /// The same by what takes where, and the kind of what is taken.
    #[inline]
    pub fn capture_by(&self, piece: usize, to: usize, victim: usize) -> i32 {
        i32::from(self.captures[(piece * 90 + to).min(ARRIVALS - 1)][victim % 7])
    }

    /// The move that has refuted the last one.
    pub fn answer(&self, last: usize) -> Move {
        self.answers[last]
    }

    /// `m` refutes the last move.
    pub fn set_answer(&mut self, last: usize, m: Move) {
        self.answers[last] = m;
    }

    /// Adds to what [`Histories::quiet`] says.
    pub fn add_quiet(&mut self, position: &Position, m: Move, before: Before, amount: i32) {
        let at = arrival(position, m);
        pull(&mut self.quiet[position.side()][m.pair()], amount);
        for last in before {
            if last != NOWHERE {
                pull(&mut self.following[last][at], amount);
            }
        }
    }

    /// Adds to what [`Histories::capture`] says.
    pub fn add_capture(&mut self, position: &Position, m: Move, amount: i32) {
        pull(&mut self.captures[arrival(position, m)][position.piece_at(m.to()) % 7], amount);
    }

    #[inline]
    fn correction_index(position: &Position) -> usize {
        (position.structure_key() >> 50) as usize & (CORRECTIONS - 1)
    }

    /// The static value of a position, as [`evaluate`] says.
    #[inline]
    pub fn value(&self, position: &Position) -> i32 {
        let key = position.key();
        let Some(cell) = self.recent.get(key as usize & (RECENT - 1)) else {
            return evaluate(position);
        };
        // Of the bits that are not compared, all but three have chosen the place.
        if (cell.get() ^ key) >> 16 == 0 {
            return i32::from(cell.get() as i16);
        }
        let value = evaluate(position);
        cell.set(key & !0xffff | u64::from(value as u16));
        value
    }

    /// Asks the memory for the static value of a position that may be met next.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(cell) = self.recent.get(key as usize & (RECENT - 1)) {
            ask_for(cell);
        }
    }

    /// What searches of like positions have found to be wrong with the static value, for [`corrected`].
    #[inline]
    pub fn error(&self, position: &Position) -> i16 {
        self.corrections[position.side()][Self::correction_index(position)]
    }

    /// A search of `depth` plies has found a value off by `error` from the corrected one.
    pub fn learn_error(&mut self, position: &Position, depth: i32, error: i32) {
        let counter = &mut self.corrections[position.side()][Self::correction_index(position)];
        let weight = (depth + 1).min(params::correction_weight());
        let old = i32::from(*counter);
        let most = params::correction_error();
        let limit = params::correction_max() * GRAIN;
        let target = old + error.clamp(-most, most) * GRAIN;
        *counter = ((old * (256 - weight) + target * weight) / 256).clamp(-limit, limit) as i16;
    }

    /// A new search: what was learned long ago counts for less.
    pub fn age(&mut self) {
        let halve = |row: &mut [i16]| row.iter_mut().for_each(|c| *c /= 2);
        self.quiet.iter_mut().for_each(|row| halve(row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
    use agon_protocol::{Game, rng};

    #[test]
    fn values_met_again_are_those_of_the_evaluation() {
        let histories = Histories::new();
        let mut rng = rng::stream(11, 0, "values met again");
        let mut position = Position::from_game(&Xiangqi::start(&XiangqiRules::default()));
        let mut met = 0;
        for _ in 0..4 {
            // Each line of play is gone through and taken back, so that all its positions come again.
            for ply in 0..60 {
                assert_eq!(histories.value(&position), evaluate(&position), "ply {ply}");
                met += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
            }
            while position.last() != Move::NONE {
                assert_eq!(histories.value(&position), evaluate(&position));
                position.undo();
            }
        }
        assert!(met > 100, "{met}");
        let kept = histories.recent.iter().filter(|cell| cell.get() != 0).count();
        assert!(kept * 2 > met, "{kept} of {met}");
    }

    #[test]
    fn counters_stay_within_their_limit_and_follow_what_is_added() {
        let mut counter = 0;
        for _ in 0..1000 {
            pull(&mut counter, 1500);
        }
        assert!(counter > 15_000 && i32::from(counter) <= LIMIT);
        for _ in 0..1000 {
            pull(&mut counter, -1500);
        }
        assert!(counter < -15_000 && i32::from(counter) >= -LIMIT);
    }
}
