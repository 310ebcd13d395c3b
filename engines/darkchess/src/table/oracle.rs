//! The plain forward search that the table is proved by: the rules and recursion, nothing of the
//! table's classes, numbers or symmetries.

use agon_protocol::darkchess::DarkChess;
use agon_protocol::game::{Game, Turn};
use agon_protocol::hash::FastMap;
use std::ops::ControlFlow;

/// Who can force the end within a number of plies, with a memory of what was asked.
#[derive(Default)]
pub struct Forward {
    known: FastMap<(u64, u8), i8>,
}

impl Forward {
    /// 1 if the side to move can force a win that ends the game within `plies`, -1 if the other
    /// side can, 0 if neither can. Time grows about fivefold with every ply.
    pub fn within(&mut self, game: &DarkChess, plies: u8) -> i8 {
        if let Turn::Over(outcome) = game.turn() {
            return outcome.sign_for(game.mover()) as i8;
        }
        if plies == 0 {
            return 0;
        }
        let key = (game.hash(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best = -1;
        let _ = game.visit_moves(&mut |m| {
            let mut next = *game;
            next.play(m);
            best = best.max(-self.within(&next, plies - 1));
            if best == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.known.insert(key, best);
        best
    }
}
