//! The values of the pieces, by which captures and flips are ordered. A piece's value depends on its
//! kind and on the remaining enemy pieces, on the board or hidden: each adds the weight of the two
//! kinds. The weights were fitted to games.

use agon_games::darkchess::{Colour, DarkChess, KINDS, Kind, Piece};

/// The value of each kind of each colour; 100 is about a knight.
pub type PieceValues = [[i32; KINDS]; 2];

/// Weights are stored in this part of a unit, with the kinds in the order K G M R N C P.
const FRACTION: i32 = 16;
/// The minimum value of a piece.
const MIN_VALUE: i32 = 25;
/// What each remaining enemy piece of a kind adds to the value of each kind, and in the last row the
/// value of a piece that faces no enemy. Rows have the length of a power of two.
static BY_ENEMY: [[i32; 8]; KINDS + 1] = [
    [48, -827, -415, -234, -12, -5, 567, 0],
    [875, 48, -49, -120, 2, 214, -147, 0],
    [463, 97, 48, -44, -108, 234, -62, 0],
    [282, 168, 92, 48, -33, 107, -37, 0],
    [60, 46, 156, 81, 48, -153, 39, 0],
    [197, -22, -42, 85, 345, 144, 10, 0],
    [-519, 195, 110, 85, 9, 134, 48, 0],
    [2856, 3497, 1885, 1548, 827, 510, 692, 0],
];

/// The number of pieces of each kind that a colour has left, on the board and hidden.
#[inline]
pub fn remaining(game: &DarkChess, colour: Colour) -> [i32; KINDS] {
    std::array::from_fn(|kind| {
        let piece = Piece::new(colour, Kind::ALL[kind]);
        game.pieces(piece).count_ones() as i32 + i32::from(game.pool()[piece.index()])
    })
}

/// The values of the pieces in a position.
pub fn piece_values(game: &DarkChess) -> PieceValues {
    let remaining = Colour::BOTH.map(|colour| remaining(game, colour));
    std::array::from_fn(|colour| {
        let mut values = BY_ENEMY[KINDS];
        for (weights, n) in BY_ENEMY.iter().zip(&remaining[1 - colour]) {
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value += n * weight);
        }
        std::array::from_fn(|kind| (values[kind] / FRACTION).max(MIN_VALUE))
    })
}
