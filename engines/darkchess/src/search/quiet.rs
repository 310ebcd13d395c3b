//! The end of a line: captures until nothing is taken any more.

use super::{Manner, WIN, Worker, order, params};
use crate::eval::{advantage, evaluate, expected, worth_of};
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::Game;
use agon_search::clock::Stopped;
use std::ops::ControlFlow;

impl Worker<'_> {
    /// The value for the side to move where it need not take.
    pub(super) fn quiesce(
        &mut self,
        game: &mut DarkChess,
        alpha: i32,
        beta: i32,
        ply: u32,
        left: u32,
    ) -> Result<i32, Stopped> {
        if self.manner == Manner::Exact {
            return Ok(0);
        }
        let stand = evaluate(game);
        if stand >= beta || left == 0 {
            return Ok(stand);
        }
        let begin = self.moves.len();
        self.generate_captures(game);
        let mut best = stand;
        let ahead = advantage(game);
        for at in begin..self.moves.len() {
            let (score, m) = self.pick(at);
            // Most of the score is sixteen times the victim's worth.
            if expected(ahead + score / 16 + params::qs_margin()) <= alpha {
                continue;
            }
            let undo = game.play(m);
            let value = self.after_capture(game, -beta, -alpha.max(best), ply + 1, left - 1);
            game.undo(m, undo);
            best = best.max(value?);
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(begin);
        Ok(best)
    }

    /// The same where the game may just have ended, counted as a node, negated.
    fn after_capture(
        &mut self,
        game: &mut DarkChess,
        alpha: i32,
        beta: i32,
        ply: u32,
        left: u32,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        if let Some(value) = self.known(game, ply) {
            return Ok(-value);
        }
        self.quiesce(game, alpha.max(-WIN), beta.min(WIN), ply, left).map(|v| -v)
    }

    fn generate_captures(&mut self, game: &DarkChess) {
        let Some(own) = game.colour_to_move() else { return };
        let worth = worth_of(game);
        let enemies = game.side_pieces(own.other());
        let moves = &mut self.moves;
        let _ = game.visit_steps::<()>(own, &mut |from, to| {
            let m = DarkMove::Step { from, to };
            if enemies >> to & 1 != 0
                && let Some((victim, taker)) = order::capture(game, m, &worth)
            {
                moves.push((victim * 16 - taker, m));
            }
            ControlFlow::Continue(())
        });
    }
}
