//! The search of the algorithms `rave` and `puct`: it keeps the tree from move to move, runs the threads and reports.

use crate::board::Board;
use crate::network::Guide;
use crate::params;
use crate::puct;
use crate::search::{self, Shared, add_moves};
use crate::tree::{Edge, Proof, Tree};
use agon_games::nogo::{NoGo, NoGoPoint};
use agon_games::rng::Stream;
use agon_games::{Record, rng};
use agon_network::convolution::network::BoardNetwork;
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::{MAX_DEPTH, Scale, UNIT};
use agon_search::searcher::{Searcher, side_to_move};
use agon_search::threads;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Iterations in one tree, so that no count overflows.
const MOST: u64 = 1 << 31;
/// The first report comes after so many iterations.
const FIRST_REPORT: u64 = 1024;

/// The settings.
#[derive(Clone, Debug)]
pub struct TreeSettings {
    /// What guides `puct`; none for `rave`.
    pub network: Option<Arc<BoardNetwork>>,
    /// The limit of the tree's memory in bytes.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// The seed of all random streams.
    pub seed: u64,
}

/// The search with its tree.
#[derive(Debug)]
pub struct TreeSearch {
    settings: TreeSettings,
    tree: Tree,
    known: Option<Record<NoGo>>,
    lines: usize,
}

impl TreeSearch {
    /// An empty tree.
    pub fn new(settings: TreeSettings) -> TreeSearch {
        let tree = Tree::new(settings.memory);
        TreeSearch { settings, tree, known: None, lines: 1 }
    }

    /// Keeps the part of the tree that follows the record's position, or starts a new one. A restricted search
    /// neither uses nor leaves a tree, because it would lack some moves.
    fn reuse_tree(&mut self, root: &Root<NoGo>) {
        let record = root.record();
        let kept = !root.is_restricted()
            && self.known.as_ref().is_some_and(|known| {
                let (old, new) = (known.moves(), record.moves());
                known.start() == record.start()
                    && new.starts_with(old)
                    && self.tree.descend(&new[old.len()..])
            });
        if !kept {
            self.tree.clear();
        }
        self.known = (!root.is_restricted()).then(|| record.clone());
    }

    /// Adds the moves that are allowed at the root, if the tree does not have them.
    fn expand_root(&mut self, root: &Root<NoGo>, stream: &mut Stream) {
        if self.tree.root.link().is_expanded() {
            return;
        }
        // A proof without moves does not say which one wins.
        self.tree.clear();
        let allowed = root.allowed_moves().iter().fold(0, |set, m| set | m.bit());
        let opponents = root.game().legal_for(side_to_move(root.game()).opponent());
        match &self.settings.network {
            None => _ = add_moves(&self.tree, &self.tree.root, allowed, opponents, stream),
            Some(network) => {
                let (board, mover) = (Board::new(root.game()), side_to_move(root.game()).index());
                let (_, moves) =
                    Guide::new(network).evaluate(&board, board.legal(), mover, allowed);
                puct::add_moves(&self.tree, &self.tree.root, &moves);
            }
        }
    }

    /// The expected outcome of a move for its player, from `-UNIT` to `UNIT`.
    fn value(&self, edge: &Edge) -> i32 {
        let (games, wins) = edge.direct();
        let rate = match edge.link().proof() {
            Proof::Won => return UNIT,
            Proof::Lost => return -UNIT,
            Proof::Open if self.settings.network.is_some() => puct::rate(edge),
            Proof::Open if games == 0 => None,
            Proof::Open => Some(f64::from(wins.min(games)) / f64::from(games)),
        };
        rate.map_or(0, |rate| ((rate * 2.0 - 1.0) * f64::from(UNIT)) as i32)
    }

    /// Reports the best moves of the root and returns the best of them.
    fn report(
        &self,
        iterations: u64,
        nodes: u64,
        report: &mut dyn FnMut(&SearchResult<NoGoPoint>),
    ) -> Option<SearchResult<NoGoPoint>> {
        let moves = ranked(self.tree.children(self.tree.root.link()));
        let lines =
            (1..).zip(moves.into_iter().take(self.lines)).map(|(rank, edge)| SearchResult {
                rank: (self.lines > 1).then_some(rank),
                depth: iterations.max(1).ilog2() + 1,
                seldepth: self.tree.deepest.load(Ordering::Relaxed) as u32,
                value: self.value(edge),
                bound: None,
                hashfull: Some(self.tree.permille()),
                nodes,
                moves: self.variation(edge),
            });
        let lines: Vec<_> = lines.collect();
        lines.iter().for_each(report);
        lines.into_iter().next()
    }

    /// A move and the best ones after it.
    fn variation(&self, edge: &Edge) -> Vec<NoGoPoint> {
        let (mut line, mut at) = (vec![edge.point()], edge);
        while let Some(next) = ranked(self.tree.children(at.link())).first()
            && next.direct().0 > 0
        {
            line.push(next.point());
            at = next;
        }
        line
    }
}

/// The moves of a position, best first: proved wins, then the most visited, then proved losses.
fn ranked(moves: &[Edge]) -> Vec<&Edge> {
    let mut moves: Vec<&Edge> = moves.iter().collect();
    moves.sort_by_key(|edge| {
        let proof = match edge.link().proof() {
            Proof::Won => 2,
            Proof::Open => 1,
            Proof::Lost => 0,
        };
        Reverse((proof, edge.direct()))
    });
    moves
}

/// One thread of the search.
enum Worker<'a> {
    Rave(Box<search::Worker<'a>>),
    Puct(Box<puct::Worker<'a>>),
}

impl<'a> Worker<'a> {
    fn new(shared: Shared<'a>, network: Option<&'a BoardNetwork>, stream: Stream) -> Worker<'a> {
        match network {
            None => Worker::Rave(Box::new(search::Worker::new(shared, stream))),
            Some(network) => {
                let exploration = params::puct_exploration() as f32 / 100.0;
                Worker::Puct(Box::new(puct::Worker::new(shared, network, exploration)))
            }
        }
    }

    /// One iteration; returns the number of its moves in the tree.
    fn iterate(&mut self) -> u64 {
        match self {
            Worker::Rave(worker) => worker.iterate(),
            Worker::Puct(worker) => worker.iterate(),
        }
    }
}

/// The iterations of all threads.
struct Quota {
    begun: AtomicU64,
    last: u64,
}

/// Iterates until the clock, the quota or a proof ends the search; calls `each` with the number of iterations of
/// all threads before each one and stops if it returns false.
fn work(
    worker: &mut Worker,
    tree: &Tree,
    quota: &Quota,
    counter: &mut NodeCounter,
    each: &mut dyn FnMut(u64, &NodeCounter) -> bool,
) {
    while tree.root.link().proof() == Proof::Open && counter.visit().is_ok() {
        let begun = quota.begun.fetch_add(1, Ordering::Relaxed);
        if begun >= quota.last || !each(begun, counter) {
            break;
        }
        let moves = worker.iterate();
        // The visit above counted one.
        counter.add(moves.saturating_sub(1));
    }
}

impl Searcher<NoGo> for TreeSearch {
    fn run(
        &mut self,
        position: &Root<NoGo>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<NoGoPoint>),
    ) -> SearchResult<NoGoPoint> {
        self.reuse_tree(position);
        let ply = position.record().moves().len() as u64;
        let stream =
            |thread: usize| rng::stream(self.settings.seed, ply << 16 | thread as u64, "rave");
        let mut streams = (0..self.settings.threads.max(1)).map(stream).collect::<Vec<_>>();
        let mut own = streams.swap_remove(0);
        self.expand_root(position, &mut own);
        self.tree.deepest.store(0, Ordering::Relaxed);
        let board = Board::new(position.game());
        let mover = side_to_move(position.game()).index();
        let shared = Shared { tree: &self.tree, board: &board, mover };
        let network = self.settings.network.as_deref();
        let wanted = match clock.depth() {
            MAX_DEPTH => u64::MAX,
            depth => u64::from(depth) * 1000,
        };
        let room = MOST.saturating_sub(self.tree.root.direct().0.into());
        let quota = &Quota { begun: AtomicU64::new(0), last: wanted.min(room) };
        let mut counter = NodeCounter::new(clock);
        std::thread::scope(|scope| {
            let help = |stream| {
                move || {
                    let mut worker = Worker::new(shared, network, stream);
                    let counter = &mut NodeCounter::new(clock);
                    work(&mut worker, shared.tree, quota, counter, &mut |_, _| true);
                }
            };
            let helpers = streams.into_iter().map_while(|s| threads::spawn(scope, help(s)).ok());
            let helpers = helpers.count();
            let mut next = FIRST_REPORT;
            let mut worker = Worker::new(shared, network, own);
            work(&mut worker, shared.tree, quota, &mut counter, &mut |begun, counter| {
                if begun >= next {
                    next *= 2;
                    let nodes = if helpers > 0 { clock.visited() } else { counter.nodes() };
                    self.report(begun, nodes, report);
                }
                !begun.is_multiple_of(64) || !clock.past_soft_limit(100)
            });
            clock.halt();
        });
        counter.flush();
        let iterations = quota.begun.load(Ordering::Relaxed).min(quota.last);
        let silent: &mut dyn FnMut(&SearchResult<NoGoPoint>) = &mut |_| {};
        let report = if self.lines > 1 { report } else { silent };
        let line = self.report(iterations, clock.visited(), report);
        line.unwrap_or_else(|| SearchResult::unknown(position.first_move()))
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.known = None;
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.lines = lines;
        true
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.tree.permille())
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}
