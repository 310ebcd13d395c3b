//! Squares, sets of squares and moves as plain values.
//!
//! The square in file f (a to i) and rank r (0 to 9, Red's back rank is 0), both from 0, is bit `9
//! r + f` of a `u128`: a rank is nine adjacent bits, and the next rank is a shift by nine.

use crate::bits::bit_set_iterator;
use crate::game::Player;
use std::fmt;

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// Number of squares.
pub const SQUARES: usize = FILES * RANKS;
/// The set of all squares.
pub const BOARD: u128 = (1 << SQUARES) - 1;
/// Red's half of the board: ranks 0 to 4.
pub const RED_HALF: u128 = (1 << (SQUARES / 2)) - 1;
/// File a.
pub const FILE_A: u128 = {
    let (mut set, mut rank) = (0, 0);
    while rank < RANKS {
        set |= 1 << (rank * FILES);
        rank += 1;
    }
    set
};
/// File i.
pub const FILE_I: u128 = FILE_A << (FILES - 1);

/// A square, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square in this file and rank, counted from 0; `None` off the board.
    pub const fn new(file: usize, rank: usize) -> Option<Square> {
        if file < FILES && rank < RANKS { Some(Square((rank * FILES + file) as u8)) } else { None }
    }

    /// The square with this number; a number off the board gives the last square.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        Square(if index < SQUARES { index as u8 } else { SQUARES as u8 - 1 })
    }

    /// The number, always below [`SQUARES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this one square.
    #[inline]
    pub const fn bit(self) -> u128 {
        1 << self.0
    }

    /// File from 0 (file a).
    pub const fn file(self) -> usize {
        self.index() % FILES
    }

    /// Rank from 0, Red's back rank.
    pub const fn rank(self) -> usize {
        self.index() / FILES
    }

    /// The rank counted from `player`'s back rank.
    pub const fn rank_for(self, player: Player) -> usize {
        match player {
            Player::First => self.rank(),
            Player::Second => RANKS - 1 - self.rank(),
        }
    }

    /// The square mirrored left to right.
    pub const fn mirrored(self) -> Square {
        Square((self.rank() * FILES + FILES - 1 - self.file()) as u8)
    }
}

crate::phrase::plain!(Square);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank())
    }
}

bit_set_iterator! {
    /// The squares of a set, in ascending order.
    Squares(u128): Square = |bit| Square::from_index(bit as usize)
}

/// A move; it captures any piece on `to`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct XiangqiMove {
    /// The origin.
    pub from: Square,
    /// The destination.
    pub to: Square,
}

impl XiangqiMove {
    /// A move that is illegal in every position: a filler for tables.
    pub const NONE: XiangqiMove = XiangqiMove { from: Square(0), to: Square(0) };
}

impl fmt::Display for XiangqiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}
