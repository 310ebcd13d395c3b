//! The shape of the network, and its features, as seen by each side: each face-up piece on its
//! square, each square with a face-down piece, and the face-down pieces of each kind, counted.

use agon_games::darkchess::{COUNTS, Colour, DarkChess, KINDS, PIECES, Piece, SQUARES};
use agon_network::network::Network;

/// The first feature of the squares with face-down pieces.
const FACE_DOWN: usize = PIECES * SQUARES;
/// The first feature of the numbers of face-down pieces: of each kind the first, the second...
const HIDDEN_COUNTS: usize = FACE_DOWN + SQUARES;
/// The number of pieces of a colour.
const SIDE: usize = 16;

/// The number of features.
pub const FEATURES: usize = HIDDEN_COUNTS + 2 * SIDE;
/// The number of hidden units for each view.
pub const HIDDEN: usize = 64;
/// The number of output buckets.
pub const BUCKETS: usize = 8;

/// The network of this shape.
pub type DarkChessNetwork = Network<HIDDEN>;

/// A piece as a colour sees it: own pieces come first.
#[inline]
fn seen(piece: Piece, view: Colour) -> usize {
    let own = if piece.colour() == view { 0 } else { KINDS };
    own + piece.kind().index()
}

/// The feature of a face-up piece on a square.
#[inline]
pub fn face_up(view: Colour, piece: Piece, square: u8) -> usize {
    seen(piece, view) * SQUARES + usize::from(square)
}

/// The feature of a face-down piece on a square.
#[inline]
pub fn face_down(square: u8) -> usize {
    FACE_DOWN + usize::from(square)
}

/// The feature of the face-down piece of a kind with this number, from 0; `None` for more than a
/// game has.
#[inline]
pub fn hidden_piece(view: Colour, piece: Piece, number: u8) -> Option<usize> {
    const FIRST: [usize; KINDS] = [0, 1, 3, 5, 7, 9, 11];
    let kind = piece.kind().index();
    let side = if piece.colour() == view { 0 } else { SIDE };
    let first = HIDDEN_COUNTS + side + FIRST[kind];
    (number < COUNTS[kind]).then(|| first + usize::from(number))
}

/// The output bucket, by the number of pieces on the board.
#[inline]
pub fn bucket(game: &DarkChess) -> usize {
    (game.occupied().count_ones() as usize).saturating_sub(1) * BUCKETS / SQUARES
}

/// The kind and side of the piece that a feature is about, as seen by the view; `None` for a square
/// with a face-down piece.
pub fn piece_of(feature: usize) -> Option<(usize, bool)> {
    if feature < FACE_DOWN {
        let piece = feature / SQUARES;
        return Some((piece % KINDS, piece < KINDS));
    }
    let number = feature.checked_sub(HIDDEN_COUNTS)?;
    let mut left = number % SIDE;
    let kind = COUNTS.iter().position(|&count| {
        let found = left < usize::from(count);
        left = left.saturating_sub(usize::from(count));
        found
    })?;
    Some((kind, number < SIDE))
}
