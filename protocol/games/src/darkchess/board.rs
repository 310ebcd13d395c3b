//! Squares as bits: bit `4 * rank + file`, counted from a1.

use crate::bits::bit_set_iterator;

/// Number of files of the widest board, which is also the bit distance of neighbours on a file.
pub const FILES: usize = 4;
/// Number of squares of the largest board.
pub const SQUARES: usize = 32;

/// The neighbours (up to four) of each square of the full board.
pub const NEIGHBOURS: [u32; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = neighbours_of(1 << square);
        square += 1;
    }
    table
};

const FILE_A: u32 = 0x1111_1111;
const FILE_D: u32 = 0x8888_8888;

/// All neighbours of the squares of a set, on the full board.
#[inline]
pub const fn neighbours_of(set: u32) -> u32 {
    (set & !FILE_D) << 1 | (set & !FILE_A) >> 1 | set << 4 | set >> 4
}

bit_set_iterator! {
    /// The squares of a set, in ascending order.
    Squares(u32): u8 = |bit| bit as u8
}

/// For each square, the squares beyond it: upwards on the file, right on the rank (for both the
/// nearest square is the lowest bit), downwards, left (for both the highest).
const RAYS: [[u32; SQUARES]; 4] = {
    let mut rays = [[0; SQUARES]; 4];
    let mut square = 0;
    while square < SQUARES {
        let (rank, file) = (square / FILES, square % FILES);
        let mut other = 0;
        while other < SQUARES {
            let (r, f) = (other / FILES, other % FILES);
            let bit = 1 << other;
            if f == file && r > rank {
                rays[0][square] |= bit;
            } else if r == rank && f > file {
                rays[1][square] |= bit;
            } else if f == file && r < rank {
                rays[2][square] |= bit;
            } else if r == rank && f < file {
                rays[3][square] |= bit;
            }
            other += 1;
        }
        square += 1;
    }
    rays
};

/// The squares that a cannon on `from` jumps to: the second occupied square in each direction.
#[inline]
pub fn jumps(from: u8, occupied: u32) -> u32 {
    let from = usize::from(from) % SQUARES;
    let mut targets = 0;
    let mut direction = 0;
    while direction < 4 {
        let mut seen = RAYS[direction][from] & occupied;
        // The ray without its nearest occupied square.
        if direction < 2 {
            seen &= seen.wrapping_sub(1);
            targets |= seen & seen.wrapping_neg();
        } else if seen != 0 {
            seen ^= 1 << (31 - seen.leading_zeros());
            if seen != 0 {
                targets |= 1 << (31 - seen.leading_zeros());
            }
        }
        direction += 1;
    }
    targets
}
