//! The state of a node, of one of its moves, and of the loop over its moves.

use super::transposition::TtEntry;
use crate::position::{Move, MoveList};
use agon_search::transposition::Bound;

/// The search parameters of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// Whether this is an expected cut node.
    pub cut_node: bool,
}

/// The static evaluation of a node not in check.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticEval {
    /// After correction.
    pub corrected: i32,
    /// Whether it has risen since this side's last move.
    pub improving: bool,
}

/// The state of a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeState {
    pub entry: Option<TtEntry>,
    pub tt_move: Move,
    /// Whether the node is or has been on a principal variation.
    pub tt_pv: bool,
    pub in_check: bool,
    /// The static evaluation, corrected and refined by the table's value; minus infinity in check.
    pub eval: i32,
    /// Whether the static evaluation has risen since this side's last move.
    pub improving: bool,
    /// The move excluded by a singular search.
    pub excluded: Move,
}

/// A move that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveState {
    pub m: Move,
    pub capture: bool,
    pub gives_check: bool,
    /// The move's history score; 0 for the first move, which is never pruned or reduced.
    pub history: i32,
}

/// The results of the moves searched so far.
pub(super) struct MoveLoop {
    pub best_value: i32,
    pub best_move: Move,
    pub alpha: i32,
    /// Legal moves so far, pruned ones included.
    pub count: usize,
    pub quiets: MoveList,
    pub captures: MoveList,
}

impl MoveLoop {
    #[inline]
    pub fn new(alpha: i32) -> MoveLoop {
        MoveLoop {
            best_value: -super::score::INFINITE,
            best_move: Move::NONE,
            alpha,
            count: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
        }
    }

    /// The bound type of the best value.
    #[inline]
    pub fn bound(&self, node: &Node) -> Bound {
        Bound::of(self.best_value, node.alpha, node.beta)
    }
}
