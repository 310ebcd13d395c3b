//! The search of `Algorithm=best`: principal variation search on its own board, with a
//! transposition table, null-move pruning, reductions, extensions, histories, a tablebase, and
//! repetition rules inside the tree.
//!
//! Threads search the same root and share the table (lazy SMP); the result is that of the thread
//! with the deepest completed iteration. With one thread and a depth or node limit the search is
//! deterministic.
//!
//! `iterative_deepening` calls `node`, which calls `pruning` (with reductions and extensions) and
//! `quiescence`, and orders moves with `move_picker`.

mod histories;
mod iterative_deepening;
mod move_picker;
mod node;
pub mod params;
mod pruning;
mod quiescence;
mod scored_moves;
mod static_eval;
mod tablebase;
#[cfg(test)]
mod tests;
mod transposition;
mod worker;

pub use tablebase::SearchTablebase;

use crate::evaluation::built_in;
use crate::evaluation::features::XiangqiNetwork;
use crate::position::{Move, Position};
use agon_games::xiangqi::{Xiangqi, XiangqiMove};
use agon_search::clock::Clock;
use agon_search::lazy_smp;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use histories::Histories;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use worker::XiangqiWorker;

/// Settings of a search; by default one thread, a small table and the program's own network.
#[derive(Clone)]
pub struct SearchSettings {
    /// Search threads sharing the table.
    pub threads: usize,
    /// The transposition table's size in MiB.
    pub hash: usize,
    /// The endgame tablebase, if there is one.
    pub tablebase: Option<Arc<dyn SearchTablebase>>,
    /// The network of the evaluation.
    pub network: Arc<XiangqiNetwork>,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings { threads: 1, hash: 2, tablebase: None, network: built_in() }
    }
}

/// The searcher.
pub struct XiangqiSearch {
    settings: SearchSettings,
    tt: TranspositionTable,
    /// The move histories of each thread in this game.
    histories: Vec<Histories>,
}

impl XiangqiSearch {
    /// A searcher with an empty table.
    ///
    /// # Errors If there is not enough memory for a table of this size.
    pub fn new(settings: SearchSettings) -> Result<XiangqiSearch, AllocationError> {
        let tt = TranspositionTable::new(settings.hash)?;
        let histories = (0..settings.threads.max(1))
            .map(|_| Histories::new(settings.network.clone()))
            .collect();
        Ok(XiangqiSearch { settings, tt, histories })
    }
}

impl Searcher<Xiangqi> for XiangqiSearch {
    fn run(
        &mut self,
        root: &Root<Xiangqi>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<XiangqiMove>),
    ) -> SearchResult<XiangqiMove> {
        self.tt.new_search();
        let mut position = Position::from_record(root.record());
        let (tt, tablebase) = (&self.tt, self.settings.tablebase.as_deref());
        let mut root_moves: Vec<Move> = if root.is_restricted() {
            root.allowed_moves().into_iter().map(Move::from_rules).collect()
        } else {
            Vec::new()
        };
        if let Some(tablebase) = tablebase {
            if root_moves.is_empty() {
                root_moves.extend(position.legal_moves());
            }
            root_moves = tablebase::filter_root_moves(tablebase, &mut position, &root_moves);
        }
        let root_moves = root_moves.as_slice();
        let worker = |histories| {
            let mut worker = XiangqiWorker::new(position.clone(), tt, histories, tablebase, clock);
            worker.root_moves = root_moves;
            worker.is_root_restricted = root.is_restricted();
            worker
        };
        let fallback = root_moves.first().map_or_else(|| root.first_move(), |m| m.to_rules());
        let Some((mine, others)) = self.histories.split_first_mut() else {
            return SearchResult::unknown(root.first_move());
        };
        let finished = &AtomicU32::new(clock.first_depth() - 1);
        let helpers = (1..).zip(others).map(|(thread, histories)| {
            let worker = worker(histories);
            move || worker.deepen(thread, fallback, finished, &mut |_| {})
        });
        lazy_smp::search(clock, helpers, || worker(mine).deepen(0, fallback, finished, report))
    }

    fn new_game(&mut self) {
        self.tt.clear();
        let network = &self.settings.network;
        self.histories.iter_mut().for_each(|h| *h = Histories::new(network.clone()));
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.tt.hashfull())
    }
}
