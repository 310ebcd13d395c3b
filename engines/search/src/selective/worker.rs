//! One thread's search: its state across nodes.

use super::pool::{Pool, SplitPoint};
use super::settings::{SelectiveSettings, reductions};
use super::state::{Candidate, CompletionGains, Memory, Node};
use crate::clock::{Clock, NodeCounter, Stopped};
use crate::evaluator::StagedMoves;
use crate::ordering::ScoredMove;
use crate::result::PvTable;
use crate::root::Root;
use crate::searcher::{Step, step};
use crate::transposition::TranspositionTable;
use agon_protocol::{Game, Player};
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
            Step::Over(value) => value,
            Step::Same => self.memory.evaluator.evaluate(&self.game),
            Step::Other => -self.memory.evaluator.evaluate(&self.game),
        };
        self.game.undo(m, undo);
        Ok(value)
    }
}
