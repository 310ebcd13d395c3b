//! Which moves are searched at all: first parts by their own estimate, then whole moves by their
//! static value and history, each narrowed by rank and by distance from the best.

use super::node::{Candidate, Node, Worker};
use crate::clock::Stopped;
use crate::guide::Stages;
use crate::order::{Scored, keep_best};
use crate::searcher::{Step, step};
use agon_protocol::{Game, Player};
use std::ops::ControlFlow;

impl<G: Game, E: Stages<G>> Worker<'_, G, E> {
    /// Fills `list` with the moves to search, best first.
    pub fn candidates(
        &mut self,
        mover: Player,
        node: Node,
        list: &mut Vec<Scored<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        let mut parts = self.parts(mover, node)?;
        list.clear();
        for part in parts.drain(..) {
            self.completions(part.m, list);
        }
        self.part_lists.push(parts);
        let scale = self.settings.selectivity.as_ref().map_or(i32::MAX, |s| s.history);
        let mut top = i32::MIN;
        for scored in list.iter_mut() {
            let m = scored.m.m;
            let value = self.static_after(m, mover, node.ply + 1)?;
            top = top.max(value);
            scored.m.value = Some(value);
            scored.score = value + self.memory.history.score(mover, m) / scale;
        }
        match &self.settings.selectivity {
            None => keep_best(list, usize::MAX),
            Some(s) => {
                let least = top.saturating_sub(s.drop_at(node.depth));
                list.retain(|scored| scored.score >= least);
                keep_best(list, s.moves_at(node.depth, node.ply));
            }
        }
        Ok(())
    }

    /// The first parts of moves to look at, best first.
    pub fn parts(&mut self, mover: Player, node: Node) -> Result<Vec<Scored<E::Part>>, Stopped> {
        let mut parts = self.part_lists.pop().unwrap_or_default();
        parts.clear();
        let _ = E::visit_parts::<()>(&self.game, &mut |m| {
            parts.push(Scored { score: 0, place: parts.len() as u32, m });
            ControlFlow::Continue(())
        });
        let Some(s) = &self.settings.selectivity else { return Ok(parts) };
        let width = s.parts_at(node.depth, node.ply);
        let scale = s.history;
        for part in &mut parts {
            self.ticker.visit()?;
            let learned = self.memory.history.first(mover, E::part_key(part.m)) / scale;
            part.score = self.evaluator.evaluate_part(&self.game, part.m) + learned;
        }
        keep_best(&mut parts, width);
        Ok(parts)
    }

    /// Appends the moves that begin with `part`.
    pub fn completions(&self, part: E::Part, list: &mut Vec<Scored<Candidate<G::Move>>>) {
        let _ = E::visit_rest::<()>(&self.game, part, &mut |m| {
            let place = list.len() as u32;
            list.push(Scored { score: 0, place, m: Candidate { m, value: None } });
            ControlFlow::Continue(())
        });
    }

    /// The static value, for the mover, of the position after a move, which is `ply` plies below
    /// the root. Counts as a visited node.
    pub fn static_after(&mut self, m: G::Move, mover: Player, ply: u32) -> Result<i32, Stopped> {
        self.ticker.visit()?;
        let undo = self.game.play(m);
        let value = match step(&self.game, mover, ply) {
            Step::Over(value) => value,
            Step::Same => self.evaluator.evaluate(&self.game),
            Step::Other => -self.evaluator.evaluate(&self.game),
        };
        self.game.undo(m, undo);
        Ok(value)
    }
}
