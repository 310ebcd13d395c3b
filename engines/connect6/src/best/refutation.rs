//! The solver's searches for the opponent's wins after stones of the side to move, on several
//! threads.

use crate::board::{PointSet, WindowBoard};
use crate::proof::Step;
use crate::solver::{SolverSettings, ThreatSearch, Verdict, WinKind};
use agon_search::clock::Clock;
use agon_search::threads;
use arrayvec::ArrayVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// At most two stones of the side to move, in ascending order: a whole turn, or a part of one.
pub type PartialTurn = ArrayVec<u16, 2>;

/// What the solver finds after some stones of the side to move.
#[derive(Clone, Debug)]
pub enum RefutationCheck {
    /// The search was stopped, or never started.
    Unchecked,
    /// The opponent has no win within the limits.
    Holds,
    /// The opponent wins.
    Refuted(Refutation),
}

/// A win of the opponent.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The win.
    pub win: Arc<Step>,
    /// How many single threats it has at most on a path; each gives the defender a free stone.
    single_threats: usize,
    /// The stones that the solver placed to find it.
    pub effort: u64,
}

/// The searches of a position.
#[derive(Clone, Copy)]
pub struct Refuter<'a> {
    /// The position.
    pub board: &'a WindowBoard,
    /// The colour of the side to move.
    pub us: usize,
    /// The number of threads.
    pub threads: usize,
    /// Ends all searches.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Counts the nodes.
    pub clock: &'a Clock,
    /// The count of nodes at which all searches end.
    pub last_node: u64,
}

impl Refuter<'_> {
    /// Searches for the opponent's win after these stones.
    pub fn check(&self, stones: &[u16], settings: SolverSettings) -> RefutationCheck {
        let left = self.last_node.saturating_sub(self.clock.visited());
        if left == 0 || (self.stop)() {
            return RefutationCheck::Unchecked;
        }
        let board = self.after(stones);
        let search = ThreatSearch::new(&board, 1 - self.us, settings).within(left);
        let solution = search.search(&|| (self.stop)());
        self.clock.count(solution.counters.nodes);
        match solution.verdict {
            Verdict::Win { kind, proof } => RefutationCheck::Refuted(Refutation {
                win: proof,
                single_threats: match kind {
                    WinKind::DoubleThreats => 0,
                    _ => settings.single_threats as usize,
                },
                effort: solution.counters.stones,
            }),
            _ if solution.counters.nodes >= left || (self.stop)() => RefutationCheck::Unchecked,
            _ => RefutationCheck::Holds,
        }
    }

    /// [`Refuter::check`] of every element, in order of the list. `each` is called with each result,
    /// in any order if there are several threads.
    pub fn check_all(
        &self,
        list: &[PartialTurn],
        settings: SolverSettings,
        each: &(dyn Fn(&RefutationCheck) + Sync),
    ) -> Vec<RefutationCheck> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut found: Vec<(usize, RefutationCheck)> = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(stones) = list.get(index) else { return found };
                let check = self.check(stones, settings);
                each(&check);
                found.push((index, check));
            }
        };
        let mut all = vec![RefutationCheck::Unchecked; list.len()];
        let mut note = |found: Vec<(usize, RefutationCheck)>| {
            found.into_iter().for_each(|(index, check)| all[index] = check);
        };
        if self.threads < 2 {
            note(work());
            return all;
        }
        std::thread::scope(|scope| {
            let helpers = (1..self.threads).map_while(|_| threads::spawn(scope, work).ok());
            let helpers: Vec<_> = helpers.collect();
            note(work());
            // What a thread that panicked has checked stays unchecked.
            helpers.into_iter().filter_map(|h| h.join().ok()).for_each(&mut note);
        });
        all
    }

    /// The relevance zone of a win after these stones, while `free` stones may still be placed: only
    /// stones in it may stop the win.
    pub fn zone(&self, stones: &[u16], refutation: &Refutation, free: usize) -> PointSet {
        let board = self.after(stones);
        let search = ThreatSearch::new(&board, 1 - self.us, SolverSettings::default());
        search.zone(&refutation.win, free + refutation.single_threats)
    }

    fn after(&self, stones: &[u16]) -> WindowBoard {
        let mut board = self.board.clone();
        stones.iter().for_each(|p| board.place(self.us, *p));
        board
    }
}
