//! What cannot be won, by the capture relation alone.
//!
//! A side that cannot capture some enemy piece with any of the pieces that it has left, on the
//! board or face down, has to leave the enemy without a legal move, and a piece that can step back
//! and forth prevents that. The opposite case is a matter of degree: a piece that only one enemy can
//! capture escapes from it on an open board.

use agon_games::darkchess::{Colour, DarkChess, KINDS, Kind, Piece, neighbours_of};

/// For each kind, the kinds that capture it, bit [`Kind::index`]; a cannon captures all.
const TAKERS: [u8; KINDS] = {
    let mut takers = [1 << Kind::Cannon.index(); KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut prey = 0;
        while prey < KINDS {
            if Kind::ALL[kind].takes(Kind::ALL[prey]) {
                takers[prey] |= 1 << kind;
            }
            prey += 1;
        }
        kind += 1;
    }
    takers
};

/// The kinds of pieces that a colour has left, on the board or face down, bit [`Kind::index`].
#[inline]
fn kinds(game: &DarkChess, colour: Colour) -> u8 {
    (0..KINDS).fold(0, |kinds, i| {
        let piece = Piece::new(colour, Kind::ALL[i]);
        let left = game.pieces(piece) != 0 || game.pool()[piece.index()] != 0;
        kinds | u8::from(left) << i
    })
}

/// Whether a colour certainly cannot win: the enemy has a *safe* piece, face up and not a cannon,
/// next to a square without an enemy or face-down piece, and the colour has no piece left, on the
/// board or face down, that captures it.
///
/// Proof. Of two kinds other than cannons at least one captures the other, so the safe piece
/// captures every piece that the colour has left. If the enemy moves nothing else, the square that
/// the safe piece comes from is always vacant or holds a piece that it captures. So the enemy
/// always has a legal move and never loses its last piece.
#[inline]
pub fn cannot_win(game: &DarkChess, colour: Colour) -> bool {
    let attackers = kinds(game, colour);
    if attackers >> Kind::Cannon.index() & 1 != 0 {
        return false;
    }
    let enemy = colour.other();
    let open = game.board() & !game.hidden() & !game.side_pieces(enemy);
    let free = neighbours_of(open);
    Kind::ALL.into_iter().any(|kind| {
        kind != Kind::Cannon
            && attackers & TAKERS[kind.index()] == 0
            && game.pieces(Piece::new(enemy, kind)) & free != 0
    })
}

/// The smallest number of pieces of one side that capture an enemy piece, over the kinds that the
/// enemy has left; both sides by kind.
#[inline]
pub fn fewest_takers(own: &[i32; KINDS], enemy: &[i32; KINDS]) -> i32 {
    let all: i32 = own.iter().sum();
    let [k, g, m, _, n, c, p] = *own;
    // A king cannot capture a pawn, and a pawn captures only kings and pawns.
    let takers = [k + c + p, k + g + c, k + g + m + c, all - n - p, all - p, all - p, all - k];
    let present = takers.iter().zip(enemy).filter(|(_, n)| **n > 0);
    present.map(|(&takers, _)| takers).min().unwrap_or(all)
}
