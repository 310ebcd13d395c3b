//! What a position looks worth.
//!
//! A piece is worth what it can do against what the enemy has left, on the board or face down: the
//! more of it the piece takes and the less of it takes the piece, the better. On top of that
//! comes where the pieces stand: hunters near their prey, room to move.

use agon_protocol::darkchess::{
    COUNTS, Colour, DarkChess, KINDS, Kind, Piece, SQUARES, Squares, neighbours_of,
};

/// The value of a certain win; values are expected outcomes in its units.
pub const UNIT: i32 = agon_search::expectimax::UNIT;
/// No static value is farther from 0.
pub const STATIC_LIMIT: i32 = UNIT / 10 * 9;

/// Steps between two squares.
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

/// Steps along ranks and files from one square to another on an empty board.
#[inline]
pub fn distance(a: u8, b: u8) -> u8 {
    DISTANCE[usize::from(a) % SQUARES][usize::from(b) % SQUARES]
}

/// What each kind of each colour is worth, in hundredths of a knight that faces nothing.
pub type Worth = [[i32; KINDS]; 2];

/// A knight alone.
const BASE: i32 = 100;
/// For each enemy piece that a piece takes.
const PREY: i32 = 14;
/// Against each enemy piece that takes it.
const DANGER: i32 = 11;
/// A cannon's prey is everything, but it takes a screen to get it.
const CANNON_PREY: i32 = 9;
/// The least a piece is worth.
const LEAST: i32 = 25;

/// How many pieces of each kind a colour has left, on the board and face down.
#[inline]
pub fn living(game: &DarkChess, colour: Colour) -> [i32; KINDS] {
    std::array::from_fn(|kind| {
        let piece = Piece::new(colour, Kind::ALL[kind]);
        game.pieces(piece).count_ones() as i32 + i32::from(game.pool()[piece.index()])
    })
}

/// Counts of the enemy pieces that each kind takes, and of those that take it, cannons apart.
#[inline]
fn prey_and_danger(enemy: &[i32; KINDS]) -> ([i32; KINDS], [i32; KINDS]) {
    let [k, g, m, r, n, c, p] = *enemy;
    let all = k + g + m + r + n + c + p;
    let prey = [all - p, all - k, all - k - g, r + n + c + p, n + c + p, all, k + p];
    let danger = [k + p, k + g, k + g + m, k + g + m + r, all - c - p, all - c - p, all - c - k];
    (prey, danger)
}

/// What the pieces of both colours are worth, given what is left of both.
#[inline]
pub fn worth(living: &[[i32; KINDS]; 2]) -> Worth {
    std::array::from_fn(|colour| {
        let (prey, danger) = prey_and_danger(&living[1 - colour]);
        std::array::from_fn(|kind| {
            let gain = if kind == Kind::Cannon.index() { CANNON_PREY } else { PREY };
            (BASE + gain * prey[kind] - DANGER * danger[kind]).max(LEAST)
        })
    })
}

/// What the pieces are worth in this position.
pub fn worth_of(game: &DarkChess) -> Worth {
    worth(&Colour::BOTH.map(|colour| living(game, colour)))
}

/// The side to move's advantage in hundredths; 0 while no colour is decided.
pub fn advantage(game: &DarkChess) -> i32 {
    let Some(own) = game.colour_to_move() else { return 0 };
    let both = Colour::BOTH.map(|colour| living(game, colour));
    let worth = worth(&both);
    let side = |colour: Colour| side_value(game, colour, &both[colour.index()], &worth);
    side(own) - side(own.other())
}

fn side_value(game: &DarkChess, colour: Colour, living: &[i32; KINDS], worth: &Worth) -> i32 {
    let material: i32 = living.iter().zip(&worth[colour.index()]).map(|(n, w)| n * w).sum();
    let room = neighbours_of(game.side_pieces(colour)) & game.vacant();
    material + hunt(game, colour, worth) + 3 * room.count_ones() as i32
}

/// Pieces that are close to something they take and that does not take them.
fn hunt(game: &DarkChess, colour: Colour, worth: &Worth) -> i32 {
    let mut value = 0;
    for kind in Kind::ALL {
        let own = game.pieces(Piece::new(colour, kind));
        if own == 0 || kind == Kind::Cannon {
            continue;
        }
        let mut prey = game.capturable(colour, kind);
        if kind != Kind::Pawn {
            // An exchange of equals is no hunt; kings and pawns are, from the pawn's side.
            prey &= !game.pieces(Piece::new(colour.other(), kind));
        }
        for from in Squares(own) {
            let best = Squares(prey).map(|to| {
                let victim =
                    game.piece_at(to).map_or(0, |p| worth[p.colour().index()][p.kind().index()]);
                victim * (12 - i32::from(distance(from, to))) / 96
            });
            value += best.max().unwrap_or(0);
        }
    }
    value
}

/// An advantage as an expected outcome: the more, the less another piece changes.
#[inline]
pub fn expected(advantage: i32) -> i32 {
    const HALF: i64 = 700;
    let advantage = i64::from(advantage);
    (advantage * i64::from(STATIC_LIMIT) / (advantage.abs() + HALF)) as i32
}

/// The expected outcome for the side to move, as far as it shows without searching. It shrinks
/// while nothing is taken or turned over: the draw comes nearer.
pub fn evaluate(game: &DarkChess) -> i32 {
    let value = expected(advantage(game));
    let limit = i32::from(game.draw_plies());
    if limit == 0 {
        return value;
    }
    let quiet = i32::from(game.quiet_plies()).min(limit);
    (i64::from(value) * i64::from(2 * limit - quiet) / i64::from(2 * limit)) as i32
}

/// Pieces that a side has at the start.
pub const FULL_SIDE: u8 = {
    let mut sum = 0;
    let mut kind = 0;
    while kind < KINDS {
        sum += COUNTS[kind];
        kind += 1;
    }
    sum
};
