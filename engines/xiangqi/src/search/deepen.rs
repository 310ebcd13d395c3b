//! Iterative deepening with aspiration windows, and when to stop.

use super::node::Task;
use super::params;
use super::score::{INFINITE, MATE, MOST_PLIES, for_report, is_decided, is_mate};
use super::worker::Worker;
use agon_protocol::xiangqi::XiangqiMove;
use agon_search::clock::Stopped;
use agon_search::result::SearchResult;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the last iterations say about how settled the choice is.
#[derive(Default)]
struct Settledness {
    changes: i32,
    value: Option<i32>,
    falling: i32,
}

impl Settledness {
    fn note(&mut self, changed: bool, value: i32) {
        self.changes = self.changes * 2 / 3 + if changed { params::time_change() } else { 0 };
        let before = self.value.replace(value).unwrap_or(value);
        self.falling = self.falling / 2
            + (before - value).clamp(-params::time_rise_step(), params::time_fall_step());
    }

    /// How much of the time planned should be used.
    fn percent(&self) -> u32 {
        let falling = self.falling.clamp(-params::time_rising(), params::time_falling());
        let percent = params::time_base() + self.changes + falling;
        percent.max(params::time_min()).min(params::time_max()) as u32
    }
}

impl Worker<'_> {
    /// Deepens until the clock or a proved result ends it. No thread begins an iteration that
    /// another has finished, and every second one works a ply ahead: what it leaves in the table
    /// the others find when they get there.
    pub(super) fn deepen(
        mut self,
        thread: usize,
        fallback: XiangqiMove,
        reached: &AtomicU32,
        report: &mut dyn FnMut(&SearchResult<XiangqiMove>),
    ) -> SearchResult<XiangqiMove> {
        let mut best = SearchResult::unknown(fallback);
        let mut value = None;
        let mut settled = Settledness::default();
        let deepest = self.counter.clock().depth().min(MOST_PLIES as u32 / 2);
        let ahead = (thread % 2) as u32;
        let moves = match self.root_moves.len() {
            0 => self.position.legal_moves().len(),
            n => n,
        };
        loop {
            let next = (reached.load(Ordering::Relaxed) + 1 + ahead).min(deepest);
            let depth = next.max(best.depth + 1);
            if depth > deepest {
                break;
            }
            let finished = self.aspire(depth as i32, value);
            let before = best.best();
            let line = self.variations.root();
            if !line.is_empty() {
                best.moves = line.iter().map(|m| m.to_rules()).collect();
                self.root_best = line.first().copied();
            }
            self.counter.flush();
            best.nodes = self.counter.clock().visited();
            best.seldepth = self.seldepth as u32;
            let Ok(found) = finished else { break };
            value = Some(found);
            (best.depth, best.value) = (depth, for_report(found));
            reached.fetch_max(depth, Ordering::Relaxed);
            report(&best);
            settled.note(best.best() != before, found);
            let proved = is_mate(found) && MATE - found.abs() + 6 < depth as i32;
            let percent = if moves == 1 { 10 } else { settled.percent() };
            if proved || self.counter.clock().past_soft_limit(percent) {
                break;
            }
        }
        best
    }

    /// One iteration: a narrow window around the last value, opened where the value falls outside.
    fn aspire(&mut self, depth: i32, guess: Option<i32>) -> Result<i32, Stopped> {
        self.root_depth = depth;
        let mut width = params::aspiration_width();
        let most = params::aspiration_most();
        let (mut alpha, mut beta) = match guess {
            Some(value) if depth >= params::aspiration_depth() && !is_decided(value) => {
                (value - width, value + width)
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut less = 0;
        loop {
            let depth = (depth - less).max(1);
            let value = self.node::<true>(Task { alpha, beta, depth, ply: 0, cut: false })?;
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if width > most { -INFINITE } else { (value - width).max(-INFINITE) };
                less = 0;
            } else if value >= beta && beta < INFINITE {
                beta = if width > most { INFINITE } else { (value + width).min(INFINITE) };
                less = (less + 1).min(params::aspiration_plies());
            } else {
                return Ok(value);
            }
            width += width / 2 + params::aspiration_step();
        }
    }
}
