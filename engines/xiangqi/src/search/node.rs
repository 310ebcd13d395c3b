//! The search node: principal variation search (a zero window around alpha for all moves except the
//! first), with its steps in the order of execution, and the updates of the transposition table,
//! histories and killers after it.

use super::histories::NO_PIECE_TO;
use super::move_picker::{MovePicker, MoveSelection};
use super::params;
use super::pruning::Extension;
use super::transposition::{
    INFINITE, MATE, MAX_PLY, REPETITION_WIN, TtEntry, is_decisive, mated_in, tablebase_win,
};
use super::worker::{LoopResults, MoveState, NodeState, NodeWindow, StaticEval, XiangqiWorker};
use crate::position::attacks::player;
use crate::position::{CheckInfo, Move};
use agon_games::Outcome;
use agon_search::clock::Stopped;
use agon_search::transposition::EntryBound;
use agon_tablebase::Wdl;

impl XiangqiWorker<'_> {
    /// The value of the position for the side to move: exact inside the window, a bound outside.
    pub(super) fn search_node<const PV: bool>(
        &mut self,
        mut node: NodeWindow,
    ) -> Result<i32, Stopped> {
        if node.depth <= 0 {
            return self.quiesce(node.alpha, node.beta, node.ply, true);
        }
        self.counter.visit()?;
        if PV {
            self.pv.clear(node.ply as u32);
        }
        self.seldepth = self.seldepth.max(node.ply);
        if node.ply > 0
            && let Some(value) = self.terminal_value(node.ply).or_else(|| mate_distance(&mut node))
        {
            return Ok(value);
        }
        let excluded = self.stack(node.ply).excluded;
        // Evaluate first: often that is enough, and it hides the latency of the table probe.
        let eval = (!self.position.in_check()).then(|| self.static_eval(node.ply));
        if !PV
            && excluded == Move::NONE
            && let Some(eval) = eval
            && let Some(value) = node.reverse_futility(eval.corrected, eval.improving)
        {
            return Ok(value);
        }
        let entry = if excluded == Move::NONE { self.probe_table(node.ply) } else { None };
        if let Some(entry) = entry {
            if !PV && entry.depth >= node.depth && entry.cuts_off(node.alpha, node.beta) {
                self.reward_table_move(&node, entry);
                return Ok(entry.value);
            }
            // Most likely the first move searched.
            self.prefetch(entry.best);
        }
        if node.ply > 0
            && let Some(value) = self.probe_tablebase(node.ply)
        {
            return Ok(value);
        }
        let state = self.node_state::<PV>(&node, entry, excluded, eval);
        if !PV
            && !state.in_check
            && let Some(value) = self.prune_before_moves(&node, &state)?
        {
            return Ok(value);
        }
        // Internal iterative reduction: a node without a table move is searched less deeply.
        if (PV || node.cut_node) && node.depth >= params::iir_depth() && state.tt_move == Move::NONE
        {
            node.depth -= 1;
        }
        self.search_moves::<PV>(node, &state)
    }

    /// The value of a position that is decided by repetition, by the move limit, or by the maximum
    /// distance from the root.
    #[inline]
    fn terminal_value(&mut self, ply: usize) -> Option<i32> {
        if let Some(outcome) = self.position.repetition_outcome(ply) {
            let player = player(self.position.side());
            return Some(match outcome {
                Outcome::Draw => self.draw_value(),
                won => won.sign_for(player) * (REPETITION_WIN - ply as i32),
            });
        }
        if self.position.reached_move_limit() {
            let mate = self.position.legal_moves().is_empty();
            return Some(if mate { mated_in(ply) } else { self.draw_value() });
        }
        (ply >= MAX_PLY).then(|| self.evaluate())
    }

    /// The value of a position in the tablebase.
    #[inline]
    fn probe_tablebase(&self, ply: usize) -> Option<i32> {
        let tablebase = self.tablebase?;
        if self.position.piece_count() > tablebase.max_pieces() {
            return None;
        }
        let dtm = tablebase.probe(&self.position)?;
        let plies = dtm.plies().unwrap_or(0).into();
        Some(match dtm.wdl() {
            Wdl::Win => tablebase_win(plies, ply),
            Wdl::Draw => self.draw_value(),
            Wdl::Loss => -tablebase_win(plies, ply),
        })
    }

    #[inline]
    fn node_state<const PV: bool>(
        &mut self,
        node: &NodeWindow,
        entry: Option<TtEntry>,
        excluded: Move,
        static_eval: Option<StaticEval>,
    ) -> NodeState {
        let in_check = static_eval.is_none();
        let mut eval = static_eval.map_or(-INFINITE, |s| s.corrected);
        let improving = static_eval.is_some_and(|s| s.improving);
        self.stack(node.ply).static_eval = static_eval.map(|s| s.corrected);
        if !in_check
            && let Some(entry) = entry
            && !is_decisive(entry.value)
            && entry.improves_on(eval)
        {
            eval = entry.value;
        }
        if node.ply + 2 < MAX_PLY {
            self.stack(node.ply + 2).cutoffs = 0;
        }
        let mut tt_move = entry.map_or(Move::NONE, |e| e.best);
        if node.ply == 0 {
            // The last iteration's move comes first, so that an aborted iteration can only replace
            // it by a better one.
            tt_move = self.root_best_move.unwrap_or(tt_move);
        }
        let tt_pv = PV || entry.is_some_and(|e| e.tt_pv);
        NodeState { entry, tt_move, tt_pv, in_check, eval, improving, excluded }
    }

    fn search_moves<const PV: bool>(
        &mut self,
        node: NodeWindow,
        state: &NodeState,
    ) -> Result<i32, Stopped> {
        let ply = node.ply;
        let mut picker = self.move_picker(ply, state.tt_move);
        let mut moves = LoopResults::new(node.alpha);
        let mut checks = CheckInfo::default();
        while let Some(m) = picker.next(&self.position, self.histories, &mut checks) {
            if m == state.excluded {
                continue;
            }
            self.prefetch(m);
            let Some(gives_check) = checks.check(&self.position, m) else { continue };
            if ply == 0 && !self.root_moves.is_empty() && !self.root_moves.contains(&m) {
                continue;
            }
            moves.count += 1 + picker.take_dropped();
            let mv = self.move_state(m, gives_check, &picker, moves.count);
            if ply > 0
                && !is_decisive(moves.best_value)
                && (self.late_move_pruning(&node, state, &moves, &mv, &mut picker, &mut checks)
                    || self.prune_move(&node, state, &moves, &mv, &picker))
            {
                continue;
            }
            let extension =
                match self.extension::<PV>(&node, state, &mv, moves.count == 1, &mut checks)? {
                    Extension::Plies(plies) => plies,
                    Extension::MultiCut(value) => return Ok(value),
                };
            let value = self.search_move::<PV>(&node, state, &moves, &mv, extension)?;
            if value > moves.best_value {
                moves.best_value = value;
                if value > moves.alpha {
                    moves.best_move = m;
                    if PV {
                        self.pv.set(ply as u32, m);
                    }
                    if value >= node.beta {
                        break;
                    }
                    moves.alpha = value;
                }
            }
            let searched = if mv.capture { &mut moves.captures } else { &mut moves.quiets };
            let _ = searched.try_push(m);
        }
        if moves.count == 0 {
            // Checkmate or stalemate, which both lose; or the excluded move is the only one.
            return Ok(if state.excluded == Move::NONE { mated_in(ply) } else { node.alpha });
        }
        self.update(&node, state, &moves);
        Ok(moves.best_value)
    }

    #[inline(always)]
    fn move_picker(&mut self, ply: usize, tt_move: Move) -> MovePicker {
        let previous = self.previous_moves(ply);
        let [first, second] = self.stack(ply).killers;
        let refutations = [first, second, self.histories.countermove(previous[0])];
        MovePicker::new(&self.position, MoveSelection::All, tt_move, refutations, previous)
    }

    #[inline]
    fn move_state(
        &self,
        m: Move,
        gives_check: bool,
        picker: &MovePicker,
        count: usize,
    ) -> MoveState {
        let capture = self.position.is_capture(m);
        let history = match picker.history() {
            Some(history) => history,
            None if count == 1 => 0,
            None if capture => self.histories.capture(&self.position, m),
            None => self.histories.quiet(&self.position, m, picker.previous()),
        };
        MoveState { m, capture, gives_check, history }
    }

    fn search_move<const PV: bool>(
        &mut self,
        node: &NodeWindow,
        state: &NodeState,
        moves: &LoopResults,
        mv: &MoveState,
        extension: i32,
    ) -> Result<i32, Stopped> {
        let (alpha, beta, ply) = (moves.alpha, node.beta, node.ply);
        let depth = node.depth - 1 + extension;
        let unreduced = params::lmr_moves() + usize::from(ply == 0);
        let reduction = if node.depth >= params::lmr_depth() && moves.count > unreduced {
            self.late_move_reduction(node, state, moves.count, mv)
        } else {
            0
        };
        if extension < 2 {
            let double_extensions = self.stack(ply).double_extensions;
            self.stack(ply + 1).double_extensions = double_extensions;
        }
        self.play(mv.m, ply, mv.gives_check);
        let result = if PV && moves.count == 1 {
            self.search_child::<PV>(alpha, beta, depth, ply, false)
        } else {
            self.zero_window::<PV>(node, alpha, depth, reduction)
        };
        self.position.undo();
        result
    }

    /// Searches with a zero window and reduced depth first; if the value exceeds alpha, with full
    /// depth, and then with the full window.
    fn zero_window<const PV: bool>(
        &mut self,
        node: &NodeWindow,
        alpha: i32,
        depth: i32,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        let ply = node.ply;
        let reduced = (depth - reduction).clamp(1.min(depth), depth);
        let cut_node = reduced < depth || !node.cut_node;
        let mut value = self.search_child::<false>(alpha, alpha + 1, reduced, ply, cut_node)?;
        if value > alpha && reduced < depth {
            value = self.search_child::<false>(alpha, alpha + 1, depth, ply, !node.cut_node)?;
        }
        if PV && value > alpha && value < node.beta {
            value = self.search_child::<true>(alpha, node.beta, depth, ply, false)?;
        }
        Ok(value)
    }

    #[inline]
    fn search_child<const PV: bool>(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<i32, Stopped> {
        if PV && depth <= 0 {
            self.pv.clear(ply as u32 + 1);
        }
        let child = NodeWindow { alpha: -beta, beta: -alpha, depth, ply: ply + 1, cut_node };
        Ok(-self.search_node::<PV>(child)?)
    }
}

/// Mate distance pruning: narrows the window to the mates still possible below this node; returns
/// the node's value if the window is empty.
#[inline]
fn mate_distance(node: &mut NodeWindow) -> Option<i32> {
    node.alpha = node.alpha.max(mated_in(node.ply));
    node.beta = node.beta.min(MATE - node.ply as i32 - 1);
    (node.alpha >= node.beta).then_some(node.alpha)
}

impl XiangqiWorker<'_> {
    /// Stores the node's result in the table, the histories and the correction history.
    pub(super) fn update(&mut self, node: &NodeWindow, state: &NodeState, moves: &LoopResults) {
        let NodeWindow { depth, ply, .. } = *node;
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
            && !(bound == EntryBound::Lower && value <= eval)
            && !(bound == EntryBound::Upper && value >= eval)
        {
            self.histories.correction.update(&self.position, depth, value - eval);
        }
    }

    /// Rewards the move that caused a beta cut-off, and penalises those searched before it.
    fn update_histories(&mut self, node: &NodeWindow, moves: &LoopResults) {
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
    pub(super) fn reward_table_move(&mut self, node: &NodeWindow, entry: TtEntry) {
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
