//! Quiescence search until the position is quiet: captures that lose nothing, checks on the first
//! ply, and all check evasions.

use super::move_picker::{MovePicker, MoveSelection};
use super::params;
use super::static_eval::corrected;
use super::transposition::{INFINITE, MAX_PLY, TtEntry, is_decisive, mated_in};
use super::worker::XiangqiWorker;
use crate::position::{CheckInfo, Move, SEE_VALUES};
use agon_search::clock::Stopped;
use agon_search::transposition::EntryBound;

/// The state of a quiescence node.
struct Quiescence {
    alpha: i32,
    beta: i32,
    ply: usize,
    /// Whether this is the first ply of quiescence.
    first: bool,
    in_check: bool,
    best_value: i32,
    best_move: Move,
    /// Futility pruning: a capture is skipped if its gain plus this does not reach alpha.
    futility_base: i32,
}

impl XiangqiWorker<'_> {
    /// The value of the position when only forcing moves are made. `first`: whether this is the
    /// first ply of quiescence.
    pub(super) fn quiesce(
        &mut self,
        alpha: i32,
        beta: i32,
        ply: usize,
        first: bool,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let in_check = self.position.in_check();
        // Read first, so that the load completes during the evaluation.
        let correction = self.histories.correction.get(&self.position);
        let stand_pat = (!in_check).then(|| corrected(self.evaluate(), correction));
        // Many leaves end here; a table probe or store would not pay off.
        if let Some(value) = stand_pat
            && value >= beta
        {
            return Ok(value);
        }
        // Deeper, the table hits too rarely to wait for it.
        let entry = if first { self.probe_table(ply) } else { None };
        if beta - alpha == 1
            && let Some(entry) = entry
            && entry.cuts_off(alpha, beta)
        {
            return Ok(entry.value);
        }
        let mut q = Quiescence {
            alpha,
            beta,
            ply,
            first,
            in_check,
            best_value: mated_in(ply),
            best_move: Move::NONE,
            futility_base: -INFINITE,
        };
        if let Some(value) = stand_pat
            && q.stand_pat(value, entry)
        {
            return Ok(q.best_value);
        }
        self.quiesce_moves(&mut q, entry.map_or(Move::NONE, |e| e.best))?;
        if first {
            let bound = if q.best_value >= beta { EntryBound::Lower } else { EntryBound::Upper };
            let (value, best) = (q.best_value, q.best_move);
            let entry = TtEntry { value, bound, depth: 0, best, tt_pv: false };
            entry.store(self.tt, self.position.key(), ply);
        }
        Ok(q.best_value)
    }

    #[inline]
    fn quiesce_moves(&mut self, q: &mut Quiescence, tt_move: Move) -> Result<(), Stopped> {
        let selection = match (q.in_check, q.first) {
            (true, _) => MoveSelection::All,
            (false, true) => MoveSelection::CapturesAndChecks,
            (false, false) => MoveSelection::Captures(0),
        };
        let previous = self.previous_moves(q.ply);
        let mut picker =
            MovePicker::new(&self.position, selection, tt_move, [Move::NONE; 3], previous);
        let mut checks = CheckInfo::default();
        while let Some(m) = picker.next(&self.position, self.histories, &mut checks) {
            self.histories.eval_cache.prefetch(self.position.key_after(m));
            let Some(gives_check) = checks.check(&self.position, m) else { continue };
            if !q.in_check
                && !is_decisive(q.best_value)
                && let Some(victim) = self.position.victim(m)
            {
                let optimistic = q.futility_base + SEE_VALUES[victim.index()];
                if optimistic <= q.alpha && !gives_check {
                    q.best_value = q.best_value.max(optimistic);
                    continue;
                }
            }
            self.play(m, q.ply, gives_check);
            let result = self.quiesce(-q.beta, -q.alpha, q.ply + 1, false);
            self.position.undo();
            if q.update(m, -result?) {
                break;
            }
            // One evasion that does not lose is enough to skip the quiet ones.
            if q.in_check && !is_decisive(q.best_value) {
                picker.skip_quiets();
            }
        }
        Ok(())
    }
}

impl Quiescence {
    /// Stand pat: takes the static evaluation, or a better value from the table, as a lower bound.
    /// Returns whether it reaches beta.
    #[inline]
    fn stand_pat(&mut self, static_eval: i32, entry: Option<TtEntry>) -> bool {
        self.best_value = static_eval;
        if let Some(entry) = entry
            && !is_decisive(entry.value)
            && entry.improves_on(static_eval)
        {
            self.best_value = entry.value;
        }
        self.alpha = self.alpha.max(self.best_value);
        self.futility_base = self.best_value + params::qs_margin();
        self.best_value >= self.beta
    }

    /// Records the value of a move; returns whether it reaches beta.
    #[inline]
    fn update(&mut self, m: Move, value: i32) -> bool {
        if value > self.best_value {
            self.best_value = value;
            if value > self.alpha {
                self.alpha = value;
                self.best_move = m;
            }
        }
        value >= self.beta
    }
}
