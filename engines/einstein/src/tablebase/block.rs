//! Computes the values of a block of positions from the blocks of its successors.
//!
//! All positions of a block share their squares, and therefore the moves of the stones; only the
//! dice that allow each move differ. The successors of all of them by one move form one block
//! (rotated by 180 degrees, since the other side is to move), and arrangements map in the same way
//! for every such slot change, so solving a block takes a few passes over small arrays.

use super::arrangement::{Odds, TAKEN};
use super::index::{Block, EinSteinIndexer, Squares, members, reflect, rotate_set, slot_of};
use super::layers::SolvedComponents;
use super::value::MAX_SIDE;
use agon_games::einstein::{TARGETS, goal, rotate, transpose};
use agon_games::game::Player;

/// The probability 1 during computation, which uses units of 1 / (2^32 - 1).
pub const ONE: u32 = u32::MAX;

/// The odds of all arrangements, indexed by number of stones, then arrangement.
pub struct OddsOfSides([Vec<Odds>; MAX_SIDE + 1]);

impl OddsOfSides {
    /// The odds under the indexer's rule.
    pub fn new(index: &EinSteinIndexer) -> OddsOfSides {
        OddsOfSides(std::array::from_fn(|stones| {
            let list = index.arrangements().list(stones);
            list.iter().map(|a| Odds::new(index.rule(), a.alive())).collect()
        }))
    }
}

/// Computes the values of blocks, one at a time.
pub struct BlockSolver<'a> {
    index: &'a EinSteinIndexer,
    solved: &'a SolvedComponents,
    odds: &'a OddsOfSides,
    /// Indexed by the mover's slot, then entry: the minimum winning probability that a move of this
    /// stone can leave to the opponent.
    least: [Vec<u32>; MAX_SIDE],
}

/// The target of a move.
enum Successor<'a> {
    /// The move wins.
    Won,
    /// Entries of another block, with the opponent to move: the mover's arrangement `row` and the
    /// opponent's `column` lead to entry `columns[column] * stride + rows[row]`.
    Entries { values: &'a [u32], stride: usize, rows: [u8; MAX_SIDE], columns: [u8; MAX_SIDE] },
}

impl<'a> BlockSolver<'a> {
    /// A solver that reads the values of successors from `solved`.
    pub fn new(
        index: &'a EinSteinIndexer,
        solved: &'a SolvedComponents,
        odds: &'a OddsOfSides,
    ) -> BlockSolver<'a> {
        BlockSolver { index, solved, odds, least: Default::default() }
    }

    /// Fills in the values of a block whose successors are all solved.
    pub fn solve(&mut self, block: &Block, values: &mut [u32]) {
        let movers = block.mover.count_ones() as usize;
        let opponents = block.opponent.count_ones() as usize;
        let len = values.len();
        for (slot, from) in members(block.mover).enumerate() {
            self.least[slot].clear();
            self.least[slot].resize(len, ONE);
            for &to in TARGETS[Player::First.index()][usize::from(from)].as_slice() {
                match self.successor(block, from, to) {
                    Successor::Won => {
                        self.least[slot].fill(0);
                        break;
                    }
                    Successor::Entries { values, stride, rows, columns } => {
                        let arrangements = self.index.arrangements();
                        let rows = arrangements.map(&rows[..movers]);
                        let columns = arrangements.map(&columns[..opponents]);
                        lower(&mut self.least[slot], values, stride, rows, columns);
                    }
                }
            }
        }
        self.average(values, movers, opponents);
    }

    fn successor(&self, block: &Block, from: u8, to: u8) -> Successor<'a> {
        let target: Squares = 1 << to;
        let opponent = block.opponent & !target;
        if to == goal(Player::First) || opponent == 0 {
            return Successor::Won;
        }
        let mover = block.mover & !(1 << from) | target;
        let (next_mover, next_opponent) = (rotate_set(opponent), rotate_set(mover));
        let place = self.index.place(next_mover, next_opponent);
        let slots = |before: Squares, taken: u8, after: Squares| {
            let mut slots = [0; MAX_SIDE];
            let after = if place.reflected { reflect(after) } else { after };
            for (slot, square) in slots.iter_mut().zip(members(before)) {
                if square == taken {
                    *slot = TAKEN;
                    continue;
                }
                let square = rotate(if square == from { to } else { square });
                let square = if place.reflected { transpose(square) } else { square };
                *slot = slot_of(after, square);
            }
            slots
        };
        Successor::Entries {
            values: self.solved.entries(next_mover, next_opponent, place.first),
            stride: self.index.arrangements().count(mover.count_ones() as usize),
            rows: slots(block.mover, to, next_opponent),
            columns: slots(block.opponent, to, next_mover),
        }
    }

    /// Averages over the die, rounding to the nearest unit.
    fn average(&self, values: &mut [u32], movers: usize, opponents: usize) {
        let columns = self.index.arrangements().count(opponents);
        let list = self.index.arrangements().list(movers);
        let rows = values.chunks_exact_mut(columns);
        for (row, ((arrangement, odds), values)) in
            list.iter().zip(&self.odds.0[movers]).zip(rows).enumerate()
        {
            let slots = arrangement.slots();
            let least: [&[u32]; MAX_SIDE] = std::array::from_fn(|rank| {
                let slot = slots[rank];
                let entries = if rank < movers { slot } else { 0 };
                &self.least[entries][row * columns..][..columns]
            });
            for (column, value) in values.iter_mut().enumerate() {
                let mut sum = 0;
                for rank in 0..movers {
                    let single = least[rank][column];
                    sum += u64::from(odds.single[rank]) * u64::from(single);
                    if rank + 1 < movers {
                        let either = single.min(least[rank + 1][column]);
                        sum += u64::from(odds.pair[rank]) * u64::from(either);
                    }
                }
                *value = ONE - ((sum + 3) / 6) as u32;
            }
        }
    }
}

/// Lowers each entry of a stone's minimums to the opponent's value in a successor.
fn lower(least: &mut [u32], next: &[u32], stride: usize, rows: &[u16], columns: &[u16]) {
    for (entries, &row) in least.chunks_exact_mut(columns.len()).zip(rows) {
        let next = &next[usize::from(row)..];
        for (least, &column) in entries.iter_mut().zip(columns) {
            *least = next[usize::from(column) * stride].min(*least);
        }
    }
}
