//! Points and turns as plain integers.

use std::fmt;

/// The side length of the tournament board, which is the largest board.
pub const MAX_SIZE: usize = 19;
/// The smallest board: six in a row must fit.
pub const MIN_SIZE: usize = 6;
/// The number of points on the largest board; see [`Point::index`].
pub const POINTS: usize = MAX_SIZE * MAX_SIZE;

/// A point of the board. Columns are `a` to `s` from the left (no letter is skipped), rows 1 to 19
/// from the bottom. Points are ordered by column, then by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(u16);

impl Point {
    /// The point at a column and row, both from 0; `None` if off the largest board.
    pub const fn new(column: usize, row: usize) -> Option<Point> {
        if column < MAX_SIZE && row < MAX_SIZE {
            Some(Point((column * MAX_SIZE + row) as u16))
        } else {
            None
        }
    }

    /// The point with this [`Point::index`]; `None` from [`POINTS`] upwards.
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < POINTS { Some(Point(index as u16)) } else { None }
    }

    /// `19 * column + row`, below [`POINTS`], on a board of any size.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column from 0.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize / MAX_SIZE
    }

    /// The row from 0.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize % MAX_SIZE
    }
}

crate::phrase::plain!(Point);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

/// A turn of one or two stones. Two stones are stored with the lower point first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Connect6Move {
    /// The only stone, or the one on the lower point.
    pub first: Point,
    /// The stone on the higher point.
    pub second: Option<Point>,
}

impl Connect6Move {
    /// A turn of one stone.
    pub const fn one(point: Point) -> Connect6Move {
        Connect6Move { first: point, second: None }
    }

    /// A turn of two stones, given in either order.
    pub fn two(a: Point, b: Point) -> Connect6Move {
        Connect6Move { first: a.min(b), second: Some(a.max(b)) }
    }

    /// The stones, in order.
    pub fn stones(self) -> impl Iterator<Item = Point> + Clone {
        std::iter::once(self.first).chain(self.second)
    }
}

impl fmt::Display for Connect6Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stones().try_for_each(|p| write!(f, "{p}"))
    }
}
