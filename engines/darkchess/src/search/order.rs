//! Which moves are looked at, and in which order.

use super::{Manner, Worker, flips};
use crate::estimate::pack;
use crate::eval::{Worth, worth_of};
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::Game;
use std::ops::ControlFlow;

/// Steps and flips have numbers below this as [`pack`] writes them.
pub const KEYS: usize = 1 << 10 | 32;

const KNOWN: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 26;
const KILLER: i32 = 1 << 25;
const GOOD_FLIP: i32 = 1 << 24;
const BAD_FLIP: i32 = -(1 << 24);
/// Counters of the history stay below this in size.
const HISTORY_LIMIT: i32 = 1 << 20;

/// The inverse of [`pack`] for players' moves.
pub fn unpack(bits: u32) -> Option<DarkMove> {
    match bits {
        0..1024 => Some(DarkMove::Step { from: (bits >> 5) as u8, to: (bits & 31) as u8 }),
        1024..1056 => Some(DarkMove::Flip((bits & 31) as u8)),
        _ => None,
    }
}

/// The worth of a capture's victim, and of its taker; `None` for other moves.
#[inline]
pub fn capture(game: &DarkChess, m: DarkMove, worth: &Worth) -> Option<(i32, i32)> {
    let DarkMove::Step { from, to } = m else { return None };
    let value = |square| game.piece_at(square).map(|p| worth[p.colour().index()][p.kind().index()]);
    Some((value(to)?, value(from).unwrap_or(0)))
}

impl Worker<'_> {
    /// How early a move should be tried: higher first.
    pub(super) fn score(&self, game: &DarkChess, m: DarkMove, ply: u32, known: Option<u32>) -> i32 {
        self.score_with(game, m, ply, known, &worth_of(game))
    }

    #[inline]
    fn score_with(
        &self,
        game: &DarkChess,
        m: DarkMove,
        ply: u32,
        known: Option<u32>,
        worth: &Worth,
    ) -> i32 {
        if known == Some(pack(m)) {
            return KNOWN;
        }
        if let Some((victim, taker)) = capture(game, m, worth) {
            return CAPTURE + victim * 16 - taker;
        }
        if let DarkMove::Flip(square) = m {
            let gain = flips::gain(game, square, worth);
            return if gain > 0 { GOOD_FLIP + gain } else { BAD_FLIP + gain };
        }
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        if killers[0] == Some(m) {
            return KILLER + 1;
        }
        if killers[1] == Some(m) {
            return KILLER;
        }
        self.history[game.mover().index()][pack(m) as usize % KEYS]
    }

    /// Pushes the moves to search, unordered, of the flips only the most promising ones.
    pub(super) fn generate(&mut self, game: &DarkChess, depth: i32, ply: u32, known: Option<u32>) {
        let worth = worth_of(game);
        let begin = self.moves.len();
        let mut moves = std::mem::take(&mut self.moves);
        if let Some(own) = game.colour_to_move() {
            let _ = game.visit_steps::<()>(own, &mut |from, to| {
                let m = DarkMove::Step { from, to };
                moves.push((self.score_with(game, m, ply, known, &worth), m));
                ControlFlow::Continue(())
            });
        }
        let all = self.manner == Manner::Exact || moves.len() == begin;
        let flips = if all { usize::MAX } else { flips::selected(depth) };
        if flips > 0 && game.hidden() != 0 {
            let from = moves.len();
            let _ = game.visit_moves::<()>(&mut |m| {
                if matches!(m, DarkMove::Flip(_)) {
                    moves.push((self.score_with(game, m, ply, known, &worth), m));
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

    /// Brings the best of the moves from `at` on to `at`.
    #[inline]
    pub(super) fn pick(&mut self, at: usize) -> (i32, DarkMove) {
        let mut best = at;
        for i in at + 1..self.moves.len() {
            if self.moves[i].0 > self.moves[best].0 {
                best = i;
            }
        }
        self.moves.swap(at, best);
        self.moves[at]
    }

    /// A move was good enough to end the search of its node.
    pub(super) fn reward(&mut self, game: &DarkChess, m: DarkMove, depth: i32, ply: u32) {
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
        let counter = &mut counters[pack(m) as usize % KEYS];
        *counter += depth * depth;
        if *counter > HISTORY_LIMIT {
            counters.iter_mut().for_each(|c| *c /= 2);
        }
    }
}
