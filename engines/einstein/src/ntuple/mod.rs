//! N-tuple networks (section 3.6 of the paper): what random self-play says about 24 windows of six
//! squares.
//!
//! A tuple is a rectangle of 2 rows by 3 columns or 3 by 2, wherever it fits on the board: 24 of
//! them. Each square holds one of 13 values (empty, six own, six enemy stones), so a tuple has
//! 13^6 patterns. For each the tables hold how often a player left that pattern on the board with
//! a move, and how often that player went on to win. `V(b)`, the value of a board for the player
//! who has just moved, is the mean winning rate of its 24 patterns.
//!
//! The paper does not say how the two colours share the tables. Here every board is seen by the
//! player who has just moved: for the lower-right player it is turned by half a turn and the
//! colours are exchanged, without which a pattern would mean a win for one side and a loss for the
//! other and average out to nothing.

mod file;
mod train;

pub use file::{FileError, checksum, load, save};
pub use train::{Counts, Trainer, random_start};

use agon_protocol::Player;

/// The number of tuples.
pub const TUPLES: usize = 24;
/// The number of patterns of one tuple.
pub const PATTERNS: usize = 13usize.pow(6);
/// The length of each table.
pub const ENTRIES: usize = TUPLES * PATTERNS;

/// The squares of each tuple.
pub static SQUARES: [[u8; 6]; TUPLES] = {
    let mut tuples = [[0; 6]; TUPLES];
    let shapes = [(2, 3), (3, 2)];
    let (mut n, mut shape) = (0, 0);
    while shape < 2 {
        let (rows, columns) = shapes[shape];
        let mut corner = 0;
        while corner < 25 {
            let (row, column) = (corner / 5, corner % 5);
            if row + rows <= 5 && column + columns <= 5 {
                let mut i = 0;
                while i < 6 {
                    tuples[n][i] = ((row + i / columns) * 5 + column + i % columns) as u8;
                    i += 1;
                }
                n += 1;
            }
            corner += 1;
        }
        shape += 1;
    }
    tuples
};

/// The table indices of a board's 24 patterns, as seen by the player who has just moved.
#[inline]
pub fn indices(cells: &[u8; 25], mover: Player) -> [u32; TUPLES] {
    let seen: [u32; 25] = match mover {
        Player::First => cells.map(u32::from),
        Player::Second => std::array::from_fn(|i| exchange(cells[24 - i])),
    };
    std::array::from_fn(|tuple| {
        let pattern = SQUARES[tuple].iter().fold(0, |p, &s| p * 13 + seen[usize::from(s)]);
        (tuple * PATTERNS) as u32 + pattern
    })
}

/// The same stone as the other side's.
#[inline]
fn exchange(cell: u8) -> u32 {
    u32::from(match cell {
        0 => 0,
        1..=6 => cell + 6,
        _ => cell - 6,
    })
}

/// A trained network: the winning rate of every pattern.
pub struct NTuple {
    /// `rate XOR HALF`, in units of 1/65535, so that memory that was never touched means one half.
    rates: Vec<u16>,
    /// Games of random self-play behind it.
    pub games: u64,
    /// The seed of those games.
    pub seed: u64,
}

const HALF: u16 = 0x8000;

impl std::fmt::Debug for NTuple {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NTuple").field("games", &self.games).field("seed", &self.seed).finish()
    }
}

impl NTuple {
    /// A network that knows nothing: every pattern wins one half.
    pub fn blank(games: u64, seed: u64) -> NTuple {
        NTuple { rates: vec![0; ENTRIES], games, seed }
    }

    /// Sets one pattern's rate. `visits` must not be 0, nor less than `wins`.
    pub fn set(&mut self, index: usize, wins: u64, visits: u64) {
        let rate = (wins * 65535 + visits / 2) / visits;
        self.rates[index] = rate as u16 ^ HALF;
    }

    /// One pattern's winning rate.
    pub fn rate(&self, index: usize) -> f64 {
        f64::from(self.rates[index] ^ HALF) / 65535.0
    }

    /// `V(b)` for the player who has just moved: 0 to 1.
    #[inline]
    pub fn value(&self, cells: &[u8; 25], mover: Player) -> f32 {
        let sum: u32 =
            indices(cells, mover).iter().map(|&i| u32::from(self.rates[i as usize] ^ HALF)).sum();
        sum as f32 / (TUPLES as f32 * 65535.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::einstein::{EinStein, EinSteinRules};
    use agon_protocol::game::Game;
    use std::collections::HashSet;

    #[test]
    fn there_are_24_different_rectangles_of_six_squares() {
        let different: HashSet<_> = SQUARES.iter().collect();
        assert_eq!(different.len(), TUPLES);
        assert_eq!(SQUARES[0], [0, 1, 2, 5, 6, 7]);
        assert_eq!(SQUARES[TUPLES - 1], [13, 14, 18, 19, 23, 24]);
    }

    #[test]
    fn both_players_see_their_own_stones_in_the_same_place() {
        let rules = EinSteinRules::default();
        let first = EinStein::parse_fen("A4/1B3/5/3c1/4d u -", &rules).unwrap();
        let second = EinStein::parse_fen("D4/1C3/5/3b1/4a u -", &rules).unwrap();
        let seen = indices(first.cells(), Player::First);
        assert_eq!(seen, indices(second.cells(), Player::Second));
        assert_ne!(seen, indices(second.cells(), Player::First));
    }

    #[test]
    fn patterns_that_were_never_seen_are_worth_one_half() {
        let mut net = NTuple::blank(0, 0);
        assert!((net.rate(7) - 0.5).abs() < 1e-4);
        net.set(7, 3, 4);
        assert!((net.rate(7) - 0.75).abs() < 1e-4);
        net.set(7, 0, 4);
        assert_eq!(net.rate(7), 0.0);
    }
}
