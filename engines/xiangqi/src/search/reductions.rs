//! Late-move reductions (LMR): late moves are searched to a smaller depth first.

use super::params;
use super::state::{MoveState, Node, NodeState};
use super::worker::Worker;
use crate::position::Move;
use agon_search::params::TUNING;
use std::sync::LazyLock;

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

impl Worker<'_> {
    /// The reduction of a move in plies.
    pub(super) fn late_move_reduction(
        &self,
        node: &Node,
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
