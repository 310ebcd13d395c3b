//! The state of a search thread and of a node: memory across moves, the node's window, and its
//! moves with their values.

use super::params;
use crate::evaluator::StagedMoves;
use crate::history::History;
use crate::ordering::ScoredMove;
use agon_protocol::Game;
use std::sync::Arc;

/// The state that a thread keeps during a game.
pub(super) struct Memory<G: Game, E> {
    /// Shared by all threads.
    pub history: Arc<History<G, E>>,
    pub evaluator: E,
    pub killers: Vec<[Option<G::Move>; 2]>,
}

impl<G: Game, E: StagedMoves<G>> Memory<G, E> {
    pub fn new(evaluator: E, history: Arc<History<G, E>>) -> Self {
        Memory { history, evaluator, killers: Vec::new() }
    }

    pub fn killers(&mut self, ply: u32) -> &mut [Option<G::Move>; 2] {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        &mut self.killers[ply]
    }
}

/// A node's place in the tree and its window, for the player to move.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub depth: u32,
    pub ply: u32,
    pub alpha: i32,
    pub beta: i32,
}

impl Node {
    pub fn has_null_window(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// The moves searched so far at a node.
#[derive(Clone)]
pub(super) struct MoveLoop<M> {
    pub value: i32,
    pub alpha: i32,
    pub best: Option<M>,
    pub tried: usize,
    /// The moves searched before the others are generated: the table's move and the killers.
    pub early: [Option<M>; 3],
}

/// A move and its static evaluation for the mover, if known.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub m: M,
    pub value: Option<i32>,
}

/// A move without a score: the `index`-th in generation order.
pub(super) fn candidate<M>(m: M, index: usize) -> ScoredMove<Candidate<M>> {
    ScoredMove { score: 0, index: index as u32, m: Candidate { m, value: None } }
}

/// How much completions (for Amazons, arrow squares) have changed the evaluations of partial moves
/// at one node: a square that is good for one step's arrow is about as good for another's. Futility
/// pruning skips moves for which the sum of both is too low.
pub(super) struct CompletionGains {
    by_key: Vec<i32>,
    top: i32,
    seen: usize,
}

const UNKNOWN: i32 = i32::MIN;

impl CompletionGains {
    /// For keys below `keys`.
    pub fn new(keys: usize) -> CompletionGains {
        CompletionGains { by_key: vec![UNKNOWN; keys], top: 0, seen: 0 }
    }

    /// Starts a node.
    pub fn clear(&mut self) {
        self.by_key.fill(UNKNOWN);
        (self.top, self.seen) = (0, 0);
    }

    /// Starts a partial move. Returns false if no move that begins with it can be worth `needed`.
    pub fn begin(&mut self, evaluation: i32, futility_margin: i32, needed: i32) -> bool {
        self.seen += 1;
        self.seen <= params::trusted_parts()
            || evaluation.saturating_add(self.top + futility_margin) > needed
    }

    /// Whether a move with this second key may be worth `needed`.
    pub fn promising(
        &self,
        key: usize,
        evaluation: i32,
        futility_margin: i32,
        needed: i32,
    ) -> bool {
        let gain = self.by_key[key];
        self.seen <= params::trusted_parts()
            || gain == UNKNOWN
            || evaluation + gain + futility_margin > needed
    }

    /// Records that a move with this key was worth `gain` more than its partial move.
    pub fn learn(&mut self, key: usize, gain: i32) {
        self.by_key[key] = self.by_key[key].max(gain);
        self.top = self.top.max(gain);
    }
}
