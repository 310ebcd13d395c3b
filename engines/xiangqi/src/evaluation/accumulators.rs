//! The accumulators of the current line, updated when a position is evaluated: a position that is
//! pruned or found in a table costs nothing.

use super::features::{HIDDEN, View, XiangqiNetwork, bucket, for_each_piece};
use crate::position::{EMPTY, Move, Position};
use agon_network::network::Accumulator;
use agon_protocol::xiangqi::Kind;

/// A view further back in the line is not updated but computed anew.
const FAR: usize = 6;

/// The accumulator of a view of one position of the line.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The key of the position; 0 if none was computed.
    key: u64,
    accumulator: Accumulator<HIDDEN>,
}

/// The accumulators of the positions of a line, by the number of moves before each and by side.
#[derive(Default)]
pub struct Accumulators(Vec<[Entry; 2]>);

impl Accumulators {
    /// The output of the network for the side to move, in units of 1 / `unit` of the logit.
    pub fn evaluate(&mut self, network: &XiangqiNetwork, position: &Position, unit: i32) -> i32 {
        let last = position.past().len();
        if self.0.len() <= last {
            self.0.resize(last + 64, [Entry::default(); 2]);
        }
        for side in 0..2 {
            self.compute(network, position, side);
        }
        let side = position.side();
        let views = [side, side ^ 1].map(|side| &self.0[last][side].accumulator);
        network.output(views, bucket(position), unit)
    }

    /// Computes the accumulator of a side's view.
    #[inline]
    fn compute(&mut self, network: &XiangqiNetwork, position: &Position, side: usize) {
        let past = position.past();
        let last = past.len();
        let view = View::new(side, position.king(side));
        let king = 7 * side + Kind::King.index();
        let mut first = last;
        while self.0[first][side].key != position.key_at(first) {
            // A move of the king may have mirrored the board.
            let far = first == 0 || last - first == FAR;
            if far || usize::from(past[first - 1].piece) == king {
                let mut features = arrayvec::ArrayVec::<usize, 32>::new();
                for_each_piece(position, |piece, s| {
                    let _ = features.try_push(view.feature(piece, s));
                });
                let accumulator = network.refresh(features);
                self.0[last][side] = Entry { key: position.key(), accumulator };
                return;
            }
            first -= 1;
        }
        for (i, step) in past.iter().enumerate().skip(first) {
            let before = &self.0[i][side].accumulator;
            let accumulator = if step.m == Move::NONE {
                *before
            } else {
                let feature = |piece: u8, s| view.feature(usize::from(piece), s);
                let (from, to) = (step.m.from(), step.m.to());
                let captured =
                    (usize::from(step.captured) < EMPTY).then(|| feature(step.captured, to));
                network.update(before, feature(step.piece, from), feature(step.piece, to), captured)
            };
            self.0[i + 1][side] = Entry { key: position.key_at(i + 1), accumulator };
        }
    }
}
