//! Iterative deepening from the root, on several threads.

use super::flip_selection::remove_similar_flips;
use super::params;
use super::score::{DECISIVE, PLY_COST, WIN};
use super::worker::{DarkChessWorker, MAX_DEPTH, SearchMode};
use crate::evaluation::DarkChessNetworkEvaluator;
use crate::evaluation::features::DarkChessNetwork;
use crate::evaluator::{pack, unpack};
use crate::piece_values::piece_values;
use crate::tablebase::DarkChessTablebase;
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_games::game::Game;
use agon_games::rng;
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;
use agon_search::threads;
use agon_search::transposition::{Entry, EntryBound, TranspositionTable};
use std::sync::Arc;

/// The maximum length of the reported principal variation.
const MAX_PV: usize = 12;

/// The searcher.
pub struct DarkChessSearch {
    /// The transposition table.
    pub tt: TranspositionTable,
    /// Exact values of endgames.
    pub tablebase: Option<Arc<DarkChessTablebase>>,
    /// The network of the static evaluation.
    pub network: Arc<DarkChessNetwork>,
    /// The number of threads, which share the transposition table (lazy SMP).
    pub threads: usize,
    /// The seed of the order of equal root moves.
    pub seed: u64,
    /// The purpose of the search.
    pub mode: SearchMode,
}

impl Searcher<DarkChess> for DarkChessSearch {
    fn run(
        &mut self,
        root: &Root<DarkChess>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<DarkMove>),
    ) -> SearchResult<DarkMove> {
        self.tt.new_search();
        let best = std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let mut worker = self.worker(root, clock);
                let seed = self.seed;
                // Every other helper searches one ply deeper, to diversify the threads.
                let started = threads::spawn(scope, move || {
                    let extra = helper as u32 % 2;
                    worker.deepen(root, seed ^ helper as u64, extra, &mut |_| {})
                });
                if started.is_err() {
                    break;
                }
            }
            let mut worker = self.worker(root, clock);
            let best = worker.deepen(root, self.seed, 0, report);
            drop(worker);
            clock.halt();
            best
        });
        SearchResult { nodes: clock.visited(), ..best }
    }

    fn new_game(&mut self) {
        self.tt.clear();
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.tt.hashfull())
    }
}

impl DarkChessSearch {
    fn worker<'a>(&'a self, root: &Root<DarkChess>, clock: &'a Clock) -> DarkChessWorker<'a> {
        let history = (root.game().mover(), root.record().hashes());
        let counter = NodeCounter::new(clock);
        let evaluator = DarkChessNetworkEvaluator::new(self.network.clone());
        let exact = (evaluator, self.tablebase.as_deref());
        DarkChessWorker::new(&self.tt, exact, counter, self.mode, history)
    }
}

impl DarkChessWorker<'_> {
    /// Iterative deepening from the root; `extra` is added to the depth of every iteration.
    fn deepen(
        &mut self,
        root: &Root<DarkChess>,
        seed: u64,
        extra: u32,
        report: &mut dyn FnMut(&SearchResult<DarkMove>),
    ) -> SearchResult<DarkMove> {
        let mut game = *root.game();
        let mut moves = self.root_moves(root, seed);
        let mut best = SearchResult::unknown(moves[0]);
        let clock = self.counter.clock();
        let mut max_depth = clock.depth().min(MAX_DEPTH);
        if moves.len() == 1 {
            max_depth = 1;
        } else if game.colour_to_move().is_none() && self.mode == SearchMode::Play {
            max_depth = max_depth.min(params::first_flip_depth());
        }
        for depth in clock.first_depth()..=max_depth {
            let finished = self.iterate(&mut game, depth + extra, &mut moves, &mut best).is_ok();
            best.nodes = self.counter.nodes();
            best.seldepth = self.seldepth;
            if !finished {
                break;
            }
            if !root.is_restricted() {
                self.store_root(&game, depth + extra, &best);
            }
            best.depth = depth;
            best.moves = self.principal_variation(&game, best.best());
            report(&best);
            if self.is_decided(&best, depth) || clock.past_soft_limit(params::time_percent()) {
                break;
            }
        }
        best
    }

    /// Whether a deeper search is unlikely to change the move.
    fn is_decided(&self, best: &SearchResult<DarkMove>, depth: u32) -> bool {
        let plies_to_end = (WIN - best.value.abs()) / PLY_COST;
        self.mode == SearchMode::Play
            && best.value.abs() >= DECISIVE
            && (self.tablebase.is_some() && depth >= params::tablebase_depth()
                || plies_to_end <= depth as i32)
    }

    /// The root moves sorted by score, equal ones shuffled; one flip for each surroundings.
    fn root_moves(&mut self, root: &Root<DarkChess>, seed: u64) -> Vec<DarkMove> {
        let game = root.game();
        let mut moves = root.allowed_moves();
        let mut stream = rng::stream(seed, game.hash(), "best order");
        rng::shuffle(&mut stream, &mut moves);
        if self.mode == SearchMode::Play {
            remove_similar_flips(game, &mut moves);
        }
        let tt_move = self.tt.probe(game.hash()).and_then(|e| e.packed);
        let values = piece_values(game);
        moves.sort_by_cached_key(|&m| std::cmp::Reverse(self.score(game, m, 0, tt_move, &values)));
        moves
    }

    fn store_root(&self, game: &DarkChess, depth: u32, best: &SearchResult<DarkMove>) {
        let (bound, packed) = (EntryBound::Exact, Some(pack(best.best())));
        self.tt.store(game.hash(), Entry { value: best.value, bound, depth, packed });
    }

    /// The principal variation from the transposition table, up to the next flip.
    fn principal_variation(&self, game: &DarkChess, first: DarkMove) -> Vec<DarkMove> {
        let mut line = vec![first];
        let mut next = *game;
        next.play(first);
        while line.len() < MAX_PV && next.turn().player().is_some() {
            let entry = self.tt.probe(next.hash());
            let m = entry.and_then(|e| e.packed).and_then(unpack);
            let Some(m) = m.filter(|&m| next.is_legal(m)) else { break };
            line.push(m);
            next.play(m);
        }
        line
    }
}
