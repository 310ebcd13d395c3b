//! What a table of endgames says to the search.

use crate::position::{Move, Position};
use std::cmp::Reverse;

/// The outcome of a position for the side to move, with the best play of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It mates in so many plies.
    Win(u32),
    /// Nobody wins.
    Draw,
    /// It is mated in so many plies.
    Loss(u32),
}

/// Something that knows the outcome of some positions. Asked inside the tree by several threads.
pub trait Oracle: Send + Sync {
    /// The most pieces, kings included, of a position worth asking about.
    fn most_pieces(&self) -> u32;

    /// What is known about a position; `None`: nothing.
    fn probe(&self, position: &Position) -> Option<Known>;
}

/// The moves among `moves` that an oracle's knowledge leaves to choose from at the root: the shortest
/// ways to a mate if there is any; where all moves are known, those that draw, or else those that
/// put a mate off longest. Where that says nothing, all of them.
pub(super) fn choose(oracle: &dyn Oracle, position: &mut Position, moves: &[Move]) -> Vec<Move> {
    // A capture may lead to what is known.
    if position.piece_count() > oracle.most_pieces() + 1 {
        return moves.to_vec();
    }
    let mut known = Vec::with_capacity(moves.len());
    for &m in moves {
        position.play(m);
        let reply = oracle.probe(position);
        position.undo();
        known.push(match reply {
            Some(Known::Loss(plies)) => Some((1, Reverse(plies))),
            Some(Known::Draw) => Some((0, Reverse(0))),
            // The longer, the better.
            Some(Known::Win(plies)) => Some((-1, Reverse(u32::MAX - plies))),
            None => None,
        });
    }
    let Some(best) = known.iter().flatten().max().copied() else { return moves.to_vec() };
    if best.0 <= 0 && known.contains(&None) {
        return moves.to_vec();
    }
    moves.iter().zip(&known).filter(|(_, k)| **k == Some(best)).map(|(m, _)| *m).collect()
}
