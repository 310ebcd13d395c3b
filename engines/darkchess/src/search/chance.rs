//! Flips: chance nodes with Star1 and Star2.

use super::node::{from_node, to_node};
use super::{Manner, WIN, Worker, params};
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::Game;
use agon_search::clock::Stopped;
use agon_search::transposition::{Bound, Entry};
use std::ops::ControlFlow;

/// What a flip may show.
pub struct Outcome {
    m: DarkMove,
    weight: i64,
    /// Bounds on the value for the side that turned the piece over.
    low: i32,
    high: i32,
}

/// The average of `sum` over the total weight, rounded half up.
#[inline]
fn average(sum: i64, total: i64) -> i32 {
    (sum + total / 2).div_euclid(total) as i32
}

impl Worker<'_> {
    /// The value of a flip, already made, for the side that makes it, at a node of this depth.
    pub(super) fn chance(
        &mut self,
        game: &mut DarkChess,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        // A flip has a dozen outcomes.
        let reduction = if self.manner == Manner::Exact { 0 } else { params::flip_reduction() };
        let left = (depth - 1 - reduction).max(0);
        let hash = game.hash();
        if let Some(entry) = self.trans.probe(hash)
            && let Some(value) = self.cut(game, &entry, left, (alpha, beta), ply)
        {
            return Ok(value);
        }
        let begin = self.outcomes.len();
        let mut total = 0;
        let outcomes = &mut self.outcomes;
        let _ = game.visit_chance::<()>(&mut |m, weight| {
            total += i64::from(weight);
            outcomes.push(Outcome { m, weight: weight.into(), low: -WIN, high: WIN });
            ControlFlow::Continue(())
        });
        let value = self.average_of(game, begin, total, left, (alpha, beta), ply);
        self.outcomes.truncate(begin);
        let value = value?;
        let bound = match value {
            v if v >= beta => Bound::Lower,
            v if v <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let value_at_node = to_node(value, ply);
        let entry = Entry { value: value_at_node, bound, depth: left as u32, packed: None };
        self.trans.store(hash, entry);
        Ok(value)
    }

    fn average_of(
        &mut self,
        game: &mut DarkChess,
        begin: usize,
        total: i64,
        depth: i32,
        window: (i32, i32),
        ply: u32,
    ) -> Result<i32, Stopped> {
        if depth >= 2
            && let Some(value) = self.star2(game, begin, total, depth, window, ply)?
        {
            return Ok(value);
        }
        self.star1(game, begin, total, depth, window, ply)
    }

    /// The greatest or least average that the bounds of the outcomes from `begin` allow.
    fn bound(&self, begin: usize, total: i64, high: bool) -> i32 {
        let sum = self.outcomes[begin..]
            .iter()
            .map(|o| o.weight * i64::from(if high { o.high } else { o.low }))
            .sum();
        average(sum, total)
    }

    /// The window in which outcome `i` must be known, given the bounds on all others.
    fn window(&self, begin: usize, i: usize, total: i64, window: (i32, i32)) -> (i32, i32) {
        let (mut highs, mut lows) = (0, 0);
        for (j, o) in self.outcomes.iter().enumerate().skip(begin) {
            if j != i {
                highs += o.weight * i64::from(o.high);
                lows += o.weight * i64::from(o.low);
            }
        }
        let weight = self.outcomes[i].weight;
        let alpha = (total * i64::from(window.0) - highs).div_euclid(weight);
        let beta = -(lows - total * i64::from(window.1)).div_euclid(weight);
        let edge = i64::from(WIN) + 1;
        (alpha.clamp(-edge, edge) as i32, beta.clamp(-edge, edge) as i32)
    }

    /// Star1: outcomes one by one, until the bounds on the rest decide.
    fn star1(
        &mut self,
        game: &mut DarkChess,
        begin: usize,
        total: i64,
        depth: i32,
        window: (i32, i32),
        ply: u32,
    ) -> Result<i32, Stopped> {
        for i in begin..self.outcomes.len() {
            let (alpha, beta) = self.window(begin, i, total, window);
            let m = self.outcomes[i].m;
            let undo = game.play(m);
            self.path.push(game.hash());
            let value = self.node(game, depth, -beta, -alpha, ply + 1);
            self.path.pop();
            game.undo(m, undo);
            let value = -value?;
            let outcome = &mut self.outcomes[i];
            if value < beta {
                outcome.high = outcome.high.min(value.max(-WIN));
            }
            if value > alpha {
                outcome.low = outcome.low.max(value.min(WIN));
            }
            let (low, high) = (self.bound(begin, total, false), self.bound(begin, total, true));
            if high <= window.0 {
                return Ok(high);
            }
            if low >= window.1 {
                return Ok(low);
            }
        }
        Ok(self.bound(begin, total, true))
    }

    /// Star2: the most promising reply of the other side to each outcome, which bounds what the
    /// outcome can be worth; often that already refutes the flip.
    fn star2(
        &mut self,
        game: &mut DarkChess,
        begin: usize,
        total: i64,
        depth: i32,
        window: (i32, i32),
        ply: u32,
    ) -> Result<Option<i32>, Stopped> {
        for i in begin..self.outcomes.len() {
            let (alpha, beta) = self.window(begin, i, total, window);
            let m = self.outcomes[i].m;
            let undo = game.play(m);
            let replied = self.reply(game, depth, -beta, -alpha, ply + 1);
            game.undo(m, undo);
            if let Some(value) = replied? {
                self.outcomes[i].high = self.outcomes[i].high.min(-value);
                let high = self.bound(begin, total, true);
                if high <= window.0 {
                    return Ok(Some(high));
                }
            }
        }
        Ok(None)
    }

    /// What the side to move has at least: the table's word, or that of its first move.
    fn reply(
        &mut self,
        game: &mut DarkChess,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<Option<i32>, Stopped> {
        if let Some(value) = self.known(game, ply) {
            return Ok(Some(value));
        }
        let entry = self.trans.probe(game.hash());
        if let Some(entry) = entry
            && entry.depth as i32 == depth
            && entry.bound != Bound::Upper
        {
            return Ok(Some(from_node(entry.value, ply)));
        }
        let begin = self.moves.len();
        self.generate(game, depth, ply, entry.and_then(|e| e.packed));
        let (_, first) = self.pick(begin);
        self.moves.truncate(begin);
        if let DarkMove::Flip(_) = first {
            return Ok(None);
        }
        let undo = game.play(first);
        self.path.push(game.hash());
        let value = self.node(game, depth - 1, -beta, -alpha, ply + 1);
        self.path.pop();
        game.undo(first, undo);
        // At or below the window the value is itself only an upper bound.
        Ok(Some(-value?).filter(|&v| v > alpha))
    }
}
