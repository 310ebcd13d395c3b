//! The state that nodes and threads have: a thread's memory across moves, a node's window and its
//! moves with their values, the nodes that threads share, and the threads of one search.

use super::params;
use crate::evaluator::StagedMoves;
use crate::ordering::{History, ScoredMove};
use crate::threads;
use agon_games::{Game, Player};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The state that a thread keeps during a game.
pub(super) struct Memory<G: Game, E> {
    /// Shared by all threads.
    pub history: Arc<History<G, E>>,
    pub evaluator: E,
    pub killers: Vec<[Option<G::Move>; 2]>,
}

impl<G: Game, E: StagedMoves<G>> Memory<G, E> {
    pub fn new(evaluator: E, history: Arc<History<G, E>>) -> Self {
        Memory { history, evaluator, killers: Vec::new() }
    }

    pub fn killers(&mut self, ply: u32) -> &mut [Option<G::Move>; 2] {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        &mut self.killers[ply]
    }
}

/// A node's place in the tree and its window, for the player to move.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub depth: u32,
    pub ply: u32,
    pub alpha: i32,
    pub beta: i32,
}

impl Node {
    pub fn has_null_window(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// The moves searched so far at a node.
#[derive(Clone)]
pub(super) struct MoveLoop<M> {
    pub value: i32,
    pub alpha: i32,
    pub best: Option<M>,
    pub tried: usize,
    /// The moves searched before the others are generated: the table's move and the killers.
    pub early: [Option<M>; 3],
}

/// A move and its static evaluation for the mover, if known.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub m: M,
    pub value: Option<i32>,
}

/// A move without a score: the `index`-th in generation order.
pub(super) fn candidate<M>(m: M, index: usize) -> ScoredMove<Candidate<M>> {
    ScoredMove { score: 0, index: index as u32, m: Candidate { m, value: None } }
}

/// How much completions (for Amazons, arrow squares) have changed the evaluations of partial moves
/// at one node: a square that is good for one step's arrow is about as good for another's. Futility
/// pruning skips moves for which the sum of both is too low.
pub(super) struct CompletionGains {
    by_key: Vec<i32>,
    top: i32,
    seen: usize,
}

const UNKNOWN: i32 = i32::MIN;

impl CompletionGains {
    /// For keys below `keys`.
    pub fn new(keys: usize) -> CompletionGains {
        CompletionGains { by_key: vec![UNKNOWN; keys], top: 0, seen: 0 }
    }

    /// Starts a node.
    pub fn clear(&mut self) {
        self.by_key.fill(UNKNOWN);
        (self.top, self.seen) = (0, 0);
    }

    /// Starts a partial move. Returns false if no move that begins with it can be worth `needed`.
    pub fn begin(&mut self, evaluation: i32, futility_margin: i32, needed: i32) -> bool {
        self.seen += 1;
        self.seen <= params::trusted_parts()
            || evaluation.saturating_add(self.top + futility_margin) > needed
    }

    /// Whether a move with this second key may be worth `needed`.
    pub fn promising(
        &self,
        key: usize,
        evaluation: i32,
        futility_margin: i32,
        needed: i32,
    ) -> bool {
        let gain = self.by_key[key];
        self.seen <= params::trusted_parts()
            || gain == UNKNOWN
            || evaluation + gain + futility_margin > needed
    }

    /// Records that a move with this key was worth `gain` more than its partial move.
    pub fn learn(&mut self, key: usize, gain: i32) {
        self.by_key[key] = self.by_key[key].max(gain);
        self.top = self.top.max(gain);
    }
}

/// The threads of one search, and the nodes that they share.
pub(super) struct Pool<G: Game> {
    /// The number of threads that have nothing to do.
    idle: AtomicUsize,
    state: Mutex<PoolState<G>>,
    /// `state` or the number of helpers at a shared node has changed.
    changed: Condvar,
}

pub(super) struct PoolState<G: Game> {
    /// The shared nodes whose owner still takes moves.
    pub open: Vec<Arc<SplitPoint<G>>>,
    /// The search has ended.
    is_over: bool,
}

/// A shared node.
pub(super) struct SplitPoint<G: Game> {
    pub game: G,
    pub mover: Player,
    pub node: Node,
    /// The number of moves searched before.
    pub tried: usize,
    /// The moves that were left when the node was shared, best first.
    pub moves: Vec<Candidate<G::Move>>,
    /// The shared nodes above, from the root on.
    pub above: Vec<Arc<SplitPoint<G>>>,
    /// A move reached beta, or the search was stopped.
    pub is_over: AtomicBool,
    pub progress: Mutex<SplitProgress<G::Move>>,
}

/// What the threads at a shared node have found.
pub(super) struct SplitProgress<M> {
    pub moves: MoveLoop<M>,
    /// The number of moves that a thread has taken.
    pub taken: usize,
    /// The number of threads besides the owner that are at the node.
    pub helpers: usize,
    /// The principal variation from the node on; empty if no shared move raised alpha.
    pub line: Vec<M>,
    pub seldepth: u32,
    /// A thread searches a move with an open window: that may raise alpha, and others wait.
    pub has_open_window: bool,
    /// A move was not searched to its end, and none reached beta.
    pub stopped: bool,
}

/// The guard of a mutex; a thread that panicked left nothing half-written in ours.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a function when it is dropped, also in a panic.
pub(super) struct OnDrop<F: FnMut()>(pub F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}

impl<G: Game> Pool<G> {
    pub fn new() -> Pool<G> {
        let state = Mutex::new(PoolState { open: Vec::new(), is_over: false });
        Pool { idle: AtomicUsize::new(0), state, changed: Condvar::new() }
    }

    /// Runs `main` in this thread, beside threads that call `Worker::help`, as many as the system grants.
    pub fn run<R>(
        &self,
        helpers: impl Iterator<Item = impl FnOnce() + Send>,
        main: impl FnOnce() -> R,
    ) -> R {
        std::thread::scope(|scope| {
            let helpers = helpers.map_while(|helper| threads::spawn(scope, helper).ok());
            let helpers: Vec<_> = helpers.collect();
            let end = OnDrop(|| self.change(|state| state.is_over = true));
            let result = main();
            drop(end);
            for helper in helpers {
                // A helper that panicked has ended the search, which keeps its last result.
                let _ = helper.join();
            }
            result
        })
    }

    /// Whether a thread has nothing to do.
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Changes the state and wakes the threads that wait.
    pub fn change(&self, change: impl FnOnce(&mut PoolState<G>)) {
        change(&mut lock(&self.state));
        self.changed.notify_all();
    }

    /// Waits for a node to help at. There is none once the search has ended.
    pub fn wait(&self) -> Option<Arc<SplitPoint<G>>> {
        self.wait_until(|state| state.is_over, |_| true)
    }

    /// Waits for a node below `split` to help at, until `is_done`.
    pub fn wait_below(
        &self,
        split: &Arc<SplitPoint<G>>,
        is_done: impl Fn(&SplitPoint<G>) -> bool,
    ) -> Option<Arc<SplitPoint<G>>> {
        let is_below = |other: &SplitPoint<G>| other.above.iter().any(|s| Arc::ptr_eq(s, split));
        self.wait_until(|_| is_done(split), is_below)
    }

    fn wait_until(
        &self,
        is_done: impl Fn(&PoolState<G>) -> bool,
        is_allowed: impl Fn(&SplitPoint<G>) -> bool,
    ) -> Option<Arc<SplitPoint<G>>> {
        let mut state = lock(&self.state);
        self.idle.fetch_add(1, Ordering::Relaxed);
        let job = loop {
            if is_done(&state) {
                break None;
            }
            let open = state.open.iter().filter(|split| is_allowed(split) && split.has_moves());
            if let Some(split) = open.max_by_key(|split| split.node.depth) {
                lock(&split.progress).helpers += 1;
                break Some(Arc::clone(split));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        job
    }
}

impl<G: Game> SplitPoint<G> {
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Whether a thread may take a move now.
    pub fn has_moves(&self) -> bool {
        let progress = lock(&self.progress);
        !self.is_over() && !progress.has_open_window && progress.taken < self.moves.len()
    }

    /// Whether no thread besides the owner searches a move and none is left for it.
    pub fn is_finished(&self) -> bool {
        let progress = lock(&self.progress);
        progress.helpers == 0 && (self.is_over() || progress.taken == self.moves.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::game::legal_moves;
    use agon_games::xiangqi::{Xiangqi, XiangqiRules};

    #[test]
    fn a_node_is_finished_once_no_move_is_left_and_no_helper_searches() {
        let game = Xiangqi::start(&XiangqiRules::default());
        let moves = MoveLoop { value: 0, alpha: 0, best: None, tried: 1, early: [None; 3] };
        let (line, seldepth) = (Vec::new(), 0);
        let left = legal_moves(&game).into_iter().take(2).map(|m| Candidate { m, value: None });
        let split = SplitPoint {
            mover: Player::First,
            node: Node { depth: 2, ply: 0, alpha: 0, beta: 100 },
            tried: 1,
            moves: left.collect(),
            above: Vec::new(),
            is_over: AtomicBool::new(false),
            progress: Mutex::new(SplitProgress {
                moves,
                taken: 0,
                helpers: 0,
                line,
                seldepth,
                has_open_window: false,
                stopped: false,
            }),
            game,
        };
        for (taken, helpers, has_open_window, has_moves, is_finished) in [
            (0, 0, false, true, false),
            (1, 1, false, true, false),
            (1, 1, true, false, false),
            (2, 1, false, false, false),
            (2, 1, true, false, false),
            (2, 0, false, false, true),
        ] {
            let mut progress = lock(&split.progress);
            (progress.taken, progress.helpers) = (taken, helpers);
            progress.has_open_window = has_open_window;
            drop(progress);
            let found = (split.has_moves(), split.is_finished());
            assert_eq!(found, (has_moves, is_finished), "{taken} taken, {helpers} helpers");
        }
        split.is_over.store(true, Ordering::Relaxed);
        lock(&split.progress).taken = 1;
        assert!(split.is_finished() && !split.has_moves());
        lock(&split.progress).helpers = 1;
        assert!(!split.is_finished());
    }
}
