//! Points and sets of points as plain values.
//!
//! A set is a `u128`: the point in column c and row r, both from 0, is bit `10 r + c`. Column 9 is
//! off the board, so a shift by one step never wraps from one edge to the other.

use crate::bits::bit_set_iterator;
use std::fmt;

/// Columns and rows of the board.
pub const SIDE: usize = 9;
const STRIDE: usize = SIDE + 1;

/// The set of all points.
pub const BOARD: u128 = {
    let (mut set, mut row) = (0, 0);
    while row < SIDE {
        set |= ((1 << SIDE) - 1) << (row * STRIDE);
        row += 1;
    }
    set
};

/// The orthogonal neighbours of the points of `set`.
#[inline]
pub const fn neighbours(set: u128) -> u128 {
    (set << 1 | set >> 1 | set << STRIDE | set >> STRIDE) & BOARD
}

/// A point of the board, also used as the move that places a stone there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(u8);

impl Point {
    /// The point in this column and row, both from 0; `None` off the board.
    pub fn new(column: usize, row: usize) -> Option<Point> {
        (column < SIDE && row < SIDE).then(|| Point((row * STRIDE + column) as u8))
    }

    /// The bit number, below 90.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 127
    }

    /// The set of this one point.
    #[inline]
    pub const fn bit(self) -> u128 {
        1 << self.index()
    }
}

impl fmt::Display for Point {
    /// Go coordinates: columns `a` to `j` without `i`, rows 1 to 9.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = b"abcdefghj"[self.index() % STRIDE % SIDE];
        write!(f, "{}{}", char::from(column), self.index() / STRIDE + 1)
    }
}

bit_set_iterator! {
    /// The points of a set, in ascending order.
    Points(u128): Point = |bit| Point(bit as u8)
}
