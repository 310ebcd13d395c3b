//! Tablebase probes of the search: at every node, and once at the root.

use crate::position::{Move, Position};
use agon_tablebase::{Dtm, Wdl};
use std::cmp::Reverse;

/// An endgame tablebase, probed by several threads during the search.
pub trait SearchTablebase: Send + Sync {
    /// The maximum number of pieces, kings included, of a position worth probing.
    fn max_pieces(&self) -> u32;

    /// The distance to mate for the side to move; `None` if the position is not known.
    fn probe(&self, position: &Position) -> Option<Dtm>;
}

/// Filters the root moves by the tablebase: keeps those with the shortest mate, if any. If all
/// moves are known, keeps the drawing moves, or else those that delay the mate longest. Otherwise
/// keeps all of `moves`.
pub(super) fn filter_root_moves(
    tablebase: &dyn SearchTablebase,
    position: &mut Position,
    moves: &[Move],
) -> Vec<Move> {
    // A capture may lead to a position in the tablebase.
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
                // Prefer the longest mate.
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
