//! Move generation and ordering: TT move, captures, good flips, killers, history, bad flips.

use super::flip_selection::{flip_gain, flip_limit};
use super::params;
use super::worker::{DarkChessWorker, SearchMode};
use crate::evaluator::{MOVE_KEYS, pack};
use crate::piece_values::{PieceValues, piece_values};
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_games::game::Game;
use std::ops::ControlFlow;

const TT_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 26;
const KILLER: i32 = 1 << 25;
const GOOD_FLIP: i32 = 1 << 24;
const BAD_FLIP: i32 = -(1 << 24);

/// The values of a capture's victim and of its attacker; `None` for other moves.
#[inline]
pub fn victim_and_attacker(
    game: &DarkChess,
    m: DarkMove,
    values: &PieceValues,
) -> Option<(i32, i32)> {
    let DarkMove::Step { from, to } = m else { return None };
    let value =
        |square| game.piece_at(square).map(|p| values[p.colour().index()][p.kind().index()]);
    Some((value(to)?, value(from).unwrap_or(0)))
}

/// Most valuable victim, least valuable attacker (MVV-LVA).
#[inline]
pub fn mvv_lva(victim: i32, attacker: i32) -> i32 {
    victim * params::order_victim() - attacker
}

impl DarkChessWorker<'_> {
    /// The ordering score of a move; the highest is searched first.
    #[inline]
    pub(super) fn score(
        &self,
        game: &DarkChess,
        m: DarkMove,
        ply: u32,
        tt_move: Option<u32>,
        values: &PieceValues,
    ) -> i32 {
        if tt_move == Some(pack(m)) {
            return TT_MOVE;
        }
        if let Some((victim, attacker)) = victim_and_attacker(game, m, values) {
            return CAPTURE + mvv_lva(victim, attacker);
        }
        if let DarkMove::Flip(square) = m {
            let gain = flip_gain(game, square, values);
            return if gain > 0 { GOOD_FLIP + gain } else { BAD_FLIP + gain };
        }
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        if killers[0] == Some(m) {
            return KILLER + 1;
        }
        if killers[1] == Some(m) {
            return KILLER;
        }
        self.history[game.mover().index()][pack(m) as usize % MOVE_KEYS]
    }

    /// Pushes the moves to search with their scores, unordered; only the most promising flips.
    pub(super) fn generate_moves(
        &mut self,
        game: &DarkChess,
        depth: i32,
        ply: u32,
        tt_move: Option<u32>,
    ) {
        let values = piece_values(game);
        let begin = self.moves.len();
        let mut moves = std::mem::take(&mut self.moves);
        if let Some(own) = game.colour_to_move() {
            let _ = game.visit_steps::<()>(own, &mut |from, to| {
                let m = DarkMove::Step { from, to };
                moves.push((self.score(game, m, ply, tt_move, &values), m));
                ControlFlow::Continue(())
            });
        }
        let all = self.mode == SearchMode::Proof || moves.len() == begin;
        let flips = if all { usize::MAX } else { flip_limit(depth) };
        if flips > 0 && game.hidden() != 0 {
            let from = moves.len();
            let _ = game.visit_moves::<()>(&mut |m| {
                if matches!(m, DarkMove::Flip(_)) {
                    moves.push((self.score(game, m, ply, tt_move, &values), m));
                }
                ControlFlow::Continue(())
            });
            if moves.len() - from > flips {
                moves[from..].sort_by_key(|s| std::cmp::Reverse(s.0));
                moves.truncate(from + flips);
            }
        }
        self.moves = moves;
    }

    /// Swaps the move with the highest score among those from `at` on into `at`.
    #[inline]
    pub(super) fn select_best(&mut self, at: usize) -> (i32, DarkMove) {
        let mut best = at;
        for i in at + 1..self.moves.len() {
            if self.moves[i].0 > self.moves[best].0 {
                best = i;
            }
        }
        self.moves.swap(at, best);
        self.moves[at]
    }

    /// Stores a quiet move that caused a beta cutoff as a killer and raises its history counter.
    pub(super) fn update_quiet_history(
        &mut self,
        game: &DarkChess,
        m: DarkMove,
        depth: i32,
        ply: u32,
    ) {
        let DarkMove::Step { to, .. } = m else { return };
        if game.piece_at(to).is_some() {
            return;
        }
        if let Some(killers) = self.killers.get_mut(ply as usize)
            && killers[0] != Some(m)
        {
            *killers = [Some(m), killers[0]];
        }
        let counters = &mut self.history[game.mover().index()];
        let counter = &mut counters[pack(m) as usize % MOVE_KEYS];
        *counter += depth * depth;
        if *counter > params::history_max() {
            counters.iter_mut().for_each(|c| *c /= 2);
        }
    }
}
