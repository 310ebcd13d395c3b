//! What the generic searches are told about the game.

use crate::eval::{evaluate, worth_of};
use agon_protocol::Player;
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_search::expectimax::ExpectimaxEvaluator;

/// The static evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticEstimate;

/// The move in 24 bits.
#[inline]
pub fn pack(m: DarkMove) -> u32 {
    match m {
        DarkMove::Step { from, to } => u32::from(from) << 5 | u32::from(to),
        DarkMove::Flip(square) => 1 << 10 | u32::from(square),
        DarkMove::Reveal(piece) => 1 << 11 | piece.index() as u32,
    }
}

/// Captures first, the dearest before the others, then flips, then steps.
pub fn promise(game: &DarkChess, decision: DarkMove) -> i32 {
    match decision {
        DarkMove::Step { to, .. } => game.piece_at(to).map_or(0, |victim| {
            1000 + worth_of(game)[victim.colour().index()][victim.kind().index()]
        }),
        DarkMove::Flip(_) | DarkMove::Reveal(_) => 1,
    }
}

impl ExpectimaxEvaluator<DarkChess> for StaticEstimate {
    fn evaluate(&mut self, game: &DarkChess, player: Player) -> i32 {
        let value = evaluate(game);
        if game.mover() == player { value } else { -value }
    }

    fn outcome_class(&self, _game: &DarkChess, outcome: DarkMove) -> u32 {
        pack(outcome)
    }

    fn ordering_score(&mut self, game: &DarkChess, decision: DarkMove) -> i32 {
        promise(game, decision)
    }

    fn pack(decision: DarkMove) -> u32 {
        pack(decision)
    }
}
