//! Staged move generation and the choice of moves to search. Partial moves are filtered by their
//! own evaluation, then whole moves by static evaluation and history; each by rank and by distance
//! from the best (a beam).

use super::state::{Candidate, Node, candidate};
use super::worker::Worker;
use crate::clock::Stopped;
use crate::evaluator::StagedMoves;
use crate::ordering::{ScoredMove, truncate_to_best};
use crate::score::INFINITE;
use agon_protocol::{Game, Player};
use std::ops::ControlFlow;

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
        let mut partial_moves = self.partial_moves(mover, node)?;
        let beam = s.beam_at(node.depth);
        let mut top = -INFINITE;
        self.completion_gains.clear();
        for part in partial_moves.drain(..) {
            let evaluation = part.m.value.unwrap_or(INFINITE);
            if !self.completion_gains.begin(evaluation, s.futility_margin, top - beam) {
                continue;
            }
            let from = list.len();
            self.completions(part.m.m, list);
            let mut kept = from;
            for i in from..list.len() {
                let m = list[i].m.m;
                let [_, key] = E::history_keys(m);
                if !self.completion_gains.promising(key, evaluation, s.futility_margin, top - beam)
                {
                    continue;
                }
                let value = self.evaluate_after(m, mover, node.ply + 1)?;
                self.completion_gains.learn(key, value - evaluation);
                top = top.max(value);
                let score = value + self.memory.history.score(mover, m) / s.history_divisor;
                list[kept] = ScoredMove {
                    score,
                    index: kept as u32,
                    m: Candidate { m, value: Some(value) },
                };
                kept += 1;
            }
            list.truncate(kept);
        }
        self.partial_lists.push(partial_moves);
        list.retain(|scored| scored.score >= top - beam);
        truncate_to_best(list, s.moves_at(node.depth, node.ply));
        Ok(())
    }

    /// Orders a complete list by static evaluation.
    fn score(
        &mut self,
        mover: Player,
        node: Node,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        for scored in list.iter_mut() {
            let value = self.evaluate_after(scored.m.m, mover, node.ply + 1)?;
            scored.m.value = Some(value);
            scored.score = value;
        }
        let width = self.settings.selectivity.as_ref();
        truncate_to_best(list, width.map_or(usize::MAX, |s| s.moves_at(node.depth, node.ply)));
        Ok(())
    }

    /// The partial moves to consider with their evaluations, best first, and those that are kept
    /// besides; all of them, unordered, without selectivity.
    pub fn partial_moves(
        &mut self,
        mover: Player,
        node: Node,
    ) -> Result<Vec<ScoredMove<Candidate<E::PartialMove>>>, Stopped> {
        let mut partial_moves = self.partial_lists.pop().unwrap_or_default();
        partial_moves.clear();
        let visit = &mut |m, value| {
            let index = partial_moves.len() as u32;
            partial_moves.push(ScoredMove { score: 0, index, m: Candidate { m, value } });
        };
        self.memory.evaluator.visit_partial_moves(&self.game, node.depth, visit);
        let Some(s) = &self.settings.selectivity else { return Ok(partial_moves) };
        let width = s.partial_moves_at(node.depth, node.ply);
        let scale = s.history_divisor;
        let ranked = partial_moves.partition_point(|part| part.m.value.is_some());
        let kept = partial_moves.split_off(ranked);
        for part in &mut partial_moves {
            self.counter.visit()?;
            let learned =
                self.memory.history.first_key_score(mover, E::partial_key(part.m.m)) / scale;
            part.score = part.m.value.unwrap_or(0) + learned;
        }
        truncate_to_best(&mut partial_moves, width);
        partial_moves.extend(kept);
        Ok(partial_moves)
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
}
