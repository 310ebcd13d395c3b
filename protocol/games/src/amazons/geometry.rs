//! Queen lines, king neighbourhoods and their tables, as functions on square sets.
//!
//! `blocked` is always the set of squares that stop a slide: amazons, arrows and everything off
//! the board.

use super::square::{AmazonsSquare, MAX_SIDE, STRIDE};

/// The squares of a board with this many columns and rows (each at most 10).
pub const fn board_mask(columns: usize, rows: usize) -> u128 {
    let mut mask = 0;
    let mut row = 0;
    while row < rows {
        mask |= ((1 << columns) - 1) << (row * STRIDE);
        row += 1;
    }
    mask
}

/// The squares of the largest board.
pub const LARGEST: u128 = board_mask(MAX_SIDE, MAX_SIDE);

/// A set together with its king neighbours, which may lie off the board.
#[inline]
pub const fn dilate(set: u128) -> u128 {
    let wide = set | set << 1 | set >> 1;
    wide | wide << STRIDE | wide >> STRIDE
}

/// The four directions with rising bit numbers, as bit steps: east, north-west, north, north-east.
/// The other four are their negatives.
pub const STEPS: [usize; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];

/// `RISING[d][s]`: the squares from `s`, exclusive, in direction `STEPS[d]` on the largest board.
static RISING: [[u128; 128]; 4] = rays(true);
/// The same for the opposite directions.
static FALLING: [[u128; 128]; 4] = rays(false);

const fn rays(rising: bool) -> [[u128; 128]; 4] {
    let mut table = [[0; 128]; 4];
    let mut d = 0;
    while d < 4 {
        let mut s = 0;
        while s < 110 {
            let mut at = 1u128 << s;
            while at & LARGEST != 0 {
                at = if rising { at << STEPS[d] } else { at >> STEPS[d] };
                at &= LARGEST;
                table[d][s] |= at;
            }
            s += 1;
        }
        d += 1;
    }
    table
}

/// The squares that a queen on `from` reaches in one move. `from` itself never blocks a slide.
#[inline]
pub fn queen_reach(from: AmazonsSquare, blocked: u128) -> u128 {
    let s = from.index() & 127;
    let mut reach = 0;
    for d in 0..4 {
        let ray = RISING[d][s];
        let stop = ray & blocked;
        // The bits below the lowest blocker, or all bits if there is none.
        reach |= ray & !stop & stop.wrapping_sub(1);
        let ray = FALLING[d][s];
        // The bits above the highest blocker.
        let stop = ray & blocked;
        let above = (!1u128) << (127 - (stop | 1).leading_zeros());
        reach |= if stop == 0 { ray } else { ray & above };
    }
    reach
}

/// If two different squares share a queen line: the single step from `from` towards `to` as
/// (columns, rows), and the number of steps.
pub fn queen_line(from: AmazonsSquare, to: AmazonsSquare) -> Option<((isize, isize), usize)> {
    let columns = to.column() as isize - from.column() as isize;
    let rows = to.row() as isize - from.row() as isize;
    let length = columns.unsigned_abs().max(rows.unsigned_abs());
    let straight = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    (length > 0 && straight).then(|| ((columns.signum(), rows.signum()), length))
}
