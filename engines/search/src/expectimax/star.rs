//! Star1 and Star2: pruning at a chance node (Ballard 1983; Hauk, Buro and Schaeffer 2004).
//!
//! Every outcome has bounds on its value. Star1 searches the outcomes one by one, each with the
//! window outside which the average cannot be inside the node's window, and stops when the bounds
//! decide. Star2 first searches one reply to each outcome, which bounds the outcome's value from
//! one side.

use super::{UNIT, average};
use crate::clock::Stopped;
use agon_games::Game;
use std::ops::ControlFlow;

/// One outcome, or several equally good ones, of a chance node.
pub struct ChanceOutcome<M> {
    /// The outcome's move.
    m: M,
    class: u32,
    weight: i64,
    /// Bounds on the value for the viewer.
    low: i32,
    high: i32,
}

/// Pushes the outcomes of a chance position. Outcomes of equal class are equally good and are
/// merged.
pub fn push_outcomes<G: Game>(
    game: &G,
    outcomes: &mut Vec<ChanceOutcome<G::Move>>,
    class_of: impl Fn(G::Move) -> u32,
) {
    let begin = outcomes.len();
    let _ = game.visit_chance::<()>(&mut |m, weight| {
        let (class, weight) = (class_of(m), i64::from(weight));
        match outcomes[begin..].iter_mut().find(|o| o.class == class) {
            Some(known) => known.weight += weight,
            None => outcomes.push(ChanceOutcome { m, class, weight, low: -UNIT, high: UNIT }),
        }
        ControlFlow::Continue(())
    });
}

/// The bound on an outcome's value, for the viewer, from the search of one reply.
pub enum ReplyBound {
    /// The value is at least this.
    AtLeast(i32),
    /// The value is at most this.
    AtMost(i32),
    /// No bound.
    Unknown,
}

/// A search at one of its chance nodes. Values are fail-soft and for one player, the viewer.
pub trait ChanceSearch {
    /// A move of the game.
    type Move: Copy;

    /// The stack of outcomes: a node uses only those that it has pushed.
    fn outcomes(&mut self) -> &mut Vec<ChanceOutcome<Self::Move>>;

    /// Searches the position after an outcome.
    ///
    /// # Errors
    /// If the search is stopped.
    fn search_outcome(&mut self, m: Self::Move, alpha: i32, beta: i32) -> Result<i32, Stopped>;

    /// Searches the best-ordered reply to an outcome.
    ///
    /// # Errors
    /// If the search is stopped.
    fn search_reply(&mut self, m: Self::Move, alpha: i32, beta: i32)
    -> Result<ReplyBound, Stopped>;
}

/// A chance node: the outcomes from `begin` to the top of the stack, and the node's window.
#[derive(Clone, Copy)]
pub struct ChanceNode {
    begin: usize,
    total: i64,
    alpha: i32,
    beta: i32,
}

impl ChanceNode {
    /// The node of the outcomes from index `begin`.
    pub fn new<M>(outcomes: &[ChanceOutcome<M>], begin: usize, window: (i32, i32)) -> ChanceNode {
        let total = outcomes[begin..].iter().map(|o| o.weight).sum();
        ChanceNode { begin, total, alpha: window.0, beta: window.1 }
    }

    /// The minimum and maximum average that the bounds of the outcomes allow.
    fn bounds<M>(&self, outcomes: &[ChanceOutcome<M>]) -> (i32, i32) {
        let (mut lows, mut highs) = (0, 0);
        for o in &outcomes[self.begin..] {
            lows += o.weight * i64::from(o.low);
            highs += o.weight * i64::from(o.high);
        }
        (average(lows, self.total), average(highs, self.total))
    }

    /// The window for outcome `i`, given the bounds on all others: outside it the average is
    /// certain to fall outside the node's window.
    fn child_window<M>(&self, outcomes: &[ChanceOutcome<M>], i: usize) -> (i32, i32) {
        let (mut highs, mut lows) = (0, 0);
        for (j, o) in outcomes.iter().enumerate().skip(self.begin) {
            if j != i {
                highs += o.weight * i64::from(o.high);
                lows += o.weight * i64::from(o.low);
            }
        }
        let weight = outcomes[i].weight;
        let alpha = (self.total * i64::from(self.alpha) - highs).div_euclid(weight);
        let beta = -(lows - self.total * i64::from(self.beta)).div_euclid(weight);
        let edge = i64::from(UNIT) + 1;
        (alpha.clamp(-edge, edge) as i32, beta.clamp(-edge, edge) as i32)
    }

    /// Star1: searches the outcomes until the bounds on the rest decide.
    ///
    /// # Errors
    /// If the search is stopped.
    pub fn star1<S: ChanceSearch>(&self, search: &mut S) -> Result<i32, Stopped> {
        for i in self.begin..search.outcomes().len() {
            let (alpha, beta) = self.child_window(search.outcomes(), i);
            let m = search.outcomes()[i].m;
            let value = search.search_outcome(m, alpha, beta)?;
            let outcome = &mut search.outcomes()[i];
            if value < beta {
                outcome.high = outcome.high.min(value.max(-UNIT));
            }
            if value > alpha {
                outcome.low = outcome.low.max(value.min(UNIT));
            }
            let (low, high) = self.bounds(search.outcomes());
            if high <= self.alpha {
                return Ok(high);
            }
            if low >= self.beta {
                return Ok(low);
            }
        }
        Ok(self.bounds(search.outcomes()).1)
    }

    /// Star2: searches one reply to each outcome. `None` if the bounds do not decide.
    ///
    /// # Errors
    /// If the search is stopped.
    pub fn star2<S: ChanceSearch>(&self, search: &mut S) -> Result<Option<i32>, Stopped> {
        for i in self.begin..search.outcomes().len() {
            let (alpha, beta) = self.child_window(search.outcomes(), i);
            let m = search.outcomes()[i].m;
            let bound = search.search_reply(m, alpha, beta)?;
            let outcome = &mut search.outcomes()[i];
            match bound {
                ReplyBound::AtLeast(value) => {
                    outcome.low = outcome.low.max(value);
                    let (low, _) = self.bounds(search.outcomes());
                    if low >= self.beta {
                        return Ok(Some(low));
                    }
                }
                ReplyBound::AtMost(value) => {
                    outcome.high = outcome.high.min(value);
                    let (_, high) = self.bounds(search.outcomes());
                    if high <= self.alpha {
                        return Ok(Some(high));
                    }
                }
                ReplyBound::Unknown => {}
            }
        }
        Ok(None)
    }
}
