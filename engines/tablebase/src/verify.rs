//! Verification of tablebases: parallel checks with counts, and two independent sources of values
//! for games without chance, a one-ply search over the tablebase and a plain forward search.

use crate::dtm::Dtm;
use crate::error::TablebaseError;
use crate::indexer::Monitor;
use agon_games::game::{Game, Turn};
use agon_games::hash::FastMap;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Counts that are summed over jobs.
pub trait VerifyCounts: Default + Send {
    /// The sum of both counts.
    #[must_use]
    fn join(self, other: Self) -> Self;
}

impl VerifyCounts for u64 {
    fn join(self, other: u64) -> u64 {
        self + other
    }
}

/// Runs `job` for each number below `jobs` on all threads of the current rayon pool, and sums the
/// counts.
///
/// # Errors
///
/// The first error of a job, or an interruption by the monitor.
pub fn count_all<C: VerifyCounts>(
    monitor: &Monitor<'_>,
    message: &'static str,
    jobs: u64,
    job: impl Fn(u64, &mut C) -> Result<(), TablebaseError> + Sync,
) -> Result<C, TablebaseError> {
    monitor.begin(message, jobs);
    let run = |i| {
        monitor.checkpoint()?;
        let mut counts = C::default();
        job(i, &mut counts)?;
        monitor.bar.inc(1);
        Ok(counts)
    };
    (0..jobs).into_par_iter().map(run).try_reduce(C::default, |a, b| Ok(a.join(b)))
}

/// The value of a position from the probed values of its successors, by the rules alone; `None` if
/// a successor has no value. For games without chance in which a player who cannot move loses.
pub fn one_ply<G: Game>(state: &G, probe: impl Fn(&G) -> Option<Dtm>) -> Option<Dtm> {
    if let Turn::Over(_) = state.turn() {
        return Some(Dtm::LOST);
    }
    let mut best = Dtm::LOST;
    let missing = state.visit_moves(&mut |m| {
        let mut next = state.clone();
        next.play(m);
        let value = match next.turn() {
            Turn::Over(_) => Some(Dtm::LOST),
            _ => probe(&next),
        };
        let Some(value) = value else { return ControlFlow::Break(()) };
        best = best.max(value.before());
        ControlFlow::Continue(())
    });
    (!missing.is_break()).then_some(best)
}

/// A plain forward search with memoization: rules and recursion, no indexes or symmetries.
#[derive(Default)]
pub struct ForwardSearch {
    known: FastMap<(u64, u8), i8>,
}

impl ForwardSearch {
    /// The value within `horizon` plies; a draw if the game does not end within them.
    pub fn value<G: Game>(&mut self, state: &G, horizon: u8) -> Dtm {
        (0..=horizon)
            .find(|&plies| self.within(state, plies) != 0)
            .map_or(Dtm::DRAW, |plies| Dtm::after(plies.into()))
    }

    /// 1 if the side to move can force a win within `plies`, -1 if the opponent can, 0 if neither
    /// can.
    pub fn within<G: Game>(&mut self, state: &G, plies: u8) -> i8 {
        let mover = match state.turn() {
            // The player to move has no move and has lost.
            Turn::Over(_) => return -1,
            Turn::Player(mover) if plies > 0 => mover,
            _ => return 0,
        };
        let key = (state.hash(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best = -1;
        let _ = state.visit_moves(&mut |m| {
            let mut next = state.clone();
            next.play(m);
            let reply = match next.turn() {
                Turn::Over(outcome) => outcome.sign_for(mover) as i8,
                _ => -self.within(&next, plies - 1),
            };
            best = best.max(reply);
            if best == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.known.insert(key, best);
        best
    }
}
