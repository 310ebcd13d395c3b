//! What a table of endgames says to the search.

use crate::position::Position;

/// The outcome of a position for the side to move, with the best play of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It wins, in so many plies as far as that is known.
    Win(u32),
    /// Nobody wins.
    Draw,
    /// It loses, in so many plies as far as that is known.
    Loss(u32),
}

/// Something that knows the outcome of some positions. Asked inside the tree by several threads.
pub trait Oracle: Send + Sync {
    /// The most pieces, kings included, of a position worth asking about.
    fn most_pieces(&self) -> u32;

    /// What is known about a position; `None`: nothing.
    fn probe(&self, position: &Position) -> Option<Known>;
}
