//! Squares, directions, set-up layouts and moves.
//!
//! The square at `row * 5 + column`, row 0 being the top one (rank 5): a5 is 0, e1 is 24.

use crate::game::Player;

/// The side length of the board.
pub const SIDE: usize = 5;
/// The number of squares.
pub const CELLS: usize = SIDE * SIDE;

/// The content of a square: 0 if empty, 1 to 6 the first player's stones, 7 to 12 the second's.
pub type Cell = u8;

/// The squares that a stone may move to, at most three.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    squares: [u8; 3],
    len: u8,
}

impl Targets {
    /// The squares on the board, in this order: along the row, along the file, diagonal.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.squares[..usize::from(self.len)]
    }
}

/// The destinations of a player's ([`Player::index`]) stone from a square; empty on the goal.
pub static TARGETS: [[Targets; CELLS]; 2] = [targets(true), targets(false)];

const fn targets(forward: bool) -> [Targets; CELLS] {
    let mut table = [Targets { squares: [0; 3], len: 0 }; CELLS];
    let mut square = 0;
    while square < CELLS {
        // The second player's moves are the first one's on the board rotated by 180 degrees.
        let seen = if forward { square } else { CELLS - 1 - square };
        let steps = [(0, 1), (1, 0), (1, 1)];
        let mut i = 0;
        while i < 3 {
            let (row, column) = (seen / SIDE + steps[i].0, seen % SIDE + steps[i].1);
            if row < SIDE && column < SIDE {
                let to = row * SIDE + column;
                let entry = &mut table[square];
                entry.squares[entry.len as usize] = if forward { to } else { CELLS - 1 - to } as u8;
                entry.len += 1;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The goal corner of a player.
pub const fn goal(player: Player) -> u8 {
    match player {
        Player::First => CELLS as u8 - 1,
        Player::Second => 0,
    }
}

/// A player's six home squares in reading order.
pub const fn home(player: Player) -> [u8; 6] {
    match player {
        Player::First => [0, 1, 2, 5, 6, 10],
        Player::Second => [14, 18, 19, 22, 23, 24],
    }
}

/// The square after a 180-degree rotation, which exchanges the players' directions.
pub const fn rotate(square: u8) -> u8 {
    CELLS as u8 - 1 - square
}

/// The square reflected in the diagonal from a5 to e1, which keeps the players' directions.
pub const fn transpose(square: u8) -> u8 {
    square % SIDE as u8 * SIDE as u8 + square / SIDE as u8
}

/// A set-up: the number on each home square. One of 720, by its lexicographic rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layout(u16);

impl Layout {
    /// The number of layouts.
    pub const COUNT: u16 = 720;

    /// The layout with a lexicographic rank below 720.
    pub fn from_rank(rank: u16) -> Option<Layout> {
        (rank < Layout::COUNT).then_some(Layout(rank))
    }

    /// The layout with these numbers on the home squares in reading order; `None` unless they are a
    /// permutation of 1 to 6.
    pub fn from_numbers(numbers: [u8; 6]) -> Option<Layout> {
        let mut seen = 0u8;
        let mut rank = 0;
        for (i, &n) in numbers.iter().enumerate() {
            if !(1..=6).contains(&n) || seen & 1 << (n - 1) != 0 {
                return None;
            }
            let smaller_unseen = (1..n).filter(|&s| seen & 1 << (s - 1) == 0).count();
            rank = rank * (6 - i as u16) + smaller_unseen as u16;
            seen |= 1 << (n - 1);
        }
        Some(Layout(rank))
    }

    /// The numbers on the home squares in reading order.
    pub fn numbers(self) -> [u8; 6] {
        let mut left = vec![1u8, 2, 3, 4, 5, 6];
        let mut rank = usize::from(self.0);
        let mut block = 720;
        std::array::from_fn(|i| {
            block /= 6 - i;
            let number = left.remove(rank / block);
            rank %= block;
            number
        })
    }

    /// The lexicographic rank, 0 to 719.
    pub fn rank(self) -> u16 {
        self.0
    }
}

/// A decision or a chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EinSteinMove {
    /// A roll of the die, 1 to 6.
    Roll(u8),
    /// A stone moves from square to square.
    Step {
        /// The origin.
        from: u8,
        /// The destination.
        to: u8,
    },
    /// A player's own set-up, or chance revealing the first player's.
    SetUp(Layout),
}
