//! The static evaluation.
//!
//! A piece's value depends on its kind and on the remaining enemy pieces, on the board or hidden: each
//! adds the weight of the two kinds ([`crate::weights`]). Mobility is added. Only a part of an
//! advantage counts if it cannot be won, or hardly ([`crate::fortress`]).

use crate::fortress::fewest_takers;
use crate::weights::{self, BASE, FACING, FRACTION};
use agon_protocol::darkchess::{Colour, DarkChess, KINDS, Kind, Piece, neighbours_of};

/// The value of a certain win, and the unit of expected outcomes.
pub const UNIT: i32 = agon_search::expectimax::UNIT;
/// The maximum absolute value of the static evaluation.
pub const STATIC_LIMIT: i32 = UNIT / 10 * 9;

/// The value of each kind of each colour.
pub type PieceValues = [[i32; KINDS]; 2];

/// An advantage counts in parts of this.
pub const WHOLE: i32 = 64;

/// [`FACING`] by the enemy's kind, then [`BASE`], in rows of a power of two.
static BY_ENEMY: [[i32; 8]; KINDS + 1] = {
    let mut rows = [[0; 8]; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        rows[KINDS][kind] = BASE[kind];
        let mut enemy = 0;
        while enemy < KINDS {
            rows[enemy][kind] = FACING[kind][enemy];
            enemy += 1;
        }
        kind += 1;
    }
    rows
};

/// The number of pieces of each kind that a colour has left, on the board and hidden.
#[inline]
pub fn remaining(game: &DarkChess, colour: Colour) -> [i32; KINDS] {
    std::array::from_fn(|kind| {
        let piece = Piece::new(colour, Kind::ALL[kind]);
        game.pieces(piece).count_ones() as i32 + i32::from(game.pool()[piece.index()])
    })
}

/// The values of both colours' pieces, given the remaining pieces of both.
#[inline]
pub fn values_against(remaining: &[[i32; KINDS]; 2]) -> PieceValues {
    std::array::from_fn(|colour| {
        let mut values = BY_ENEMY[KINDS];
        for (weights, n) in BY_ENEMY.iter().zip(&remaining[1 - colour]) {
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value += n * weight);
        }
        let least = weights::min_value();
        std::array::from_fn(|kind| (values[kind] / FRACTION).max(least))
    })
}

/// The values of the pieces in a position.
pub fn piece_values(game: &DarkChess) -> PieceValues {
    values_against(&Colour::BOTH.map(|colour| remaining(game, colour)))
}

/// The advantage of the side to move in the units of [`PieceValues`]; 0 before the first flip.
pub fn advantage(game: &DarkChess) -> i32 {
    let Some(own) = game.colour_to_move() else { return 0 };
    let both = Colour::BOTH.map(|colour| remaining(game, colour));
    let values = values_against(&both);
    let side = |colour: Colour| side_value(game, colour, &both[colour.index()], &values);
    let value = side(own) - side(own.other());
    let ahead = if value > 0 { own } else { own.other() };
    value * winning_share(&both[ahead.index()], &both[ahead.other().index()]) / WHOLE
}

/// The part of an advantage that can still win, of [`WHOLE`]: each side's pieces by kind, the side
/// that is ahead first.
pub fn winning_share(own: &[i32; KINDS], enemy: &[i32; KINDS]) -> i32 {
    let count = |side: &[i32; KINDS]| -> i32 { side.iter().sum() };
    match fewest_takers(own, enemy) {
        0 => 0,
        _ if count(own) == 1 && count(enemy) > 1 => weights::lone_share(),
        1 => weights::one_taker_share(),
        _ => WHOLE,
    }
}

fn side_value(
    game: &DarkChess,
    colour: Colour,
    remaining: &[i32; KINDS],
    values: &PieceValues,
) -> i32 {
    let material: i32 = remaining.iter().zip(&values[colour.index()]).map(|(n, w)| n * w).sum();
    material + weights::mobility_weight() * mobility(game, colour) / FRACTION
}

/// The number of vacant squares next to a colour's pieces.
#[inline]
pub fn mobility(game: &DarkChess, colour: Colour) -> i32 {
    (neighbours_of(game.side_pieces(colour)) & game.vacant()).count_ones() as i32
}

/// Converts an advantage to an expected outcome by a curve that approaches [`STATIC_LIMIT`].
#[inline]
pub fn expected(advantage: i32) -> i32 {
    let advantage = i64::from(advantage);
    let half = i64::from(weights::half_advantage());
    (advantage * i64::from(STATIC_LIMIT) / (advantage.abs() + half)) as i32
}

/// The static evaluation: the expected outcome for the side to move.
pub fn evaluate(game: &DarkChess) -> i32 {
    expected_now(game, advantage(game))
}

/// The expected outcome of the [`advantage`] of a position. It shrinks as the number of quiet plies
/// approaches the draw limit.
#[inline]
pub fn expected_now(game: &DarkChess, advantage: i32) -> i32 {
    let value = expected(advantage);
    let limit = i32::from(game.draw_plies());
    if limit == 0 {
        return value;
    }
    let quiet = i32::from(game.quiet_plies()).min(limit);
    (i64::from(value) * i64::from(2 * limit - quiet) / i64::from(2 * limit)) as i32
}
