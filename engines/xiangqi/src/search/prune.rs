//! What is left out before any move of a node is searched.

use super::history::NOWHERE;
use super::node::{Facts, Task};
use super::params;
use super::picker::{Picker, Which};
use super::score::is_decided;
use super::table::Entry;
use super::worker::Worker;
use crate::position::{CheckInfo, Move};
use agon_search::clock::Stopped;
use agon_search::transposition::Bound;

/// What a node is worth whose static value is so far above the window that it will stay there.
#[inline]
pub(super) fn far_above(task: &Task, estimate: i32, improving: bool) -> Option<i32> {
    let Task { alpha, beta, depth, .. } = *task;
    let margin = params::rfp_slope() * (depth - i32::from(improving)) + params::rfp_base();
    let open = !is_decided(beta) && !is_decided(alpha);
    (depth <= params::rfp_depth() && open && estimate - margin >= beta)
        .then_some((estimate + beta) / 2)
}

impl Worker<'_> {
    /// What can be said about a node without a window before any move is searched.
    pub(super) fn prune_node(
        &mut self,
        task: &Task,
        facts: &Facts,
    ) -> Result<Option<i32>, Stopped> {
        let Task { alpha, beta, depth, ply, .. } = *task;
        let estimate = facts.estimate;
        if facts.excluded != Move::NONE || is_decided(beta) || is_decided(alpha) {
            return Ok(None);
        }
        // Far below: only captures can help.
        let margin = params::razor_slope() * depth + params::razor_base();
        if depth <= params::razor_depth() && estimate + margin < alpha {
            let value = self.quiesce(alpha, alpha + 1, ply, true)?;
            if value <= alpha {
                return Ok(Some(value));
            }
        }
        if !facts.principal
            && let Some(value) = far_above(task, estimate, facts.improving)
        {
            return Ok(Some(value));
        }
        if let Some(value) = self.try_null(task, facts)? {
            return Ok(Some(value));
        }
        self.try_probcut(task, facts)
    }

    /// If even passing is good enough, some move will be (Donninger 1993); deep cuts are verified
    /// by a search without passing, for the sake of zugzwang.
    fn try_null(&mut self, task: &Task, facts: &Facts) -> Result<Option<i32>, Stopped> {
        let Task { beta, depth, ply, .. } = *task;
        let side = self.position.side();
        if depth < params::null_depth()
            || facts.estimate < beta
            || self.earlier(ply, 1).arrival == NOWHERE && ply > 0
            || ply < self.null_from
            || !self.position.has_pieces(side)
        {
            return Ok(None);
        }
        let above = (facts.estimate - beta) / params::null_margin();
        let reduction = params::null_base()
            + depth / params::null_divisor()
            + above.min(params::null_margin_plies());
        self.frame(ply).arrival = NOWHERE;
        self.table.prefetch(self.position.key_after_null_move());
        self.position.play_null_move();
        let reply = self.node::<false>(Task {
            alpha: -beta,
            beta: 1 - beta,
            depth: depth - reduction,
            ply: ply + 1,
            cut: !task.cut,
        });
        self.position.undo_null_move();
        let value = -reply?;
        if value < beta {
            return Ok(None);
        }
        let value = if is_decided(value) { beta } else { value };
        if depth < params::null_verify_depth() || self.null_from > 0 {
            return Ok(Some(value));
        }
        let verified = params::null_verify_percent() * (depth - reduction) / 100;
        self.null_from = ply + verified.max(1) as usize;
        let verified = self.node::<false>(Task {
            alpha: beta - 1,
            beta,
            depth: depth - reduction,
            ply,
            cut: false,
        });
        self.null_from = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// A capture that is good enough by a margin in a shallow search is taken to be good enough.
    fn try_probcut(&mut self, task: &Task, facts: &Facts) -> Result<Option<i32>, Stopped> {
        let Task { beta, depth, ply, .. } = *task;
        let improving = params::probcut_improving() * i32::from(facts.improving);
        let goal = beta + params::probcut_margin() - improving;
        let reduced = depth - params::probcut_reduction();
        let hopeless = facts.entry.is_some_and(|e| e.depth > reduced && e.value < goal);
        if depth < params::probcut_depth() || hopeless || is_decided(goal) {
            return Ok(None);
        }
        let which = Which::Captures((goal - facts.estimate).max(0));
        let before = self.before(ply);
        let mut picker =
            Picker::new(&self.position, which, facts.table_move, [Move::NONE; 3], before);
        let mut check_info = CheckInfo::default();
        while let Some(m) = picker.next(&self.position, self.histories, &mut check_info) {
            self.prefetch(m);
            let Some(check) = check_info.check(&self.position, m) else { continue };
            self.play(m, ply, check);
            let mut result = self.quiesce(-goal, 1 - goal, ply + 1, true).map(|v| -v);
            if result.is_ok_and(|v| v >= goal) {
                let task = Task {
                    alpha: -goal,
                    beta: 1 - goal,
                    depth: reduced,
                    ply: ply + 1,
                    cut: !task.cut,
                };
                result = self.node::<false>(task).map(|v| -v);
            }
            self.position.undo();
            let value = result?;
            if value >= goal {
                let entry = Entry {
                    value,
                    bound: Bound::Lower,
                    depth: reduced + 1,
                    best: m,
                    principal: facts.principal,
                };
                self.table.store(self.position.key(), ply, entry);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
