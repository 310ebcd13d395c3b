//! Quiescence search: captures only.

use super::ordering::{mvv_lva, victim_and_attacker};
use super::params;
use super::score::WIN;
use super::worker::{SearchMode, Worker};
use crate::evaluation::{expected, expected_now};
use crate::piece_values::piece_values;
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::Game;
use agon_search::clock::Stopped;
use std::ops::ControlFlow;

impl Worker<'_> {
    /// The value for the side to move, which may also stand pat; at most `left` captures deep.
    pub(super) fn quiesce(
        &mut self,
        game: &mut DarkChess,
        alpha: i32,
        beta: i32,
        ply: u32,
        left: u32,
    ) -> Result<i32, Stopped> {
        if self.mode == SearchMode::Proof {
            return Ok(0);
        }
        let ahead = self.evaluator.advantage(game);
        let stand_pat = expected_now(game, ahead);
        if stand_pat >= beta || left == 0 {
            return Ok(stand_pat);
        }
        let begin = self.moves.len();
        self.generate_captures(game);
        let mut best = stand_pat;
        for at in begin..self.moves.len() {
            let (score, m) = self.select_best(at);
            // Futility pruning. The score is approximately the victim's value times its weight.
            if expected(ahead + score / params::order_victim() + params::qs_margin()) <= alpha {
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

    /// The value after a capture for the side that made it.
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
        if let Some(value) = self.exact_value(game, ply) {
            return Ok(-value);
        }
        self.quiesce(game, alpha.max(-WIN), beta.min(WIN), ply, left).map(|v| -v)
    }

    /// Pushes the captures with their scores.
    fn generate_captures(&mut self, game: &DarkChess) {
        let Some(own) = game.colour_to_move() else { return };
        let values = piece_values(game);
        let enemies = game.side_pieces(own.other());
        let moves = &mut self.moves;
        let _ = game.visit_steps::<()>(own, &mut |from, to| {
            let m = DarkMove::Step { from, to };
            if enemies >> to & 1 != 0
                && let Some((victim, attacker)) = victim_and_attacker(game, m, &values)
            {
                moves.push((mvv_lva(victim, attacker), m));
            }
            ControlFlow::Continue(())
        });
    }
}
