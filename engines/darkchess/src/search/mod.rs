//! The algorithm `best`: expectimax over flips, alpha-beta over everything else.
//!
//! Iterative deepening with a transposition table keyed on the board and on what lies face down;
//! principal variation search with late-move reductions; flips as chance nodes with Star1 and
//! Star2 (Ballard 1983), selected by what they are likely to show, all of them only at the root;
//! captures to the end at the leaves; exact values from the endgame table; a position that the
//! path has had before counts as a draw. Values are expected outcomes, so that averages over what
//! a flip may show are what they should be.

mod chance;
mod flips;
mod node;
mod order;
pub mod params;
mod quiet;
#[cfg(test)]
mod tests;

use crate::eval::UNIT;
use crate::tablebase::DarkChessTablebase;
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::Game;
use agon_protocol::{Player, rng};
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use std::sync::Arc;

/// The value of having won at the root itself.
pub const WIN: i32 = UNIT;
/// What a win loses with every ply that it takes.
pub const PLY: i32 = 100;
/// Values beyond this, either way, are forced results: no static value reaches it.
pub const DECIDED: i32 = WIN - 512 * PLY;
/// Searches go no deeper than this.
const DEEPEST: u32 = 100;
/// While nothing is known about the colours there is nothing to look far ahead for.
const FIRST_FLIP_DEPTH: u32 = 2;

/// How thoroughly to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// To win games.
    Play,
    /// For proofs: every flip, every move to the full depth, no static values: what is not over
    /// or in the endgame table at the horizon counts as a draw, and repetition is not looked at.
    Exact,
}

/// The searcher.
pub struct Best {
    /// The transposition table.
    pub table: TranspositionTable,
    /// Exact values at the leaves.
    pub endgames: Option<Arc<DarkChessTablebase>>,
    /// Threads that search together.
    pub threads: usize,
    /// Names the stream that orders equal first moves.
    pub seed: u64,
    /// How thoroughly.
    pub manner: Manner,
}

/// One thread's search.
struct Worker<'a> {
    trans: &'a TranspositionTable,
    endgames: Option<&'a DarkChessTablebase>,
    counter: NodeCounter<'a>,
    manner: Manner,
    /// The player to move at the root.
    root: Player,
    /// Hashes of the positions on the way here, those of the game first.
    path: Vec<u64>,
    history: Vec<[i32; order::KEYS]>,
    killers: Vec<[Option<DarkMove>; 2]>,
    /// Stacks: each node uses what it pushed and truncates to where it began.
    moves: Vec<(i32, DarkMove)>,
    outcomes: Vec<chance::Outcome>,
    seldepth: u32,
}

impl Searcher<DarkChess> for Best {
    fn run(
        &mut self,
        root: &Root<DarkChess>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<DarkMove>),
    ) -> SearchResult<DarkMove> {
        self.table.new_search();
        let best = std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let mut worker = self.worker(root, clock);
                let seed = self.seed;
                // Helpers fill the table; a ply ahead each other one, so that they spread.
                scope.spawn(move || {
                    let ahead = helper as u32 % 2;
                    worker.deepen(root, seed ^ helper as u64, ahead, &mut |_| {})
                });
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
        self.table.clear();
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.table.hashfull())
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}

impl Best {
    fn worker<'a>(&'a self, root: &Root<DarkChess>, clock: &'a Clock) -> Worker<'a> {
        Worker {
            trans: &self.table,
            endgames: self.endgames.as_deref(),
            counter: NodeCounter::new(clock),
            manner: self.manner,
            root: root.game().mover(),
            path: root.record().hashes().to_vec(),
            history: vec![[0; order::KEYS]; 2],
            killers: vec![[None; 2]; DEEPEST as usize + 64],
            moves: Vec::new(),
            outcomes: Vec::new(),
            seldepth: 0,
        }
    }
}

impl Worker<'_> {
    /// Iterative deepening from the root's position.
    fn deepen(
        &mut self,
        position: &Root<DarkChess>,
        seed: u64,
        ahead: u32,
        report: &mut dyn FnMut(&SearchResult<DarkMove>),
    ) -> SearchResult<DarkMove> {
        let mut game = *position.game();
        let mut root = self.root_moves(position, seed);
        let mut best = SearchResult::unknown(root[0]);
        let clock = self.counter.clock();
        let mut deepest = clock.depth().min(DEEPEST);
        if root.len() == 1 {
            deepest = 1;
        } else if game.colour_to_move().is_none() && self.manner == Manner::Play {
            deepest = deepest.min(FIRST_FLIP_DEPTH);
        }
        for depth in clock.first_depth()..=deepest {
            let finished = self.iterate(&mut game, depth + ahead, &mut root, &mut best).is_ok();
            best.nodes = self.counter.nodes();
            best.seldepth = self.seldepth;
            if !finished {
                break;
            }
            best.depth = depth;
            best.moves = self.principal_variation(&game, best.best());
            report(&best);
            if self.settled(&best, depth) || clock.past_soft_limit(params::time_percent()) {
                break;
            }
        }
        best
    }

    /// Whether deeper searches can hardly change the move.
    fn settled(&self, best: &SearchResult<DarkMove>, depth: u32) -> bool {
        let distance = (WIN - best.value.abs()) / PLY;
        self.manner == Manner::Play
            && best.value.abs() >= DECIDED
            && (self.endgames.is_some() && depth >= 6 || distance <= depth as i32)
    }

    /// All moves, equal ones in an order drawn by lot, of flips that are hardly different only
    /// one.
    fn root_moves(&mut self, position: &Root<DarkChess>, seed: u64) -> Vec<DarkMove> {
        let game = position.game();
        let mut moves = position.allowed_moves();
        let mut stream = rng::stream(seed, game.hash(), "best order");
        rng::shuffle(&mut stream, &mut moves);
        if self.manner == Manner::Play {
            flips::keep_different(game, &mut moves);
        }
        let known = self.trans.probe(game.hash()).and_then(|e| e.packed);
        let mut scored: Vec<_> =
            moves.into_iter().map(|m| (self.score(game, m, 0, known), m)).collect();
        scored.sort_by_key(|s| std::cmp::Reverse(s.0));
        scored.into_iter().map(|s| s.1).collect()
    }

    /// What the table says about the continuation, as far as no flip intervenes.
    fn principal_variation(&self, game: &DarkChess, first: DarkMove) -> Vec<DarkMove> {
        let mut line = vec![first];
        let mut next = *game;
        next.play(first);
        while line.len() < 12 && next.turn().player().is_some() {
            let entry = self.trans.probe(next.hash());
            let m = entry.and_then(|e| e.packed).and_then(order::unpack);
            let Some(m) = m.filter(|&m| next.is_legal(m)) else { break };
            line.push(m);
            next.play(m);
        }
        line
    }
}
