//! Updates of the transposition table, histories and killers after a node.

use super::histories::NO_PIECE_TO;
use super::params;
use super::score::is_decisive;
use super::state::{MoveLoop, Node, NodeState};
use super::transposition::TtEntry;
use super::worker::Worker;
use crate::position::Move;
use agon_search::transposition::Bound;

impl Worker<'_> {
    /// Stores the node's result in the table, the histories and the correction history.
    pub(super) fn update(&mut self, node: &Node, state: &NodeState, moves: &MoveLoop) {
        let Node { depth, ply, .. } = *node;
        let value = moves.best_value;
        // The bucket may have been evicted from the L1 cache.
        self.tt.prefetch(self.position.key());
        if value >= node.beta {
            self.update_histories(node, moves);
        }
        // The value of a subset of the moves is not the position's value.
        if state.excluded != Move::NONE || (ply == 0 && self.is_root_restricted) {
            return;
        }
        let bound = moves.bound(node);
        let entry = TtEntry { value, bound, depth, best: moves.best_move, tt_pv: state.tt_pv };
        entry.store(self.tt, self.position.key(), ply);
        let noisy = moves.best_move != Move::NONE && self.position.is_capture(moves.best_move);
        if let Some(eval) = self.stack(ply).static_eval
            && !noisy
            && !is_decisive(value)
            && !(bound == Bound::Lower && value <= eval)
            && !(bound == Bound::Upper && value >= eval)
        {
            self.histories.correction.update(&self.position, depth, value - eval);
        }
    }

    /// Rewards the move that caused a beta cut-off, and penalises those searched before it.
    fn update_histories(&mut self, node: &Node, moves: &MoveLoop) {
        let (ply, m) = (node.ply, moves.best_move);
        self.stack(ply).cutoffs = self.stack(ply).cutoffs.saturating_add(1);
        let previous = self.previous_moves(ply);
        let bonus = history_bonus(node.depth);
        if self.position.is_capture(m) {
            self.histories.add_capture(&self.position, m, bonus);
        } else {
            let killers = &mut self.stack(ply).killers;
            if killers[0] != m {
                *killers = [m, killers[0]];
            }
            if previous[0] != NO_PIECE_TO {
                self.histories.set_countermove(previous[0], m);
            }
            self.histories.add_quiet(&self.position, m, previous, bonus);
            for &other in &moves.quiets {
                self.histories.add_quiet(&self.position, other, previous, -bonus);
            }
        }
        for &other in &moves.captures {
            self.histories.add_capture(&self.position, other, -bonus);
        }
    }

    /// Rewards a quiet move whose table entry caused a cut-off.
    pub(super) fn reward_table_move(&mut self, node: &Node, entry: TtEntry) {
        let m = entry.best;
        if entry.value >= node.beta
            && m != Move::NONE
            && self.position.is_pseudo_legal(m)
            && !self.position.is_capture(m)
        {
            let previous = self.previous_moves(node.ply);
            self.histories.add_quiet(&self.position, m, previous, history_bonus(node.depth));
        }
    }
}

/// The history bonus of a beta cut-off at a depth.
fn history_bonus(depth: i32) -> i32 {
    let bonus = params::bonus_slope() * depth - params::bonus_offset();
    bonus.max(params::bonus_min()).min(params::bonus_max())
}
