//! The shape of the network, and its features: each piece on its square, as seen by each side.
//!
//! A side sees the board from its own end. If its king stands on the right half of the palace, the
//! board is mirrored.

use crate::position::Position;
use crate::position::attacks::for_each;
use crate::position::lines::{file, rank};
use agon_games::xiangqi::SQUARES;
use agon_network::network::Network;

/// The number of features: own and enemy pieces of seven kinds on 90 squares.
pub const FEATURES: usize = 14 * SQUARES;
/// The number of hidden units for each view.
pub const HIDDEN: usize = 64;
/// The number of output buckets.
pub const BUCKETS: usize = 8;

/// The network of this shape.
pub type XiangqiNetwork = Network<HIDDEN>;

/// How a side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: usize,
    mirrored: bool,
}

impl View {
    /// The view of a side whose king stands on a square.
    #[inline]
    pub fn new(side: usize, king: usize) -> View {
        View { side, mirrored: file(king) > 4 }
    }

    /// The feature of a piece on a square.
    #[inline]
    pub fn feature(self, piece: usize, s: usize) -> usize {
        let (f, r) = (file(s), rank(s));
        let f = if self.mirrored { 8 - f } else { f };
        let r = if self.side == 0 { r } else { 9 - r };
        let piece = if self.side == 0 { piece } else { (piece + 7) % 14 };
        piece * SQUARES + 9 * r + f
    }
}

/// The views of the side to move and of the opponent.
pub fn views(position: &Position) -> [View; 2] {
    let side = position.side();
    [side, side ^ 1].map(|side| View::new(side, position.king(side)))
}

/// The output bucket, by the number of pieces.
#[inline]
pub fn bucket(position: &Position) -> usize {
    (position.piece_count() as usize - 1) * BUCKETS / 32
}

/// Calls `f` with each piece and its square.
#[inline]
pub fn for_each_piece(position: &Position, mut f: impl FnMut(usize, usize)) {
    for_each(position.occupied(), |s| f(position.piece_at(s), s));
}
