//! Slides by table lookup: every square lies on four lines of at most ten squares, and the slide
//! length along a line depends only on that line's ten occupancy bits.
//!
//! Counting the arrows of one amazon move takes eight small loads and no bit loop, which makes bulk
//! counting fast. The occupancies are built during move generation instead of being stored in the
//! state, so copying a state stays cheap.

use super::square::{AmazonsSquare, MAX_SIDE, STRIDE, Squares};

/// Bit steps along the four lines of a square: row, column, rising and falling diagonal.
const STRIDES: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
const LINES: usize = 64;
const FULL: u16 = (1 << MAX_SIDE) - 1;

/// A square's position on its four lines. Along every line, the line's bits rise with the square's
/// bit number; on falling diagonals, columns are therefore counted from the right.
#[derive(Clone, Copy)]
struct QueenLines {
    /// The numbers of the lines, in the order of `STRIDES`.
    lines: [u8; 4],
    /// The bit on each of those lines.
    bits: [u8; 4],
}

static QUEEN_LINES: [QueenLines; 128] = queen_lines();

const fn queen_lines() -> [QueenLines; 128] {
    let mut table = [QueenLines { lines: [0; 4], bits: [0; 4] }; 128];
    let mut row = 0;
    while row < MAX_SIDE {
        let mut col = 0;
        while col < MAX_SIDE {
            let rising = 20 + row + (MAX_SIDE - 1) - col;
            let falling = 39 + row + col;
            table[row * STRIDE + col] = QueenLines {
                lines: [row as u8, (10 + col) as u8, rising as u8, falling as u8],
                bits: [col as u8, row as u8, col as u8, (MAX_SIDE - 1 - col) as u8],
            };
            col += 1;
        }
        row += 1;
    }
    table
}

/// The slide length of a queen on a line, indexed by its bit (times 1024) and the line's occupancy:
/// steps towards lower bits, then steps towards higher bits.
static FREE: [[u8; 2]; 16 * 1024] = free();
/// The sum of both directions.
static TOTAL: [u8; 16 * 1024] = totals();

const fn free() -> [[u8; 2]; 16 * 1024] {
    let mut table = [[0; 2]; 16 * 1024];
    let mut bit = 0;
    while bit < MAX_SIDE {
        let mut occupied = 0;
        while occupied < 1024 {
            let mut down = 0;
            while down < bit && occupied >> (bit - down - 1) & 1 == 0 {
                down += 1;
            }
            let mut up = 0;
            while bit + up + 1 < MAX_SIDE && occupied >> (bit + up + 1) & 1 == 0 {
                up += 1;
            }
            table[bit << 10 | occupied] = [down as u8, up as u8];
            occupied += 1;
        }
        bit += 1;
    }
    table
}

const fn totals() -> [u8; 16 * 1024] {
    let free = free();
    let mut table = [0; 16 * 1024];
    let mut i = 0;
    while i < table.len() {
        table[i] = free[i][0] + free[i][1];
        i += 1;
    }
    table
}

/// The occupancy of all 58 lines of the board.
#[derive(Clone)]
pub struct Lines {
    occupied: [u16; LINES],
}

impl Lines {
    /// The lines of a position with these empty squares; all other squares are occupied.
    pub fn new(empty: u128) -> Lines {
        let mut lines = Lines { occupied: [FULL; LINES] };
        for square in Squares(empty) {
            lines.toggle(square);
        }
        lines
    }

    /// Toggles a square between occupied and empty.
    #[inline]
    pub fn toggle(&mut self, square: AmazonsSquare) {
        let place = &QUEEN_LINES[square.index() & 127];
        for i in 0..4 {
            self.occupied[place.lines[i] as usize & (LINES - 1)] ^= 1 << (place.bits[i] & 15);
        }
    }

    /// The number of squares that a queen reaches in one move.
    #[inline]
    pub fn count(&self, from: AmazonsSquare) -> u32 {
        let place = &QUEEN_LINES[from.index() & 127];
        let on = |i: usize| {
            let occupied = self.occupied[place.lines[i] as usize & (LINES - 1)];
            let index = (place.bits[i] as usize & 15) << 10 | (occupied as usize & 1023);
            u32::from(TOTAL[index])
        };
        (on(0) + on(1)) + (on(2) + on(3))
    }

    /// Calls `visit` for every square that a queen reaches in one move, until it returns a value.
    #[inline]
    pub fn each<B>(
        &self,
        from: AmazonsSquare,
        mut visit: impl FnMut(AmazonsSquare) -> Option<B>,
    ) -> Option<B> {
        let place = &QUEEN_LINES[from.index() & 127];
        for (i, stride) in STRIDES.into_iter().enumerate() {
            let occupied = self.occupied[place.lines[i] as usize & (LINES - 1)];
            let index = (place.bits[i] as usize & 15) << 10 | (occupied as usize & 1023);
            let [down, up] = FREE[index];
            let mut at = from.index() as u32;
            for _ in 0..down {
                at = at.wrapping_sub(stride as u32);
                if let Some(value) = visit(AmazonsSquare::from_bit(at)) {
                    return Some(value);
                }
            }
            let mut at = from.index() as u32;
            for _ in 0..up {
                at = at.wrapping_add(stride as u32);
                if let Some(value) = visit(AmazonsSquare::from_bit(at)) {
                    return Some(value);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::geometry::{LARGEST, queen_reach};
    use crate::rng;
    use rand_core::Rng;

    #[test]
    fn line_tables_and_ray_masks_give_the_same_queen_moves() {
        let mut rng = rng::stream(1, 0, "lines");
        for round in 0..2000 {
            let mut wide = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let mut empty = wide() & LARGEST;
            if round % 2 == 0 {
                empty |= wide() & wide() | wide();
                empty &= LARGEST;
            }
            let lines = Lines::new(empty);
            for from in Squares(LARGEST & !empty) {
                let mut set = 0;
                lines.each::<()>(from, |s| {
                    set |= s.bit();
                    None
                });
                assert_eq!(set, queen_reach(from, !empty), "{from}");
                assert_eq!(lines.count(from), set.count_ones(), "{from}");
            }
        }
    }
}
