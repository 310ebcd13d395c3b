//! How the search probes the endgame tablebase: at every node, and once at the root.

use crate::position::{Move, Position};
use agon_tablebase::{Dtm, Wdl};
use std::cmp::Reverse;

/// An endgame tablebase. Several threads probe it inside the tree.
pub trait Tablebase: Send + Sync {
    /// The most pieces, kings included, of a position worth probing.
    fn max_pieces(&self) -> u32;

    /// The distance to mate for the side to move; `None` if the position is not known.
    fn probe(&self, position: &Position) -> Option<Dtm>;
}

/// The root moves that the tablebase leaves to choose from: those with the shortest mate if there is
/// any; where all moves are known, those that draw, or else those with the longest mate against the
/// mover. Otherwise all of `moves`.
pub(super) fn filter_root_moves(
    tablebase: &dyn Tablebase,
    position: &mut Position,
    moves: &[Move],
) -> Vec<Move> {
    // A capture may lead to a position that the tablebase knows.
    if position.piece_count() > tablebase.max_pieces() + 1 {
        return moves.to_vec();
    }
    let mut ranks = Vec::with_capacity(moves.len());
    for &m in moves {
        position.play(m);
        let reply = tablebase.probe(position);
        position.undo();
        ranks.push(reply.map(|reply| {
            let plies = reply.plies().unwrap_or(0);
            match reply.wdl() {
                Wdl::Loss => (1, Reverse(plies)),
                Wdl::Draw => (0, Reverse(0)),
                // The longer, the better.
                Wdl::Win => (-1, Reverse(u8::MAX - plies)),
            }
        }));
    }
    let Some(best) = ranks.iter().flatten().max().copied() else { return moves.to_vec() };
    if best.0 <= 0 && ranks.contains(&None) {
        return moves.to_vec();
    }
    moves.iter().zip(&ranks).filter(|(_, rank)| **rank == Some(best)).map(|(m, _)| *m).collect()
}
