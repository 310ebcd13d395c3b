//! The lines of the board, the points on them, and sets of points. A line runs in one of four directions
//! (column, row, rising and falling diagonal). The bit of a point on a line is its row on columns and
//! its column on all other lines, so the point is a linear function of the bit.

use agon_games::connect6::{MAX_SIZE, POINTS};

/// The number of lines of the largest board: 19 columns, 19 rows, 37 diagonals in either direction.
pub const LINES: usize = 4 * MAX_SIZE - 2 + 2 * MAX_SIZE - 2 + 2;
/// All bits of a line on the largest board.
pub const FULL: u32 = (1 << MAX_SIZE) - 1;

const RISING: usize = 2 * MAX_SIZE;
const FALLING: usize = RISING + 2 * MAX_SIZE - 1;

/// The first line of each direction.
pub const FIRST_LINES: [usize; 4] = [0, MAX_SIZE, RISING, FALLING];

/// The position of a point on one of its lines.
#[derive(Clone, Copy, Debug)]
pub struct LineBit {
    /// The index of the line, below [`LINES`].
    pub line: u8,
    /// The bit on the line, below 19.
    pub bit: u8,
}

/// The position of each point on its four lines, by direction.
pub static LINE_BITS: [[LineBit; 4]; POINTS] = line_bits();

const fn line_bits() -> [[LineBit; 4]; POINTS] {
    let mut table = [[LineBit { line: 0, bit: 0 }; 4]; POINTS];
    let mut c = 0;
    while c < MAX_SIZE {
        let mut r = 0;
        while r < MAX_SIZE {
            let (col, row) = (c as u8, r as u8);
            table[c * MAX_SIZE + r] = [
                LineBit { line: col, bit: row },
                LineBit { line: MAX_SIZE as u8 + row, bit: col },
                LineBit { line: (RISING + c + MAX_SIZE - 1 - r) as u8, bit: col },
                LineBit { line: (FALLING + c + r) as u8, bit: col },
            ];
            r += 1;
        }
        c += 1;
    }
    table
}

/// The point of a line's bit is `base + step * bit`.
static LINEAR: [(i16, i16); LINES] = linear();

const fn linear() -> [(i16, i16); LINES] {
    let mut table = [(0, 0); LINES];
    let side = MAX_SIZE as i16;
    let mut i = 0;
    while i < LINES {
        let n = i as i16;
        table[i] = if i < MAX_SIZE {
            (n * side, 1)
        } else if i < RISING {
            (n - side, side)
        } else if i < FALLING {
            // row = column - (line - middle line)
            (RISING as i16 + side - 1 - n, side + 1)
        } else {
            (n - FALLING as i16, side - 1)
        };
        i += 1;
    }
    table
}

/// The point of a line's bit, which must be on the line.
#[inline]
pub fn point_of(line: usize, bit: u32) -> u16 {
    let (base, step) = LINEAR[line];
    (base + step * bit as i16) as u16
}

/// The bits of each line that lie on a board with `size` columns and rows.
pub fn valid(size: usize) -> [u32; LINES] {
    let mut bits = [0; LINES];
    for column in 0..size {
        for row in 0..size {
            for place in LINE_BITS[column * MAX_SIZE + row] {
                bits[usize::from(place.line)] |= 1 << place.bit;
            }
        }
    }
    bits
}

/// A set of points of the largest board, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; POINTS.div_ceil(64)]);

impl PointSet {
    /// Adds a point; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, point: u16) -> bool {
        let (word, bit) = (usize::from(point) / 64, 1u64 << (point % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Whether a point is in the set.
    #[inline]
    pub fn has(&self, point: u16) -> bool {
        self.0[usize::from(point) / 64] >> (point % 64) & 1 != 0
    }

    /// Whether the sets intersect.
    #[inline]
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds the points of another set; returns whether any of them is new.
    pub fn unite(&mut self, other: &PointSet) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= *b & !*a != 0;
            *a |= b;
        }
        grown
    }

    /// The points in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (i * 64) as u16 + bit as u16
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lines_bits_are_its_points() {
        for (point, places) in LINE_BITS.iter().enumerate() {
            for place in places {
                let back = point_of(usize::from(place.line), u32::from(place.bit));
                assert_eq!(usize::from(back), point);
            }
        }
    }

    #[test]
    fn nineteen_lines_a_side_have_924_windows() {
        let windows = |size| {
            let long = valid(size).map(|bits| (bits.count_ones() as usize).saturating_sub(5));
            long.iter().sum::<usize>()
        };
        assert_eq!(windows(19), 924);
        assert_eq!(windows(6), 14);
    }
}
