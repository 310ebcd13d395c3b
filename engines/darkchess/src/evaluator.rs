//! The move encoding, and the evaluator of the generic expectimax search (the algorithm `greedy`).

use crate::evaluation::DarkChessNetworkEvaluator;
use crate::piece_values::piece_values;
use agon_games::Player;
use agon_games::darkchess::{DarkChess, DarkMove, Piece};
use agon_search::expectimax::ExpectimaxEvaluator;

/// The static evaluation as an evaluator.
#[derive(Clone, Debug)]
pub struct DarkChessEvaluator(pub DarkChessNetworkEvaluator);

/// [`pack`] encodes steps and flips below this.
pub const MOVE_KEYS: usize = 1 << 10 | 32;

/// Encodes a move in 24 bits.
#[inline]
pub fn pack(m: DarkMove) -> u32 {
    match m {
        DarkMove::Step { from, to } => u32::from(from) << 5 | u32::from(to),
        DarkMove::Flip(square) => 1 << 10 | u32::from(square),
        DarkMove::Reveal(piece) => 1 << 11 | piece.index() as u32,
    }
}

/// The inverse of [`pack`].
pub fn unpack(bits: u32) -> Option<DarkMove> {
    match bits {
        0..1024 => Some(DarkMove::Step { from: (bits >> 5) as u8, to: (bits & 31) as u8 }),
        1024..1056 => Some(DarkMove::Flip((bits & 31) as u8)),
        _ => Piece::from_index((bits as usize).checked_sub(1 << 11)?).map(DarkMove::Reveal),
    }
}

impl ExpectimaxEvaluator<DarkChess> for DarkChessEvaluator {
    fn evaluate(&mut self, game: &DarkChess, player: Player) -> i32 {
        let value = self.0.evaluate(game);
        if game.mover() == player { value } else { -value }
    }

    fn outcome_class(&self, _game: &DarkChess, outcome: DarkMove) -> u32 {
        pack(outcome)
    }

    /// Captures first, most valuable victim first, then flips, then steps.
    fn ordering_score(&mut self, game: &DarkChess, decision: DarkMove) -> i32 {
        match decision {
            DarkMove::Step { to, .. } => game.piece_at(to).map_or(0, |victim| {
                1000 + piece_values(game)[victim.colour().index()][victim.kind().index()]
            }),
            DarkMove::Flip(_) | DarkMove::Reveal(_) => 1,
        }
    }

    fn pack(decision: DarkMove) -> u32 {
        pack(decision)
    }
}
