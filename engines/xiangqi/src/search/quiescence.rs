//! The leaves: captures that lose nothing, at first also checks, and every way out of a check,
//! until nothing is left hanging.

use super::history::corrected;
use super::params;
use super::picker::{Picker, Which};
use super::score::{INFINITE, MOST_PLIES, is_decided, mated};
use super::table::Entry;
use super::worker::Worker;
use crate::position::{CheckInfo, Move, SEE_VALUES};
use agon_search::clock::Stopped;
use agon_search::transposition::Bound;

impl Worker<'_> {
    /// The value of the position when only forcing moves are made. `fresh`: the first ply of them.
    pub(super) fn quiesce(
        &mut self,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        fresh: bool,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        if ply >= MOST_PLIES {
            return Ok(self.evaluate(ply));
        }
        let in_check = self.position.in_check();
        // Asked for first, so that it is there when the value is.
        let error = self.histories.error(&self.position);
        let standing = (!in_check).then(|| corrected(self.evaluate(ply), error));
        // Many leaves end here, and are not worth a look into the table, nor a place there.
        if let Some(value) = standing
            && value >= beta
        {
            return Ok(value);
        }
        // Further down it answers too seldom to be waited for.
        let entry = if fresh { self.table.probe(self.position.key(), ply) } else { None };
        if beta - alpha == 1
            && let Some(entry) = entry
            && entry.answers(alpha, beta)
        {
            return Ok(entry.value);
        }
        let mut best = mated(ply);
        let mut floor = -INFINITE;
        if let Some(estimate) = standing {
            best = estimate;
            // What the table knows is better than the static value, where it says enough.
            if let Some(entry) = entry
                && !is_decided(entry.value)
                && entry.betters(best)
            {
                best = entry.value;
            }
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
            floor = best + params::qs_margin();
        }
        let which = match (in_check, fresh) {
            (true, _) => Which::All,
            (false, true) => Which::CapturesAndChecks,
            (false, false) => Which::Captures(0),
        };
        let table_move = entry.map_or(Move::NONE, |e| e.best);
        let before = self.before(ply);
        let mut picker = Picker::new(&self.position, which, table_move, [Move::NONE; 3], before);
        let mut check_info = CheckInfo::default();
        let mut best_move = Move::NONE;
        while let Some(m) = picker.next(&self.position, self.histories, &mut check_info) {
            self.histories.prefetch(self.position.key_after(m));
            let Some(check) = check_info.check(&self.position, m) else { continue };
            if !in_check
                && !is_decided(best)
                && let Some(victim) = self.position.victim(m)
            {
                let hope = floor + SEE_VALUES[victim.index()];
                if hope <= alpha && !check {
                    best = best.max(hope);
                    continue;
                }
            }
            self.play(m, ply, check);
            let result = self.quiesce(-beta, -alpha, ply + 1, false);
            self.position.undo();
            let value = -result?;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = m;
                    if value >= beta {
                        break;
                    }
                }
            }
            // One way out that does not lose is enough to look at quiet ones no further.
            if in_check && !is_decided(best) {
                picker.skip_quiets();
            }
        }
        if fresh {
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            let entry = Entry { value: best, bound, depth: 0, best: best_move, principal: false };
            self.table.store(self.position.key(), ply, entry);
        }
        Ok(best)
    }
}
