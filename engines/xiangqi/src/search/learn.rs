//! What a finished node leaves behind: in the table, the histories, the killers.

use super::history::NOWHERE;
use super::node::{Facts, Progress, Task};
use super::params;
use super::score::is_decided;
use super::table::Entry;
use super::worker::Worker;
use crate::position::Move;
use agon_search::transposition::Bound;

impl Worker<'_> {
    /// Stores what the node has found, here and in the histories.
    pub(super) fn learn(&mut self, task: &Task, facts: &Facts, progress: &Progress) {
        let Task { alpha, beta, depth, ply, .. } = *task;
        let best = progress.best;
        // Its place in the table may have left the nearest memory.
        self.table.prefetch(self.position.key());
        if best >= beta {
            self.learn_refutation(task, progress);
        }
        if facts.excluded != Move::NONE {
            return;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            value: best,
            bound,
            depth,
            best: progress.best_move,
            principal: facts.principal,
        };
        self.table.store(self.position.key(), ply, entry);
        let noisy =
            progress.best_move != Move::NONE && self.position.is_capture(progress.best_move);
        if let Some(estimate) = self.frame(ply).estimate
            && !noisy
            && !is_decided(best)
            && !(bound == Bound::Lower && best <= estimate)
            && !(bound == Bound::Upper && best >= estimate)
        {
            self.histories.learn_error(&self.position, depth, best - estimate);
        }
    }

    fn learn_refutation(&mut self, task: &Task, progress: &Progress) {
        let (ply, m) = (task.ply, progress.best_move);
        self.frame(ply).cutoffs = self.frame(ply).cutoffs.saturating_add(1);
        let before = self.before(ply);
        let amount = bonus(task.depth);
        if self.position.is_capture(m) {
            self.histories.add_capture(&self.position, m, amount);
        } else {
            let killers = &mut self.frame(ply).killers;
            if killers[0] != m {
                *killers = [m, killers[0]];
            }
            if before[0] != NOWHERE {
                self.histories.set_answer(before[0], m);
            }
            self.histories.add_quiet(&self.position, m, before, amount);
            for &other in &progress.quiets {
                self.histories.add_quiet(&self.position, other, before, -amount);
            }
        }
        for &other in &progress.captures {
            self.histories.add_capture(&self.position, other, -amount);
        }
    }
}

/// What a refutation at a depth is worth to the histories.
pub(super) fn bonus(depth: i32) -> i32 {
    let bonus = params::bonus_slope() * depth - params::bonus_offset();
    bonus.max(params::bonus_min()).min(params::bonus_max())
}
