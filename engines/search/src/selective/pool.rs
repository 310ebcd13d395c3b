//! The threads of one search, and the nodes that they share.

use super::state::{Candidate, MoveLoop, Node};
use agon_protocol::{Game, Player};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The threads of one search, and the nodes that they share.
pub(super) struct Pool<G: Game> {
    /// The number of threads that have nothing to do.
    idle: AtomicUsize,
    state: Mutex<State<G>>,
    /// `state` or the number of helpers at a shared node has changed.
    changed: Condvar,
}

pub(super) struct State<G: Game> {
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
    pub progress: Mutex<Progress<G::Move>>,
}

/// What the threads at a shared node have found.
pub(super) struct Progress<M> {
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
        let state = Mutex::new(State { open: Vec::new(), is_over: false });
        Pool { idle: AtomicUsize::new(0), state, changed: Condvar::new() }
    }

    /// Runs `main` in this thread, beside threads that call `Worker::help`.
    pub fn run<R>(
        &self,
        helpers: impl Iterator<Item = impl FnOnce() + Send>,
        main: impl FnOnce() -> R,
    ) -> R {
        std::thread::scope(|scope| {
            let helpers: Vec<_> = helpers.map(|helper| scope.spawn(helper)).collect();
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
    pub fn change(&self, change: impl FnOnce(&mut State<G>)) {
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
        is_done: impl Fn(&State<G>) -> bool,
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
    use agon_protocol::game::legal_moves;
    use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};

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
            progress: Mutex::new(Progress {
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
