//! The strongest generic search of the alpha-beta family: principal variation search with iterative
//! deepening, aspiration windows, a transposition table, staged move generation, futility and
//! reverse futility pruning, killers, history, late-move reductions, and parallel search.
//!
//! It is deterministic with one thread and a depth or node limit. With
//! [`SelectiveSettings::selectivity`] set to `None` it returns the value of plain negamax with any
//! number of threads.

mod node;
pub mod params;
mod settings;
mod split;
mod state;
mod worker;

pub use settings::{SelectiveSettings, Selectivity};

use crate::clock::{Clock, Stopped};
use crate::evaluator::StagedMoves;
use crate::ordering::History;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::{INFINITE, MAX_DEPTH, WIN, is_decisive};
use crate::searcher::Searcher;
use crate::transposition::TranspositionTable;
use agon_games::Game;
use agon_wire::message::Bound;
use state::{Memory, Node, Pool};
use std::sync::Arc;
use std::time::Duration;
use worker::Worker;

/// The searcher.
pub struct SelectiveSearch<G: Game, E: StagedMoves<G>> {
    settings: SelectiveSettings,
    evaluator: E,
    table: TranspositionTable,
    /// The state of each thread in this game.
    memories: Vec<Memory<G, E>>,
}

impl<G: Game, E: StagedMoves<G>> SelectiveSearch<G, E> {
    /// A searcher with an empty table.
    pub fn new(evaluator: E, table: TranspositionTable, settings: SelectiveSettings) -> Self {
        let threads = settings.threads.max(1);
        let memories = memories(&evaluator, threads);
        SelectiveSearch { settings, evaluator, table, memories }
    }
}

/// The state of threads in a new game.
fn memories<G: Game, E: StagedMoves<G>>(evaluator: &E, threads: usize) -> Vec<Memory<G, E>> {
    let history = Arc::new(History::default());
    (0..threads).map(|_| Memory::new(evaluator.clone(), Arc::clone(&history))).collect()
}

impl<G: Game, E: StagedMoves<G>> Searcher<G> for SelectiveSearch<G, E> {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        const { assert!(!G::HAS_CHANCE, "this search cannot treat chance: use expectimax") };
        self.table.new_search();
        let (settings, table) = (&self.settings, &self.table);
        let pool = Pool::new();
        let worker = |memory| Worker::new(root, table, memory, settings, &pool, clock);
        let Some((mine, others)) = self.memories.split_first_mut() else {
            return SearchResult::unknown(root.first_move());
        };
        mine.history.age();
        let helpers = others.iter_mut().map(|memory| {
            let worker = worker(memory);
            move || worker.help()
        });
        pool.run(helpers, || worker(mine).deepen(report))
    }

    fn new_game(&mut self) {
        self.table.clear();
        let evaluator = &self.evaluator;
        self.memories = memories(evaluator, self.memories.len());
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.table.hashfull())
    }
}

/// The thinking time after which bounds are reported: earlier they would only fill the screen.
pub const BOUNDS_FROM: Duration = Duration::from_millis(100);

impl<G: Game, E: StagedMoves<G>> Worker<'_, G, E> {
    /// Iterative deepening, until the clock expires or a result is proved.
    fn deepen(mut self, report: &mut dyn FnMut(&SearchResult<G::Move>)) -> SearchResult<G::Move> {
        let mut best = SearchResult::unknown(self.root.first_move());
        let mut values = [None; 2];
        let mut instability = 0;
        let clock = self.counter.clock();
        for depth in clock.first_depth()..=clock.depth().min(MAX_DEPTH) {
            // The value alternates with the parity of the depth, so the value of two iterations ago
            // is the better guess.
            let guess = values[depth as usize % 2].filter(|_| depth >= params::aspiration_depth());
            let finished = self.aspiration_search(depth, guess, &best, report);
            let before = best.best();
            if let Some(moves) = self.best_line() {
                best.moves = moves;
                self.root_best = Some(best.best());
            }
            self.counter.flush();
            best.nodes = self.counter.clock().visited();
            best.seldepth = self.seldepth;
            let Ok(value) = finished else { break };
            values[depth as usize % 2] = Some(value);
            (best.depth, best.value) = (depth, value);
            best.hashfull = Some(self.table.hashfull());
            report(&best);
            // Whoever gets the report may have counted nodes.
            self.counter.poll_next();
            instability =
                if best.best() == before { instability * 2 / 3 } else { params::time_change() };
            let proved =
                is_decisive(value) && (WIN - value.abs()) as u32 + params::proved_plies() < depth;
            if proved || self.counter.clock().past_soft_limit(params::time_base() + instability) {
                break;
            }
        }
        best
    }

    /// One iteration: an aspiration window around the guess, widened if the value is outside.
    /// A value outside is reported as a bound if the search has taken some time.
    fn aspiration_search(
        &mut self,
        depth: u32,
        guess: Option<i32>,
        before: &SearchResult<G::Move>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> Result<i32, Stopped> {
        let mut width = self.settings.aspiration;
        let most = params::aspiration_most();
        let (mut alpha, mut beta) = match guess {
            Some(value) if width > 0 && !is_decisive(value) => (value - width, value + width),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.node(Node { depth, ply: 0, alpha, beta }, None)?;
            width = width.saturating_mul(params::aspiration_factor());
            let low = value <= alpha && alpha > -INFINITE;
            let high = value >= beta && beta < INFINITE;
            if (low || high) && self.counter.clock().elapsed() >= BOUNDS_FROM {
                let bound = Some(if low { Bound::Upper } else { Bound::Lower });
                let moves = self.best_line().filter(|_| high);
                let moves = moves.unwrap_or_else(|| before.moves.clone());
                let nodes = self.counter.clock().visited();
                report(&SearchResult { depth, value, bound, nodes, moves, ..before.clone() });
                self.counter.poll_next();
            }
            if value <= alpha && alpha > -INFINITE {
                alpha = if width > most { -INFINITE } else { value - width };
            } else if value >= beta && beta < INFINITE {
                beta = if width > most { INFINITE } else { value + width };
            } else {
                return Ok(value);
            }
        }
    }
}
