//! Flip selection: the number of flips to search, and the most promising ones.

use super::params;
use crate::piece_values::PieceValues;
use agon_games::darkchess::{DarkChess, DarkMove, Kind, NEIGHBOURS, Piece, Squares, jumps};

/// The number of flips searched at an inner node of this depth.
pub fn flip_limit(depth: i32) -> usize {
    match depth {
        ..=1 => 0,
        2 => params::flips_two(),
        3..=4 => params::flips_three(),
        _ => params::flips_more(),
    }
}

/// The expected material gain of a flip, in units of the evaluation: the revealed piece
/// can capture, or be captured by, the pieces around it. The opponent moves first.
pub fn flip_gain(game: &DarkChess, square: u8, values: &PieceValues) -> i32 {
    let Some(own) = game.colour_to_move() else { return 0 };
    let near = NEIGHBOURS[usize::from(square)];
    let jumped = jumps(square, game.occupied());
    if (near | jumped) & (game.side_pieces(own) | game.side_pieces(own.other())) == 0 {
        return 0;
    }
    let value = |p: Piece| values[p.colour().index()][p.kind().index()];
    let (now, later) = (params::flip_now(), params::flip_later());
    let (mut sum, mut total) = (0, 0);
    for piece in Piece::all() {
        let count = i32::from(game.pool()[piece.index()]);
        if count == 0 {
            continue;
        }
        total += count;
        let (taken, prey) = captures_around(game, piece, near, jumped, &value);
        sum += count
            * if piece.colour() == own {
                if taken { -value(piece) * now / 100 } else { prey * later / 100 }
            } else {
                // It is the opponent's turn: its piece captures before it is captured.
                if prey > 0 {
                    -prey * now / 100
                } else {
                    i32::from(taken) * value(piece) * later / 100
                }
            };
    }
    if total == 0 { 0 } else { sum / total }
}

/// Whether an enemy piece captures this one, and the value of the best enemy that it captures.
fn captures_around(
    game: &DarkChess,
    piece: Piece,
    near: u32,
    jumped: u32,
    value: &impl Fn(Piece) -> i32,
) -> (bool, i32) {
    let enemy = piece.colour().other();
    let enemies = game.side_pieces(enemy);
    let cannons = game.pieces(Piece::new(enemy, Kind::Cannon));
    let mut taken = jumped & cannons != 0;
    let mut prey = 0;
    for square in Squares(near & enemies) {
        if let Some(other) = game.piece_at(square) {
            taken |= other.kind().takes(piece.kind());
            if piece.kind().takes(other.kind()) {
                prey = prey.max(value(other));
            }
        }
    }
    if piece.kind() == Kind::Cannon {
        let targets = Squares(jumped & enemies).filter_map(|s| game.piece_at(s));
        prey = targets.map(value).max().unwrap_or(0);
    }
    (taken, prey)
}

/// Keeps one flip of each group whose squares have the same surroundings.
pub fn remove_similar_flips(game: &DarkChess, moves: &mut Vec<DarkMove>) {
    let mut seen = Vec::new();
    moves.retain(|m| {
        let DarkMove::Flip(square) = *m else { return true };
        let surroundings = surroundings(game, square);
        if seen.contains(&surroundings) {
            return false;
        }
        seen.push(surroundings);
        true
    });
}

/// The surroundings of a square: its neighbours, and the pieces at jump distance, each sorted.
fn surroundings(game: &DarkChess, square: u8) -> (Vec<u8>, Vec<u8>) {
    let near = NEIGHBOURS[usize::from(square)] & game.board();
    let code = |s: u8| match game.piece_at(s) {
        Some(piece) => piece.index() as u8,
        None if game.hidden() >> s & 1 != 0 => 14,
        None => 15,
    };
    let sorted = |set: u32| {
        let mut codes: Vec<u8> = Squares(set).map(code).collect();
        codes.sort_unstable();
        codes
    };
    let jumped = jumps(square, game.occupied()) & !game.hidden();
    (sorted(near), sorted(jumped))
}
