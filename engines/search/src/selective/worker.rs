//! One thread's search: its state across nodes, and the moves that it searches at one.
//!
//! Moves are generated in stages. Partial moves are filtered by their own evaluation, then whole moves
//! by static evaluation and history; each by rank and by distance from the best (a beam).

use super::settings::{SelectiveSettings, reductions};
use super::state::{Candidate, CompletionGains, Memory, Node, Pool, SplitPoint, candidate};
use crate::clock::{Clock, NodeCounter, Stopped};
use crate::evaluator::StagedMoves;
use crate::ordering::{ScoredMove, truncate_to_best};
use crate::result::PvTable;
use crate::root::Root;
use crate::score::INFINITE;
use crate::searcher::{StepResult, step};
use crate::transposition::TranspositionTable;
use agon_games::{Game, Player};
use std::ops::ControlFlow;
use std::sync::Arc;

/// One thread's search.
pub(super) struct Worker<'s, G: Game, E: StagedMoves<G>> {
    pub game: G,
    pub root: &'s Root<'s, G>,
    pub counter: NodeCounter<'s>,
    pub settings: &'s SelectiveSettings,
    pub memory: &'s mut Memory<G, E>,
    pub seldepth: u32,
    pub root_best: Option<G::Move>,
    pub lists: Vec<Vec<ScoredMove<Candidate<G::Move>>>>,
    pub partial_lists: Vec<Vec<ScoredMove<Candidate<E::PartialMove>>>>,
    pub completion_gains: CompletionGains,
    pub table: &'s TranspositionTable,
    pub variations: PvTable<G::Move>,
    pub reductions: Vec<[u8; 64]>,
    pub pool: &'s Pool<G>,
    /// The shared nodes on the path from the root.
    pub splits: Vec<Arc<SplitPoint<G>>>,
}

impl<'s, G: Game, E: StagedMoves<G>> Worker<'s, G, E> {
    pub fn new(
        root: &'s Root<'s, G>,
        table: &'s TranspositionTable,
        memory: &'s mut Memory<G, E>,
        settings: &'s SelectiveSettings,
        pool: &'s Pool<G>,
        clock: &'s Clock,
    ) -> Self {
        // Moves were played since the last search, so killers no longer match their plies.
        memory.killers.clear();
        let divisor = settings.selectivity.as_ref().map_or(0, |s| s.lmr_divisor);
        Worker {
            game: root.game().clone(),
            root,
            counter: NodeCounter::new(clock),
            settings,
            memory,
            seldepth: 0,
            root_best: None,
            lists: Vec::new(),
            partial_lists: Vec::new(),
            completion_gains: CompletionGains::new(E::HISTORY_KEYS[1]),
            table,
            variations: PvTable::default(),
            reductions: reductions(divisor),
            pool,
            splits: Vec::new(),
        }
    }

    /// The root's best line of the last iteration, if there is one.
    pub fn best_line(&self) -> Option<Vec<G::Move>> {
        let line = self.variations.root();
        (!line.is_empty()).then(|| line.to_vec())
    }

    /// Whether the node is a root with restricted moves.
    pub fn is_restricted(&self, node: Node) -> bool {
        node.ply == 0 && self.root.is_restricted()
    }

    /// The static evaluation, for the mover, of the position after a move, which is `ply` plies
    /// below the root. Counts as a visited node.
    pub fn evaluate_after(&mut self, m: G::Move, mover: Player, ply: u32) -> Result<i32, Stopped> {
        self.counter.visit()?;
        let undo = self.game.play(m);
        let value = match step(&self.game, mover, ply) {
            StepResult::Over(value) => value,
            StepResult::Same => self.memory.evaluator.evaluate(&self.game),
            StepResult::Other => -self.memory.evaluator.evaluate(&self.game),
        };
        self.game.undo(m, undo);
        Ok(value)
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
