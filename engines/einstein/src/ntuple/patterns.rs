//! The tuples and their patterns.

use agon_games::Player;

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

/// The table indices of a board's 24 patterns, seen from the player who has just moved.
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

/// The same stone with exchanged colours.
#[inline]
fn exchange(cell: u8) -> u32 {
    u32::from(match cell {
        0 => 0,
        1..=6 => cell + 6,
        _ => cell - 6,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::einstein::{EinStein, EinSteinRules};
    use agon_games::game::Game;
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
}
