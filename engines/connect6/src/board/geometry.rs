//! Where points lie on lines. A line is a run of points in one of four directions, its bits the
//! rows (for columns) or the columns (for all others), so that a bit's point is linear in the bit.

use agon_protocol::connect6::{MAX_SIZE, POINTS};

/// Lines of the largest board: 19 columns, 19 rows, 37 diagonals either way.
pub const LINES: usize = 4 * MAX_SIZE - 2 + 2 * MAX_SIZE - 2 + 2;
/// All bits of a line on the largest board.
pub const FULL: u32 = (1 << MAX_SIZE) - 1;

const RISING: usize = 2 * MAX_SIZE;
const FALLING: usize = RISING + 2 * MAX_SIZE - 1;

/// A point's place on one of its lines.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The line, below [`LINES`].
    pub line: u8,
    /// The bit on it, below 19.
    pub bit: u8,
}

/// The four places of each point.
pub static PLACES: [[Place; 4]; POINTS] = places();

const fn places() -> [[Place; 4]; POINTS] {
    let mut table = [[Place { line: 0, bit: 0 }; 4]; POINTS];
    let mut c = 0;
    while c < MAX_SIZE {
        let mut r = 0;
        while r < MAX_SIZE {
            let (col, row) = (c as u8, r as u8);
            table[c * MAX_SIZE + r] = [
                Place { line: col, bit: row },
                Place { line: MAX_SIZE as u8 + row, bit: col },
                Place { line: (RISING + c + MAX_SIZE - 1 - r) as u8, bit: col },
                Place { line: (FALLING + c + r) as u8, bit: col },
            ];
            r += 1;
        }
        c += 1;
    }
    table
}

/// `base + step * bit` is the point of a line's bit.
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
            // The row is the column less (the line's number less its middle).
            (RISING as i16 + side - 1 - n, side + 1)
        } else {
            (n - FALLING as i16, side - 1)
        };
        i += 1;
    }
    table
}

/// The point of a line's bit; the bit must be on the line.
#[inline]
pub fn point_of(line: usize, bit: u32) -> u16 {
    let (base, step) = LINEAR[line];
    (base + step * bit as i16) as u16
}

/// The bits of each line that are on a board of this size.
pub fn valid(size: usize) -> [u32; LINES] {
    let mut bits = [0; LINES];
    for column in 0..size {
        for row in 0..size {
            for place in PLACES[column * MAX_SIZE + row] {
                bits[usize::from(place.line)] |= 1 << place.bit;
            }
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lines_bits_are_its_points() {
        for (point, places) in PLACES.iter().enumerate() {
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
