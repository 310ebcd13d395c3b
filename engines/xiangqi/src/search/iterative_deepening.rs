//! Iterative deepening with aspiration windows and time management.

use super::params;
use super::transposition::{INFINITE, MATE, MAX_PLY, is_decisive, is_mate, to_report};
use super::worker::{NodeWindow, XiangqiWorker};
use agon_games::xiangqi::XiangqiMove;
use agon_search::clock::Stopped;
use agon_search::result::SearchResult;
use agon_search::selective::BOUNDS_FROM;
use agon_wire::message::Bound;
use std::sync::atomic::{AtomicU32, Ordering};

/// Time management: the stability of best move and value over the last iterations.
#[derive(Default)]
struct Stability {
    /// Percent of the soft limit; increases when the best move changes, and decays.
    changes: i32,
    value: Option<i32>,
    /// The fall of the value in centipawns, decaying.
    falling: i32,
}

impl Stability {
    fn add_iteration(&mut self, changed: bool, value: i32) {
        self.changes = self.changes * 2 / 3 + if changed { params::time_change() } else { 0 };
        let before = self.value.replace(value).unwrap_or(value);
        self.falling = self.falling / 2
            + (before - value).clamp(-params::time_rise_step(), params::time_fall_step());
    }

    /// The percentage of the soft time limit to use.
    fn time_percent(&self) -> u32 {
        let falling = self.falling.clamp(-params::time_rising(), params::time_falling());
        let percent = params::time_base() + self.changes + falling;
        percent.max(params::time_min()).min(params::time_max()) as u32
    }
}

impl XiangqiWorker<'_> {
    /// Deepens until the clock expires or a mate is proved. With several threads (lazy SMP), no
    /// thread starts an iteration that another has finished, and every second thread searches one
    /// ply deeper: its table entries help the others when they reach that depth.
    pub(super) fn deepen(
        mut self,
        thread: usize,
        fallback: XiangqiMove,
        finished_depth: &AtomicU32,
        report: &mut dyn FnMut(&SearchResult<XiangqiMove>),
    ) -> SearchResult<XiangqiMove> {
        let mut best = SearchResult::unknown(fallback);
        let mut value = None;
        let mut stability = Stability::default();
        let max_depth = self.counter.clock().depth().min(MAX_PLY as u32 / 2);
        let ahead = (thread % 2) as u32;
        let move_count = match self.root_moves.len() {
            0 => self.position.legal_moves().len(),
            n => n,
        };
        loop {
            let next = (finished_depth.load(Ordering::Relaxed) + 1 + ahead).min(max_depth);
            let depth = next.max(best.depth + 1);
            if depth > max_depth {
                break;
            }
            let result = self.aspiration_search(depth as i32, value, &best, report);
            let before = best.best();
            let pv = self.pv.root();
            if !pv.is_empty() {
                best.moves = pv.iter().map(|m| m.to_rules()).collect();
                self.root_best_move = pv.first().copied();
            }
            self.counter.flush();
            best.nodes = self.counter.clock().visited();
            best.seldepth = self.seldepth as u32;
            let Ok(found) = result else { break };
            value = Some(found);
            (best.depth, best.value) = (depth, to_report(found));
            best.hashfull = Some(self.tt.hashfull());
            finished_depth.fetch_max(depth, Ordering::Relaxed);
            report(&best);
            stability.add_iteration(best.best() != before, found);
            let proved =
                is_mate(found) && MATE - found.abs() + params::proved_plies() < depth as i32;
            let percent =
                if move_count == 1 { params::time_only_move() } else { stability.time_percent() };
            if proved || self.counter.clock().past_soft_limit(percent) {
                break;
            }
        }
        best
    }

    /// One iteration: a narrow window around the last value, widened on the side where the search
    /// fails, which is reported as a bound if the search has taken some time. `before` is the result
    /// of the last iteration.
    fn aspiration_search(
        &mut self,
        depth: i32,
        last: Option<i32>,
        before: &SearchResult<XiangqiMove>,
        report: &mut dyn FnMut(&SearchResult<XiangqiMove>),
    ) -> Result<i32, Stopped> {
        self.root_depth = depth;
        let mut width = params::aspiration_width();
        let max_width = params::aspiration_most();
        let (mut alpha, mut beta) = match last {
            Some(value) if depth >= params::aspiration_depth() && !is_decisive(value) => {
                (value - width, value + width)
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut reduction = 0;
        loop {
            let depth = (depth - reduction).max(1);
            let root = NodeWindow { alpha, beta, depth, ply: 0, cut_node: false };
            let value = self.search_node::<true>(root)?;
            let failed = if value <= alpha && alpha > -INFINITE {
                Some(Bound::Upper)
            } else if value >= beta && beta < INFINITE {
                Some(Bound::Lower)
            } else {
                None
            };
            if failed.is_some() && self.counter.clock().elapsed() >= BOUNDS_FROM {
                let nodes = self.counter.clock().visited();
                let (depth, value) = (depth as u32, to_report(value));
                report(&SearchResult { depth, value, bound: failed, nodes, ..before.clone() });
            }
            if failed == Some(Bound::Upper) {
                beta = (alpha + beta) / 2;
                alpha = if width > max_width { -INFINITE } else { (value - width).max(-INFINITE) };
                reduction = 0;
            } else if failed == Some(Bound::Lower) {
                beta = if width > max_width { INFINITE } else { (value + width).min(INFINITE) };
                reduction = (reduction + 1).min(params::aspiration_plies());
            } else {
                return Ok(value);
            }
            width += width / 2 + params::aspiration_step();
        }
    }
}
