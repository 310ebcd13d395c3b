//! A move in 16 bits, and lists of moves.

use agon_games::xiangqi::{Square, XiangqiMove};
use arrayvec::ArrayVec;

/// A move: from and to in seven bits each; they differ in a real move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(pub u16);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// A move between two squares.
    #[inline]
    pub const fn new(from: usize, to: usize) -> Move {
        Move((from << 7 | to) as u16)
    }

    /// The origin, 0 to 127; below 90 in a real move.
    #[inline]
    pub const fn from(self) -> usize {
        (self.0 >> 7) as usize & 127
    }

    /// The target, 0 to 127; below 90 in a real move.
    #[inline]
    pub const fn to(self) -> usize {
        self.0 as usize & 127
    }

    /// Both squares as one index, below [`Move::PAIRS`].
    #[inline]
    pub const fn pair(self) -> usize {
        self.0 as usize & (Move::PAIRS - 1)
    }

    /// The number of values that [`Move::pair`] can take.
    pub const PAIRS: usize = 1 << 14;

    /// Converts the protocol's move.
    pub fn from_rules(m: XiangqiMove) -> Move {
        Move::new(m.from.index(), m.to.index())
    }

    /// Converts to the protocol's move.
    pub fn to_rules(self) -> XiangqiMove {
        XiangqiMove { from: Square::from_index(self.from()), to: Square::from_index(self.to()) }
    }
}

/// An upper bound on the moves of a position: two rooks and two cannons with 17, two horses with 8,
/// five pawns with 3, two elephants and two advisors with 4, and a king with 4 plus the capture of
/// a facing king make 120.
pub const MAX_MOVES: usize = 120;

/// A list of moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
