//! Squares, sets of squares and moves as plain values.
//!
//! A set of squares is a `u128`: square (column c, row r), both from 0, is bit `11 r + c`. Column
//! 10 and everything above row 9 are off every board, so a shift by one step never wraps from one
//! edge to the other, and boards of all sizes share the same tables.

use crate::bits::bit_set_iterator;
use std::fmt;

/// Bits from one row to the next: ten columns and one that is always off the board.
pub const STRIDE: usize = 11;

/// The largest number of rows and of columns.
pub const MAX_SIDE: usize = 10;

/// A square, by its bit number. It may be off a given board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AmazonsSquare(u8);

impl AmazonsSquare {
    /// The square in this column and row, counted from 0; `None` if off the largest board.
    pub fn new(column: usize, row: usize) -> Option<AmazonsSquare> {
        (column < MAX_SIDE && row < MAX_SIDE).then(|| AmazonsSquare((row * STRIDE + column) as u8))
    }

    /// The square with this bit number, unchecked.
    pub const fn from_bit(bit: u32) -> AmazonsSquare {
        AmazonsSquare(bit as u8)
    }

    /// The bit number, below 110 for every square of a board.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this one square; empty if the square is off every board.
    pub const fn bit(self) -> u128 {
        if self.0 < 128 { 1 << self.0 } else { 0 }
    }

    /// Column from 0 (file a).
    pub const fn column(self) -> usize {
        self.index() % STRIDE
    }

    /// Row from 0 (rank 1).
    pub const fn row(self) -> usize {
        self.index() / STRIDE
    }
}

crate::phrase::plain!(AmazonsSquare);

impl fmt::Display for AmazonsSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

bit_set_iterator! {
    /// The squares of a set, in ascending order.
    Squares(u128): AmazonsSquare = AmazonsSquare::from_bit
}

/// One turn: an amazon move, then an arrow shot, both along queen lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AmazonsMove {
    /// The amazon's origin.
    pub from: AmazonsSquare,
    /// The amazon's destination.
    pub to: AmazonsSquare,
    /// The arrow's target; it may be `from` or lie beyond it.
    pub arrow: AmazonsSquare,
}

impl AmazonsMove {
    /// A move that is illegal in every position: a filler for tables.
    pub const NONE: AmazonsMove =
        AmazonsMove { from: AmazonsSquare(255), to: AmazonsSquare(255), arrow: AmazonsSquare(255) };
}
