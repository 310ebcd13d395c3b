//! Chance nodes: Star1 and Star2.

use super::search::{Search, cut};
use super::{ExpectimaxEvaluator, UNIT, average};
use crate::clock::Stopped;
use agon_protocol::{Game, Player, Turn};
use std::ops::ControlFlow;

/// Chance positions are valued for one of the players; this keeps the two apart in the table.
const VIEWER_KEYS: [u64; 2] = [0x51ab_1e5f_0a0d_33c7, 0xc6a4_a793_5bd1_e995];

/// One outcome, or several equally good ones, of a chance position.
pub(super) struct Outcome<M> {
    m: M,
    class: u32,
    weight: i64,
    /// Bounds on the value for the viewer.
    low: i32,
    high: i32,
}

/// What probing one reply has shown, for the viewer.
enum Probed {
    AtLeast(i32),
    AtMost(i32),
    Nothing,
}

impl<G: Game, E: ExpectimaxEvaluator<G>> Search<'_, G, E> {
    /// Appends the chance outcomes, equally good ones merged, and returns the total weight.
    fn gather(&mut self, game: &G) -> i64 {
        let begin = self.outcomes.len();
        let (outcomes, evaluator) = (&mut self.outcomes, &*self.evaluator);
        let mut total = 0;
        let _ = game.visit_chance::<()>(&mut |m, weight| {
            let (class, weight) = (evaluator.outcome_class(game, m), i64::from(weight));
            total += weight;
            match outcomes[begin..].iter_mut().find(|o| o.class == class) {
                Some(known) => known.weight += weight,
                None => outcomes.push(Outcome { m, class, weight, low: -UNIT, high: UNIT }),
            }
            ControlFlow::Continue(())
        });
        total
    }

    /// The value of a chance position for `viewer`.
    pub(super) fn chance(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let hash = game.hash() ^ VIEWER_KEYS[viewer.index()];
        if let Some(value) = self.probe(hash).and_then(|e| cut(&e, depth, alpha, beta)) {
            return Ok(value);
        }
        let begin = self.outcomes.len();
        let total = self.gather(game);
        let decided = if depth > 1 && self.outcomes.len() > begin + 1 {
            self.star2(game, viewer, depth, (alpha, beta), begin, total)?
        } else {
            None
        };
        let value = match decided {
            Some(value) => value,
            None => self.star1(game, viewer, depth, (alpha, beta), begin, total)?,
        };
        self.outcomes.truncate(begin);
        self.store(hash, value, (alpha, beta), depth, None);
        Ok(value)
    }

    /// The greatest or least average that the bounds of the outcomes from `begin` allow.
    fn bound(&self, begin: usize, total: i64, high: bool) -> i32 {
        let sum = self.outcomes[begin..]
            .iter()
            .map(|o| o.weight * i64::from(if high { o.high } else { o.low }))
            .sum();
        average(sum, total)
    }

    /// The window in which outcome `i` must be known, given the bounds on all others: outside it
    /// the average is certain to fall outside `window`.
    fn child_window(&self, begin: usize, i: usize, total: i64, window: (i32, i32)) -> (i32, i32) {
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
        let edge = i64::from(UNIT) + 1;
        (alpha.clamp(-edge, edge) as i32, beta.clamp(-edge, edge) as i32)
    }

    /// Star1: outcomes one by one, until the bounds on the rest decide.
    fn star1(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        window: (i32, i32),
        begin: usize,
        total: i64,
    ) -> Result<i32, Stopped> {
        for i in begin..self.outcomes.len() {
            let (alpha, beta) = self.child_window(begin, i, total, window);
            let m = self.outcomes[i].m;
            let undo = game.play(m);
            let value = self.value(game, viewer, depth, alpha, beta);
            game.undo(m, undo);
            let value = value?;
            let outcome = &mut self.outcomes[i];
            if value < beta {
                outcome.high = value;
            }
            if value > alpha {
                outcome.low = value;
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

    /// Star2: the most promising reply of each outcome first, which bounds its value from one
    /// side; often that decides the whole average.
    fn star2(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        window: (i32, i32),
        begin: usize,
        total: i64,
    ) -> Result<Option<i32>, Stopped> {
        for i in begin..self.outcomes.len() {
            let (alpha, beta) = self.child_window(begin, i, total, window);
            let m = self.outcomes[i].m;
            let undo = game.play(m);
            let probed = self.probe_outcome(game, viewer, depth, alpha, beta);
            game.undo(m, undo);
            match probed? {
                Probed::AtLeast(value) => {
                    self.outcomes[i].low = value;
                    let low = self.bound(begin, total, false);
                    if low >= window.1 {
                        return Ok(Some(low));
                    }
                }
                Probed::AtMost(value) => {
                    self.outcomes[i].high = value;
                    let high = self.bound(begin, total, true);
                    if high <= window.0 {
                        return Ok(Some(high));
                    }
                }
                Probed::Nothing => {}
            }
        }
        Ok(None)
    }

    /// One reply's value bounds the position from its mover's side.
    fn probe_outcome(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<Probed, Stopped> {
        let Turn::Player(mover) = game.turn() else { return Ok(Probed::Nothing) };
        let packed = self.probe(game.hash()).and_then(|e| e.packed);
        let begin = self.moves.len();
        let mut list = std::mem::take(&mut self.moves);
        self.order(game, packed, &mut list);
        let first = list[begin].1;
        list.truncate(begin);
        self.moves = list;
        let (low, high) = if mover == viewer { (alpha, beta) } else { (-beta, -alpha) };
        let undo = game.play(first);
        let value = self.value(game, mover, depth - 1, low, high);
        game.undo(first, undo);
        let value = value?;
        // At or below the window the value is itself only an upper bound, and bounds nothing.
        Ok(match value {
            v if v <= low => Probed::Nothing,
            v if mover == viewer => Probed::AtLeast(v),
            v => Probed::AtMost(-v),
        })
    }
}
