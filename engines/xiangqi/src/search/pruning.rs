//! Which moves are searched less deeply, more deeply, or not at all: pruning before the moves of a node
//! (reverse futility, null move, ProbCut), pruning of late moves (late-move, futility and SEE pruning),
//! late-move reductions (LMR), and singular extensions, double and negative extensions, multicut,
//! check and one-reply extensions.

use super::histories::NO_PIECE_TO;
use super::move_picker::{MovePicker, MoveSelection};
use super::params;
use super::transposition::{TtEntry, is_decisive};
use super::worker::{LoopResults, MoveState, NodeState, NodeWindow, XiangqiWorker};
use crate::position::{CheckInfo, Move};
use agon_search::clock::Stopped;
use agon_search::params::TUNING;
use agon_search::transposition::EntryBound;
use std::sync::LazyLock;

impl NodeWindow {
    /// Reverse futility pruning (static null move pruning): the value of a node whose static
    /// evaluation exceeds beta by a sufficient margin.
    #[inline]
    pub fn reverse_futility(&self, eval: i32, improving: bool) -> Option<i32> {
        let NodeWindow { alpha, beta, depth, .. } = *self;
        let margin = params::rfp_slope() * (depth - i32::from(improving)) + params::rfp_base();
        let open = !is_decisive(beta) && !is_decisive(alpha);
        (depth <= params::rfp_depth() && open && eval - margin >= beta).then_some((eval + beta) / 2)
    }
}

impl XiangqiWorker<'_> {
    /// The value of a zero-window node not in check, if it can be pruned before its moves.
    pub(super) fn prune_before_moves(
        &mut self,
        node: &NodeWindow,
        state: &NodeState,
    ) -> Result<Option<i32>, Stopped> {
        if state.excluded != Move::NONE || is_decisive(node.beta) || is_decisive(node.alpha) {
            return Ok(None);
        }
        if !state.tt_pv
            && let Some(value) = node.reverse_futility(state.eval, state.improving)
        {
            return Ok(Some(value));
        }
        if let Some(value) = self.null_move_pruning(node, state)? {
            return Ok(Some(value));
        }
        self.probcut(node, state)
    }

    /// Null-move pruning (Donninger 1993): if a null move reaches beta, some real move is assumed
    /// to. Deep cut-offs are verified by a search without null moves, because of zugzwang.
    fn null_move_pruning(
        &mut self,
        node: &NodeWindow,
        state: &NodeState,
    ) -> Result<Option<i32>, Stopped> {
        let NodeWindow { beta, depth, ply, .. } = *node;
        let side = self.position.side();
        if depth < params::null_depth()
            || state.eval < beta
            || self.earlier(ply, 1).piece_to == NO_PIECE_TO && ply > 0
            || ply < self.null_min_ply
            || !self.position.has_pieces(side)
        {
            return Ok(None);
        }
        let above = (state.eval - beta) / params::null_margin();
        let reduction = params::null_base()
            + depth / params::null_divisor()
            + above.min(params::null_margin_plies());
        let depth_after = depth - reduction;
        self.stack(ply).piece_to = NO_PIECE_TO;
        self.tt.prefetch(self.position.key_after_null_move());
        self.position.play_null_move();
        let reply = self.search_node::<false>(NodeWindow {
            alpha: -beta,
            beta: 1 - beta,
            depth: depth_after,
            ply: ply + 1,
            cut_node: !node.cut_node,
        });
        self.position.undo_null_move();
        let value = -reply?;
        if value < beta {
            return Ok(None);
        }
        let value = if is_decisive(value) { beta } else { value };
        if depth < params::null_verify_depth() || self.null_min_ply > 0 {
            return Ok(Some(value));
        }
        let plies = params::null_verify_percent() * depth_after / 100;
        self.null_min_ply = ply + plies.max(1) as usize;
        let (alpha, depth) = (beta - 1, depth_after);
        let verified =
            self.search_node::<false>(NodeWindow { alpha, beta, depth, ply, cut_node: false });
        self.null_min_ply = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// ProbCut (Buro 1995): a capture that exceeds beta by a margin in a shallow search is assumed
    /// to reach beta in a deep one.
    fn probcut(&mut self, node: &NodeWindow, state: &NodeState) -> Result<Option<i32>, Stopped> {
        let NodeWindow { beta, depth, ply, .. } = *node;
        let improving = params::probcut_improving() * i32::from(state.improving);
        let goal = beta + params::probcut_margin() - improving;
        let reduced = depth - params::probcut_reduction();
        let hopeless = state.entry.is_some_and(|e| e.depth > reduced && e.value < goal);
        if depth < params::probcut_depth() || hopeless || is_decisive(goal) {
            return Ok(None);
        }
        let selection = MoveSelection::Captures((goal - state.eval).max(0));
        let previous = self.previous_moves(ply);
        let mut picker =
            MovePicker::new(&self.position, selection, state.tt_move, [Move::NONE; 3], previous);
        let mut checks = CheckInfo::default();
        while let Some(m) = picker.next(&self.position, self.histories, &mut checks) {
            self.prefetch(m);
            let Some(gives_check) = checks.check(&self.position, m) else { continue };
            self.play(m, ply, gives_check);
            let mut result = self.quiesce(-goal, 1 - goal, ply + 1, true).map(|v| -v);
            if result.is_ok_and(|v| v >= goal) {
                let child = NodeWindow {
                    alpha: -goal,
                    beta: 1 - goal,
                    depth: reduced,
                    ply: ply + 1,
                    cut_node: !node.cut_node,
                };
                result = self.search_node::<false>(child).map(|v| -v);
            }
            self.position.undo();
            let value = result?;
            if value >= goal {
                let (bound, depth, tt_pv) = (EntryBound::Lower, reduced + 1, state.tt_pv);
                let entry = TtEntry { value, bound, depth, best: m, tt_pv };
                entry.store(self.tt, self.position.key(), ply);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Late-move pruning: beyond a number of moves, quiet moves that give no check are pruned.
    /// Checks are kept, because in Xiangqi mates are delivered by quiet checks.
    #[inline(always)]
    pub(super) fn late_move_pruning(
        &self,
        node: &NodeWindow,
        state: &NodeState,
        moves: &LoopResults,
        mv: &MoveState,
        picker: &mut MovePicker,
        checks: &mut CheckInfo,
    ) -> bool {
        if mv.capture {
            return false;
        }
        let divisor = if state.improving { 1 } else { params::lmp_divisor() };
        let limit = (params::lmp_base() + node.depth * node.depth) / divisor;
        if moves.count as i32 <= limit {
            return false;
        }
        picker.keep_only_checks(&self.position, checks);
        !mv.gives_check
    }

    /// History, futility and SEE pruning of a late move.
    #[inline]
    pub(super) fn prune_move(
        &self,
        node: &NodeWindow,
        state: &NodeState,
        moves: &LoopResults,
        mv: &MoveState,
        picker: &MovePicker,
    ) -> bool {
        let MoveState { m, capture, gives_check, history } = *mv;
        let depth = node.depth;
        // Sacrifices with check break open the palace, so they may lose any material.
        if gives_check {
            return false;
        }
        if capture {
            return depth <= params::see_capture_depth()
                && picker.is_at_bad_captures()
                && !self.position.see_at_least(m, -params::see_capture_slope() * depth);
        }
        // The remaining depth after late-move reductions.
        let reduced =
            depth - base_reduction(depth, moves.count) / PLY + history / params::pruning_history();
        let reduced = reduced.max(0);
        if !state.in_check && reduced <= params::futility_depth() {
            let margin = params::futility_base() + params::futility_slope() * reduced;
            if state.eval + margin <= moves.alpha {
                return true;
            }
        }
        let threshold = -params::see_quiet_slope() * reduced * reduced - params::see_quiet_base();
        reduced <= params::see_quiet_depth() && !self.position.see_at_least(m, threshold)
    }
}

const SIZE: usize = 64;
/// Units of reduction per ply.
pub const PLY: i32 = 1024;

static TABLE: LazyLock<Vec<[i32; SIZE]>> = LazyLock::new(|| {
    (0..SIZE).map(|depth| std::array::from_fn(|count| compute(depth, count))).collect()
});

fn compute(depth: usize, count: usize) -> i32 {
    let ln = |n: usize| libm::log(n.max(1) as f64);
    let [base, divisor] = [params::lmr_base(), params::lmr_divisor()].map(f64::from);
    let plies = base / 100.0 + ln(depth) * ln(count) / (divisor / 100.0);
    (plies * f64::from(PLY)) as i32
}

/// The base reduction of the `count`-th move at a depth.
pub fn base_reduction(depth: i32, count: usize) -> i32 {
    let (depth, count) = (depth.clamp(0, 63) as usize, count.min(63));
    if TUNING { compute(depth, count) } else { TABLE[depth][count] }
}

impl XiangqiWorker<'_> {
    /// The reduction of a move in plies.
    pub(super) fn late_move_reduction(
        &self,
        node: &NodeWindow,
        state: &NodeState,
        count: usize,
        mv: &MoveState,
    ) -> i32 {
        let mut r = base_reduction(node.depth, count);
        if mv.capture {
            r = r / params::lmr_capture_divisor()
                - mv.history * PLY / params::lmr_capture_history();
        } else {
            r -= mv.history * PLY / params::lmr_history();
            r += params::lmr_not_improving() * i32::from(!state.improving);
            let tt_capture = state.tt_move != Move::NONE && self.position.is_capture(state.tt_move);
            r += params::lmr_table_capture() * i32::from(tt_capture);
        }
        r += params::lmr_cut() * i32::from(node.cut_node);
        r -= params::lmr_check() * i32::from(mv.gives_check || state.in_check);
        r -= params::lmr_pv() * i32::from(state.tt_pv);
        if self.earlier(node.ply + 1, 0).cutoffs > params::lmr_cutoffs_limit() {
            r += params::lmr_cutoffs();
        }
        (r / PLY).max(0)
    }
}

/// The extension of a move.
pub(super) enum Extension {
    /// Plies, negative for a reduction.
    Plies(i32),
    /// Multicut: several moves reach beta, so the node has at least this value.
    MultiCut(i32),
}

impl XiangqiWorker<'_> {
    /// The extension of a move; `first`: whether it is the node's first legal move.
    #[inline]
    pub(super) fn extension<const PV: bool>(
        &mut self,
        node: &NodeWindow,
        state: &NodeState,
        mv: &MoveState,
        first: bool,
        checks: &mut CheckInfo,
    ) -> Result<Extension, Stopped> {
        if node.ply == 0 || node.ply as i32 >= params::extension_limit() * self.root_depth {
            return Ok(Extension::Plies(0));
        }
        if let Some(entry) = state.entry
            && mv.m == state.tt_move
            && node.depth >= params::singular_depth()
            && entry.depth >= node.depth - params::singular_entry_plies()
            && matches!(entry.bound, EntryBound::Lower | EntryBound::Exact)
            && !is_decisive(entry.value)
        {
            return self.singular_extension::<PV>(node, entry);
        }
        let only_reply = first
            && state.in_check
            && node.depth <= params::one_reply_depth()
            && checks.has_one_reply(&self.position);
        let check = PV && mv.gives_check && self.position.see_at_least(mv.m, 0);
        Ok(Extension::Plies(i32::from(only_reply || check)))
    }

    /// Searches all moves except the table move to a reduced depth. If none comes near the table's
    /// value, the table move is singular and is extended (Anantharaman, Campbell and Hsu 1990).
    fn singular_extension<const PV: bool>(
        &mut self,
        node: &NodeWindow,
        entry: TtEntry,
    ) -> Result<Extension, Stopped> {
        let NodeWindow { beta, depth, ply, cut_node, .. } = *node;
        let singular_beta = entry.value - params::singular_slope() * depth;
        self.stack(ply).excluded = entry.best;
        let result = self.search_node::<false>(NodeWindow {
            alpha: singular_beta - 1,
            beta: singular_beta,
            depth: (depth - 1) / params::singular_divisor(),
            ply,
            cut_node,
        });
        self.stack(ply).excluded = Move::NONE;
        let value = result?;
        Ok(if value < singular_beta {
            let doubles = self.stack(ply).double_extensions;
            if !PV
                && value < singular_beta - params::double_margin()
                && doubles < params::double_limit()
            {
                self.stack(ply + 1).double_extensions = doubles + 1;
                Extension::Plies(2)
            } else {
                Extension::Plies(1)
            }
        } else if singular_beta >= beta {
            Extension::MultiCut(singular_beta)
        } else if entry.value >= beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }
}
