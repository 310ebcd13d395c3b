//! Which moves are searched at all: first parts by their own estimate, then whole moves by their
//! static value and history, each narrowed by rank and by distance from the best.

use super::node::{Candidate, Node, Worker};
use super::params;
use crate::clock::Stopped;
use crate::evaluator::StagedMoves;
use crate::ordering::{ScoredMove, truncate_to_best};
use crate::score::INFINITE;
use crate::searcher::{Step, step};
use agon_protocol::{Game, Player};
use std::ops::ControlFlow;

/// What second parts of moves (for Amazons, arrow squares) have added to the estimates of first
/// parts at one node: a square that is good for one step's arrow is about as good for another's.
/// A move whose sum of both is hopeless need not be looked at.
pub(super) struct Gains {
    by_key: Vec<i32>,
    top: i32,
    parts: usize,
}

const UNSEEN: i32 = i32::MIN;

impl Gains {
    /// For keys below `keys`.
    pub fn new(keys: usize) -> Gains {
        Gains { by_key: vec![UNSEEN; keys], top: 0, parts: 0 }
    }

    /// Begins a node.
    pub fn clear(&mut self) {
        self.by_key.fill(UNSEEN);
        (self.top, self.parts) = (0, 0);
    }

    /// Begins a first part. False: no move that begins with it can be worth `needed`.
    pub fn begin(&mut self, estimate: i32, slack: i32, needed: i32) -> bool {
        self.parts += 1;
        self.parts <= params::trusted_parts() || estimate.saturating_add(self.top + slack) > needed
    }

    /// Whether a move with this second key may be worth `needed`.
    pub fn promising(&self, key: usize, estimate: i32, slack: i32, needed: i32) -> bool {
        let gain = self.by_key[key];
        self.parts <= params::trusted_parts() || gain == UNSEEN || estimate + gain + slack > needed
    }

    /// A move with this key was worth `value`.
    pub fn learn(&mut self, key: usize, gain: i32) {
        self.by_key[key] = self.by_key[key].max(gain);
        self.top = self.top.max(gain);
    }
}

impl<G: Game, E: StagedMoves<G>> Worker<'_, G, E> {
    /// Fills `list` with the moves to search, best first.
    pub fn candidates(
        &mut self,
        mover: Player,
        node: Node,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        list.clear();
        if self.is_restricted(node) {
            let moves = self.root.allowed_moves().into_iter();
            list.extend(moves.enumerate().map(|(i, m)| candidate(m, i)));
            return self.score(mover, node, list);
        }
        let Some(s) = self.settings.selectivity.clone() else {
            let _ = self.game.visit_moves::<()>(&mut |m| {
                list.push(candidate(m, list.len()));
                ControlFlow::Continue(())
            });
            return self.score(mover, node, list);
        };
        let mut parts = self.parts(mover, node)?;
        let drop = s.drop_at(node.depth);
        let mut top = -INFINITE;
        self.gains.clear();
        for part in parts.drain(..) {
            let estimate = part.m.value.unwrap_or(INFINITE);
            if !self.gains.begin(estimate, s.slack, top - drop) {
                continue;
            }
            let from = list.len();
            self.completions(part.m.m, list);
            let mut kept = from;
            for i in from..list.len() {
                let m = list[i].m.m;
                let [_, key] = E::history_keys(m);
                if !self.gains.promising(key, estimate, s.slack, top - drop) {
                    continue;
                }
                let value = self.static_after(m, mover, node.ply + 1)?;
                self.gains.learn(key, value - estimate);
                top = top.max(value);
                let score = value + self.memory.history.score(mover, m) / s.history;
                let place = kept as u32;
                list[kept] = ScoredMove { score, place, m: Candidate { m, value: Some(value) } };
                kept += 1;
            }
            list.truncate(kept);
        }
        self.part_lists.push(parts);
        list.retain(|scored| scored.score >= top - drop);
        truncate_to_best(list, s.moves_at(node.depth, node.ply));
        Ok(())
    }

    /// Orders a complete list by static value and history.
    fn score(
        &mut self,
        mover: Player,
        node: Node,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        for scored in list.iter_mut() {
            let value = self.static_after(scored.m.m, mover, node.ply + 1)?;
            scored.m.value = Some(value);
            scored.score = value;
        }
        let width = self.settings.selectivity.as_ref();
        truncate_to_best(list, width.map_or(usize::MAX, |s| s.moves_at(node.depth, node.ply)));
        Ok(())
    }

    /// The first parts of moves to look at, best first, with their estimates. Without selectivity
    /// there are none.
    pub fn parts(
        &mut self,
        mover: Player,
        node: Node,
    ) -> Result<Vec<ScoredMove<Candidate<E::PartialMove>>>, Stopped> {
        let mut parts = self.part_lists.pop().unwrap_or_default();
        parts.clear();
        let _ = E::visit_partial_moves::<()>(&self.game, &mut |m| {
            parts.push(candidate(m, parts.len()));
            ControlFlow::Continue(())
        });
        let Some(s) = &self.settings.selectivity else { return Ok(parts) };
        let width = s.parts_at(node.depth, node.ply);
        let scale = s.history;
        for part in &mut parts {
            self.counter.visit()?;
            let estimate = self.memory.evaluator.evaluate_partial(&self.game, part.m.m);
            let learned = self.memory.history.first(mover, E::partial_key(part.m.m)) / scale;
            part.m.value = Some(estimate);
            part.score = estimate + learned;
        }
        truncate_to_best(&mut parts, width);
        Ok(parts)
    }

    /// Appends the moves that begin with `part`.
    pub fn completions(
        &self,
        part: E::PartialMove,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) {
        let _ = E::visit_completions::<()>(&self.game, part, &mut |m| {
            list.push(candidate(m, list.len()));
            ControlFlow::Continue(())
        });
    }

    /// The static value, for the mover, of the position after a move, which is `ply` plies below
    /// the root. Counts as a visited node.
    pub fn static_after(&mut self, m: G::Move, mover: Player, ply: u32) -> Result<i32, Stopped> {
        self.counter.visit()?;
        let undo = self.game.play(m);
        let value = match step(&self.game, mover, ply) {
            Step::Over(value) => value,
            Step::Same => self.memory.evaluator.evaluate(&self.game),
            Step::Other => -self.memory.evaluator.evaluate(&self.game),
        };
        self.game.undo(m, undo);
        Ok(value)
    }
}

/// A move that nothing is known about yet: the `index`-th in generation order.
fn candidate<M>(m: M, index: usize) -> ScoredMove<Candidate<M>> {
    ScoredMove { score: 0, place: index as u32, m: Candidate { m, value: None } }
}
