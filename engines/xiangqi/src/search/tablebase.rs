//! How the search asks endgame tables: at every node, and once at the root.

use crate::position::{Move, Position};
use std::cmp::Reverse;

/// The outcome of a position for the side to move under best play of both (WDL), with the distance
/// to mate (DTM) in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeResult {
    /// The side to move mates in so many plies.
    Win(u32),
    /// Nobody wins.
    Draw,
    /// The side to move is mated in so many plies.
    Loss(u32),
}

/// Endgame tables. Several threads probe them inside the tree.
pub trait Tablebase: Send + Sync {
    /// The most pieces, kings included, of a position worth probing.
    fn max_pieces(&self) -> u32;

    /// What is known about a position; `None`: nothing.
    fn probe(&self, position: &Position) -> Option<ProbeResult>;
}

/// The root moves that the tables leave to choose from: those with the shortest mate if there is
/// any; where all moves are known, those that draw, or else those with the longest mate against the
/// mover. Otherwise all of `moves`.
pub(super) fn filter_root_moves(
    tablebase: &dyn Tablebase,
    position: &mut Position,
    moves: &[Move],
) -> Vec<Move> {
    // A capture may lead to a position that the tables know.
    if position.piece_count() > tablebase.max_pieces() + 1 {
        return moves.to_vec();
    }
    let mut ranks = Vec::with_capacity(moves.len());
    for &m in moves {
        position.play(m);
        let reply = tablebase.probe(position);
        position.undo();
        ranks.push(reply.map(|reply| match reply {
            ProbeResult::Loss(plies) => (1, Reverse(plies)),
            ProbeResult::Draw => (0, Reverse(0)),
            // The longer, the better.
            ProbeResult::Win(plies) => (-1, Reverse(u32::MAX - plies)),
        }));
    }
    let Some(best) = ranks.iter().flatten().max().copied() else { return moves.to_vec() };
    if best.0 <= 0 && ranks.contains(&None) {
        return moves.to_vec();
    }
    moves.iter().zip(&ranks).filter(|(_, rank)| **rank == Some(best)).map(|(m, _)| *m).collect()
}
