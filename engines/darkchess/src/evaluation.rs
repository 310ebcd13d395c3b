//! The static evaluation.
//!
//! A piece's value depends on the remaining enemy pieces, on the board or hidden: it grows with the
//! number of those that it captures and falls with the number of those that capture it. Two
//! positional terms are added: proximity to capturable pieces (the hunt) and mobility.

use agon_protocol::darkchess::{
    Colour, DarkChess, KINDS, Kind, Piece, SQUARES, Squares, neighbours_of,
};

/// The value of a certain win, and the unit of expected outcomes.
pub const UNIT: i32 = agon_search::expectimax::UNIT;
/// The maximum absolute value of the static evaluation.
pub const STATIC_LIMIT: i32 = UNIT / 10 * 9;

/// The distance between two squares.
static DISTANCE: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            table[a][b] = ((a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4)) as u8;
            b += 1;
        }
        a += 1;
    }
    table
};

/// The number of steps from one square to another on an empty board.
#[inline]
pub fn distance(a: u8, b: u8) -> u8 {
    DISTANCE[usize::from(a) % SQUARES][usize::from(b) % SQUARES]
}

/// The value of each kind of each colour; 100 is a knight that faces no enemy.
pub type PieceValues = [[i32; KINDS]; 2];

/// The value of a piece that faces no enemy.
const BASE: i32 = 100;
/// The bonus for each enemy piece that the piece captures.
const PREY: i32 = 14;
/// The penalty for each enemy piece that captures it.
const DANGER: i32 = 11;
/// The bonus of a cannon, which captures everything but needs a screen for it.
const CANNON_PREY: i32 = 9;
/// The minimum value of a piece.
const MIN_VALUE: i32 = 25;
/// The bonus for each vacant square next to an own piece.
const MOBILITY: i32 = 3;
/// The hunt bonus is this minus the distance, times the victim's value over [`HUNT_DIVISOR`].
const HUNT_REACH: i32 = 12;
const HUNT_DIVISOR: i32 = 96;
/// The advantage whose expected outcome is half of a certain win.
const HALF_ADVANTAGE: i64 = 700;

/// The number of pieces of each kind that a colour has left, on the board and hidden.
#[inline]
pub fn remaining(game: &DarkChess, colour: Colour) -> [i32; KINDS] {
    std::array::from_fn(|kind| {
        let piece = Piece::new(colour, Kind::ALL[kind]);
        game.pieces(piece).count_ones() as i32 + i32::from(game.pool()[piece.index()])
    })
}

/// For each kind, how many enemy pieces it captures and how many capture it, without cannons.
#[inline]
fn prey_and_danger(enemy: &[i32; KINDS]) -> ([i32; KINDS], [i32; KINDS]) {
    let [k, g, m, r, n, c, p] = *enemy;
    let all = k + g + m + r + n + c + p;
    let prey = [all - p, all - k, all - k - g, r + n + c + p, n + c + p, all, k + p];
    let danger = [k + p, k + g, k + g + m, k + g + m + r, all - c - p, all - c - p, all - c - k];
    (prey, danger)
}

/// The values of both colours' pieces, given the remaining pieces of both.
#[inline]
pub fn values_against(remaining: &[[i32; KINDS]; 2]) -> PieceValues {
    std::array::from_fn(|colour| {
        let (prey, danger) = prey_and_danger(&remaining[1 - colour]);
        std::array::from_fn(|kind| {
            let gain = if kind == Kind::Cannon.index() { CANNON_PREY } else { PREY };
            (BASE + gain * prey[kind] - DANGER * danger[kind]).max(MIN_VALUE)
        })
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
    side(own) - side(own.other())
}

fn side_value(
    game: &DarkChess,
    colour: Colour,
    remaining: &[i32; KINDS],
    values: &PieceValues,
) -> i32 {
    let material: i32 = remaining.iter().zip(&values[colour.index()]).map(|(n, w)| n * w).sum();
    let room = neighbours_of(game.side_pieces(colour)) & game.vacant();
    material + hunt(game, colour, values) + MOBILITY * room.count_ones() as i32
}

/// The bonus for pieces close to an enemy that they capture and that does not capture them.
fn hunt(game: &DarkChess, colour: Colour, values: &PieceValues) -> i32 {
    let mut value = 0;
    for kind in Kind::ALL {
        let own = game.pieces(Piece::new(colour, kind));
        if own == 0 || kind == Kind::Cannon {
            continue;
        }
        let mut prey = game.capturable(colour, kind);
        if kind != Kind::Pawn {
            // Equal pieces capture each other, so neither hunts, except for pawns.
            prey &= !game.pieces(Piece::new(colour.other(), kind));
        }
        for from in Squares(own) {
            let best = Squares(prey).map(|to| {
                let victim =
                    game.piece_at(to).map_or(0, |p| values[p.colour().index()][p.kind().index()]);
                victim * (HUNT_REACH - i32::from(distance(from, to))) / HUNT_DIVISOR
            });
            value += best.max().unwrap_or(0);
        }
    }
    value
}

/// Converts an advantage to an expected outcome by a curve that approaches [`STATIC_LIMIT`].
#[inline]
pub fn expected(advantage: i32) -> i32 {
    let advantage = i64::from(advantage);
    (advantage * i64::from(STATIC_LIMIT) / (advantage.abs() + HALF_ADVANTAGE)) as i32
}

/// The static evaluation: the expected outcome for the side to move. It shrinks as the number of
/// quiet plies approaches the draw limit.
pub fn evaluate(game: &DarkChess) -> i32 {
    let value = expected(advantage(game));
    let limit = i32::from(game.draw_plies());
    if limit == 0 {
        return value;
    }
    let quiet = i32::from(game.quiet_plies()).min(limit);
    (i64::from(value) * i64::from(2 * limit - quiet) / i64::from(2 * limit)) as i32
}
