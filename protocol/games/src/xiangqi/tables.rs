//! Move tables built at compile time, and the slides of rooks and cannons.
//!
//! A horse's legs and an elephant's eyes are four squares, so their targets are one lookup by the
//! four occupancy bits. Slides need no occupancy table: the first and second piece in each
//! direction are found by counting zeros.

use super::piece::Kind;
use super::square::{BOARD, FILE_A, FILE_I, FILES, RANKS, SQUARES};
use crate::game::Player;

const fn at(file: isize, rank: isize) -> u128 {
    if file < 0 || rank < 0 || file >= FILES as isize || rank >= RANKS as isize {
        return 0;
    }
    1 << (rank * FILES as isize + file)
}

/// Directions as (file, rank); the first two go to higher bits, the others to lower ones.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

const fn rays() -> [[u128; SQUARES]; 4] {
    let mut table = [[0; SQUARES]; 4];
    let mut d = 0;
    while d < 4 {
        let mut s = 0;
        while s < SQUARES {
            let (mut file, mut rank) = ((s % FILES) as isize, (s / FILES) as isize);
            loop {
                file += DIRECTIONS[d].0;
                rank += DIRECTIONS[d].1;
                let bit = at(file, rank);
                if bit == 0 {
                    break;
                }
                table[d][s] |= bit;
            }
            s += 1;
        }
        d += 1;
    }
    table
}

/// `RAYS[direction][square]`: the squares from the next one to the edge.
static RAYS: [[u128; SQUARES]; 4] = rays();

/// The file and the rank through each square, without the square itself.
pub static LINES: [u128; SQUARES] = {
    let rays = rays();
    let mut table = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        table[s] = rays[0][s] | rays[1][s] | rays[2][s] | rays[3][s];
        s += 1;
    }
    table
};

/// Diagonal steps in the bit order of a lookup: square - 10, - 8, + 8, + 10.
const DIAGONALS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
/// Straight steps in the bit order of a lookup: square - 9, - 1, + 1, + 9.
const STRAIGHTS: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// The kind of a jump table.
#[derive(Clone, Copy)]
enum Jump {
    /// From a horse to its targets, indexed by its legs.
    Horse,
    /// From a target to the horses that reach it, indexed by their legs.
    HorseBack,
    /// From an elephant to its targets, indexed by its eyes.
    Elephant,
}

const fn jumps(jump: Jump) -> [[u128; 16]; SQUARES] {
    let mut table = [[0; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES * 16 * 4 {
        let (s, blocked, way) = (index / 64, index / 4 % 16, index % 4);
        let (file, rank) = ((s % FILES) as isize, (s / FILES) as isize);
        if blocked >> way & 1 == 0 {
            let (a, b) = match jump {
                Jump::Horse => STRAIGHTS[way],
                _ => DIAGONALS[way],
            };
            let targets = match jump {
                // One straight step, then one more forward and one aside, either way.
                Jump::Horse => {
                    at(file + 2 * a + b, rank + 2 * b + a) | at(file + 2 * a - b, rank + 2 * b - a)
                }
                Jump::HorseBack => at(file + 2 * a, rank + b) | at(file + a, rank + 2 * b),
                Jump::Elephant => at(file + 2 * a, rank + 2 * b),
            };
            // A leg off the board leads to no square on it.
            if at(file + a, rank + b) != 0 {
                table[s][blocked] |= targets;
            }
        }
        index += 1;
    }
    table
}

static HORSE: [[u128; 16]; SQUARES] = jumps(Jump::Horse);
static HORSE_BACK: [[u128; 16]; SQUARES] = jumps(Jump::HorseBack);
static ELEPHANT: [[u128; 16]; SQUARES] = jumps(Jump::Elephant);

const fn steps(ways: &[(isize, isize)], kind: Kind) -> [u128; SQUARES] {
    let domain = kind.domain(Player::First) | kind.domain(Player::Second);
    let mut table = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut way = 0;
        while way < ways.len() && domain >> s & 1 == 1 {
            table[s] |=
                at((s % FILES) as isize + ways[way].0, (s / FILES) as isize + ways[way].1) & domain;
            way += 1;
        }
        s += 1;
    }
    table
}

static KING: [u128; SQUARES] = steps(&STRAIGHTS, Kind::King);
static ADVISOR: [u128; SQUARES] = steps(&DIAGONALS, Kind::Advisor);

/// The four bits of `occupied` orthogonally adjacent to square `s`.
#[inline]
fn straight_bits(s: usize, occupied: u128) -> usize {
    let w = (occupied << 9 >> s) as u32;
    (w & 1 | w >> 7 & 2 | w >> 8 & 4 | w >> 15 & 8) as usize
}

/// The four bits of `occupied` diagonally adjacent to square `s`.
#[inline]
fn diagonal_bits(s: usize, occupied: u128) -> usize {
    let w = (occupied << 10 >> s) as u32;
    (w & 1 | w >> 1 & 2 | w >> 16 & 4 | w >> 17 & 8) as usize
}

/// The palace squares that the king on square `s` can move to.
#[inline]
pub fn king(s: usize) -> u128 {
    KING[s]
}

/// The palace squares that the advisor on square `s` can move to.
#[inline]
pub fn advisor(s: usize) -> u128 {
    ADVISOR[s]
}

/// The squares that the horse on square `s` can jump to.
#[inline]
pub fn horse(s: usize, occupied: u128) -> u128 {
    HORSE[s][straight_bits(s, occupied)]
}

/// The squares from which horses reach square `s`.
#[inline]
pub fn horse_back(s: usize, occupied: u128) -> u128 {
    HORSE_BACK[s][diagonal_bits(s, occupied)]
}

/// The squares from which horses would reach square `s` if none of their legs were blocked.
#[inline]
pub fn horse_pattern(s: usize) -> u128 {
    HORSE_BACK[s][0]
}

/// The diagonal neighbours of square `s`: the legs of every horse that can reach it.
#[inline]
pub fn horse_legs(s: usize) -> u128 {
    let bit = 1u128 << s;
    let (left, right) = ((bit & !FILE_A) >> 1, (bit & !FILE_I) << 1);
    ((left | right) << 9 | (left | right) >> 9) & BOARD
}

/// The leg of a horse that moves from square `from` to square `to`.
#[inline]
pub fn horse_leg(from: usize, to: usize) -> u128 {
    let from_set = 1u128 << from;
    DIAGONALS
        .into_iter()
        .map(|(a, b)| at((to % FILES) as isize + a, (to / FILES) as isize + b))
        .find(|leg| *leg != 0 && straight(*leg) & from_set != 0)
        .unwrap_or(0)
}

/// The orthogonal neighbours of the squares of a set.
#[inline]
pub fn straight(set: u128) -> u128 {
    (set << 9 | set >> 9 | (set & !FILE_I) << 1 | (set & !FILE_A) >> 1) & BOARD
}

/// The squares that the elephant on square `s` can jump to; it cannot cross the river.
#[inline]
pub fn elephant(s: usize, occupied: u128) -> u128 {
    let home = if s < SQUARES / 2 { Player::First } else { Player::Second };
    ELEPHANT[s][diagonal_bits(s, occupied)] & Kind::Elephant.domain(home)
}

/// The squares that pawns of `side` on the squares of `pawns` can step to, for all pawns at once.
#[inline]
pub fn pawns(side: Player, pawns: u128) -> u128 {
    let [ahead, left, right] = pawn_steps(side, pawns);
    ahead | left | right
}

/// The same by direction: forward, towards file a, towards file i.
#[inline]
pub fn pawn_steps(side: Player, pawns: u128) -> [u128; 3] {
    let crossed = pawns & !super::piece::home_half(side);
    let ahead = match side {
        Player::First => pawns << 9 & BOARD,
        Player::Second => pawns >> 9,
    };
    [ahead, (crossed & !FILE_A) >> 1, (crossed & !FILE_I) << 1]
}

/// Those of the pawns of `side` on the squares of `pawns` that can step to a square of `open`, a set of squares of the board.
#[inline]
pub fn pawns_that_step(side: Player, pawns: u128, open: u128) -> u128 {
    let crossed = pawns & !super::piece::home_half(side);
    let ahead = match side {
        Player::First => open >> 9,
        Player::Second => open << 9,
    };
    pawns & ahead | crossed & ((open & !FILE_I) << 1 | (open & !FILE_A) >> 1)
}

/// The squares from which pawns of `side` reach square `s`.
#[inline]
pub fn pawns_back(side: Player, s: usize) -> u128 {
    let bit = 1u128 << s;
    let behind = match side {
        Player::First => bit >> 9,
        Player::Second => bit << 9 & BOARD,
    };
    let crossed = bit & !super::piece::home_half(side);
    behind | (crossed & !FILE_A) >> 1 | (crossed & !FILE_I) << 1
}

/// Finds the first pieces on a ray, nearest first, and the squares before them.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    squares: u128,
    upward: bool,
}

impl Ray {
    /// The ray from square `s` in one of four directions.
    #[inline]
    pub fn new(direction: usize, s: usize) -> Ray {
        Ray { squares: RAYS[direction & 3][s], upward: direction & 2 == 0 }
    }

    /// All squares of the ray.
    #[inline]
    pub fn squares(self) -> u128 {
        self.squares
    }

    /// The nearest of `pieces` (which must lie on the ray), as a set; empty if there are none.
    #[inline]
    pub fn nearest(self, pieces: u128) -> u128 {
        if self.upward {
            pieces & pieces.wrapping_neg()
        } else if pieces == 0 {
            0
        } else {
            1 << (127 - pieces.leading_zeros())
        }
    }

    /// The squares before `piece` (one square of the ray), or all squares if it is the empty set.
    #[inline]
    pub fn before(self, piece: u128) -> u128 {
        if self.upward {
            self.squares & piece.wrapping_sub(1)
        } else if piece == 0 {
            self.squares
        } else {
            self.squares & !(piece | (piece - 1))
        }
    }
}

/// The destinations of a rook on square `s`: empty squares and the first piece each way.
#[inline]
pub fn rook(s: usize, occupied: u128) -> u128 {
    let mut reach = 0;
    for direction in 0..4 {
        let ray = Ray::new(direction, s);
        let first = ray.nearest(occupied & ray.squares);
        reach |= ray.before(first) | first;
    }
    reach
}

/// The destinations of a cannon on square `s`: empty squares and the second piece each way.
#[inline]
pub fn cannon(s: usize, occupied: u128) -> u128 {
    let mut reach = 0;
    for direction in 0..4 {
        let ray = Ray::new(direction, s);
        let pieces = occupied & ray.squares;
        let first = ray.nearest(pieces);
        reach |= ray.before(first) | ray.nearest(pieces ^ first);
    }
    reach
}
