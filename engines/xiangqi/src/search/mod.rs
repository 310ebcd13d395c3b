//! The tournament search: principal variation search over the search's own board, with a shared
//! table, null moves, reductions, pruning, extensions, histories, and the rules of repetition
//! inside the tree.
//!
//! Threads search the same root and share the table (lazy SMP); whose iteration is deepest when
//! time is up has the word. With one thread and a depth or node limit the search is deterministic.

mod deepen;
mod history;
mod learn;
mod node;
mod oracle;
pub mod params;
mod picker;
mod prune;
mod quiescence;
mod reduce;
pub mod score;
mod table;
#[cfg(test)]
mod tests;
mod worker;

pub use oracle::{Known, Oracle};

use crate::position::{Move, Position};
use agon_protocol::xiangqi::{Xiangqi, XiangqiMove};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::AllocationError;
use history::Histories;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use table::Table;
use worker::Worker;

/// What is chosen about a search.
#[derive(Clone, Default)]
pub struct Settings {
    /// Search threads sharing the table.
    pub threads: usize,
    /// The table's size in MiB.
    pub hash: usize,
    /// What knows endgames, if anything does.
    pub oracle: Option<Arc<dyn Oracle>>,
}

/// The searcher.
pub struct Tournament {
    settings: Settings,
    table: Table,
    /// What each thread has learned in this game.
    memories: Vec<Histories>,
}

impl Tournament {
    /// A searcher with an empty table.
    pub fn new(settings: Settings) -> Result<Tournament, AllocationError> {
        let table = Table::new(settings.hash)?;
        let memories = (0..settings.threads.max(1)).map(|_| Histories::new()).collect();
        Ok(Tournament { settings, table, memories })
    }
}

impl Searcher<Xiangqi> for Tournament {
    fn run(
        &mut self,
        root: &Root<Xiangqi>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<XiangqiMove>),
    ) -> SearchResult<XiangqiMove> {
        self.table.new_search();
        let mut position = Position::from_record(root.record());
        let (table, oracle) = (&self.table, self.settings.oracle.as_deref());
        let mut root_moves: Vec<Move> = if root.is_restricted() {
            root.allowed_moves().into_iter().map(Move::from_rules).collect()
        } else {
            Vec::new()
        };
        if let Some(oracle) = oracle {
            if root_moves.is_empty() {
                root_moves.extend(position.legal_moves());
            }
            root_moves = oracle::choose(oracle, &mut position, &root_moves);
        }
        let root_moves = root_moves.as_slice();
        let worker = |memory| {
            let mut worker = Worker::new(position.clone(), table, memory, oracle, clock);
            worker.root_moves = root_moves;
            worker
        };
        let fallback = root_moves.first().map_or_else(|| root.first_move(), |m| m.to_rules());
        let Some((mine, others)) = self.memories.split_first_mut() else {
            return SearchResult::unknown(root.first_move());
        };
        let reached = &AtomicU32::new(clock.first_depth() - 1);
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .enumerate()
                .map(|(i, memory)| {
                    let worker = worker(memory);
                    scope.spawn(move || worker.deepen(i + 1, fallback, reached, &mut |_| {}))
                })
                .collect();
            let mut line = worker(mine).deepen(0, fallback, reached, report);
            clock.halt();
            for helper in helpers {
                // A helper that panicked has nothing to say; the main thread's line stands.
                line = helper.join().ok().filter(|l| l.depth > line.depth).unwrap_or(line);
            }
            line.nodes = clock.visited();
            line
        })
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(|m| *m = Histories::new());
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.table.hashfull())
    }
}
