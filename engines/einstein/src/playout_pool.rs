//! Playouts of many leaves at once, on a thread pool (sections 3.3 to 3.5 of the paper).
//!
//! Every playout has its own random stream, seeded by the leaf and the playout's number, and the
//! results are summed as integers, so the sums do not depend on the number of threads.

use crate::playout_board::PlayoutBoard;
use crate::playout_policy::PlayoutPolicy;
use agon_games::Player;
use agon_games::hash::mix;
use agon_games::rng::Stream;
use rand_core::SeedableRng;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// A position to play out, and the seed of its random streams.
pub type PlayoutLeaf = (PlayoutBoard, u64);

/// Below this number of playouts the calling thread alone is faster.
const MIN_PARALLEL_PLAYOUTS: usize = 64;
/// The number of playouts of a leaf that run on the same thread.
const PLAYOUTS_PER_TASK: usize = 16;

/// The number of leaves of a [`PlayoutJob`] that a thread takes at a time.
const LEAVES_PER_TASK: usize = 4;

/// The threads that run the playouts.
#[derive(Debug)]
pub struct PlayoutPool {
    threads: Option<ThreadPool>,
}

impl PlayoutPool {
    /// A pool of `threads` threads. If they cannot be started, the calling thread does the work.
    pub fn new(threads: usize) -> PlayoutPool {
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let warn = |error| log::warn!("playing out on one thread only: {error}");
        PlayoutPool { threads: (threads > 1).then(pool).and_then(|p| p.map_err(warn).ok()) }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Starts the playouts of a job on all threads but the calling one, which helps in
    /// [`PlayoutJob::finish`].
    pub fn submit(&self, job: &Arc<PlayoutJob>) {
        let Some(pool) = &self.threads else { return };
        for _ in 1..pool.current_num_threads() {
            let job = Arc::clone(job);
            pool.spawn_fifo(move || job.work());
        }
    }

    /// Runs `simulations` playouts of each leaf and stores the first player's wins in `wins`.
    /// Checks `stopped` every few milliseconds; once it returns true, returns false and leaves
    /// `wins` undefined.
    pub fn run(
        &self,
        leaves: &[PlayoutLeaf],
        simulations: u32,
        policy: &PlayoutPolicy,
        wins: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        wins.clear();
        wins.resize(leaves.len(), 0);
        let slice = (policy.slice_size() / leaves.len().max(1) as u32).max(1);
        let mut done = 0;
        while done < simulations {
            if done > 0 && stopped() {
                return false;
            }
            let end = done + slice.min(simulations - done);
            self.run_slice(leaves, done..end, policy, wins);
            done = end;
        }
        true
    }

    /// Adds the wins of the playouts in this range of numbers.
    fn run_slice(
        &self,
        leaves: &[PlayoutLeaf],
        numbers: std::ops::Range<u32>,
        policy: &PlayoutPolicy,
        wins: &mut [u32],
    ) {
        match &self.threads {
            Some(pool) if leaves.len() * numbers.len() >= MIN_PARALLEL_PLAYOUTS => {
                pool.install(|| {
                    wins.par_iter_mut().zip(leaves).for_each(|(wins, leaf)| {
                        let numbers = numbers.clone().into_par_iter();
                        let playouts = numbers.with_min_len(PLAYOUTS_PER_TASK);
                        *wins += playouts.map(|n| play(leaf, n, policy)).sum::<u32>();
                    });
                });
            }
            _ => {
                for (wins, leaf) in wins.iter_mut().zip(leaves) {
                    *wins += numbers.clone().map(|n| play(leaf, n, policy)).sum::<u32>();
                }
            }
        }
    }
}

/// A batch of playouts that threads share leaf by leaf.
#[derive(Debug)]
pub struct PlayoutJob {
    leaves: Vec<PlayoutLeaf>,
    simulations: u32,
    policy: Arc<PlayoutPolicy>,
    /// The next leaf that no thread has taken.
    next: AtomicUsize,
    /// The number of finished leaves.
    finished: AtomicUsize,
    /// The first player's wins of each leaf.
    wins: Vec<AtomicU32>,
}

impl PlayoutJob {
    /// `simulations` playouts of each leaf, with the results of [`PlayoutPool::run`].
    pub fn new(
        leaves: Vec<PlayoutLeaf>,
        simulations: u32,
        policy: Arc<PlayoutPolicy>,
    ) -> PlayoutJob {
        let wins = leaves.iter().map(|_| AtomicU32::new(0)).collect();
        let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
        PlayoutJob { leaves, simulations, policy, next, finished, wins }
    }

    /// Plays leaves out until all are taken.
    fn work(&self) {
        let len = self.leaves.len();
        loop {
            let first = self.next.fetch_add(LEAVES_PER_TASK, Ordering::Relaxed);
            if first >= len {
                return;
            }
            let taken = first..(first + LEAVES_PER_TASK).min(len);
            for (leaf, wins) in self.leaves[taken.clone()].iter().zip(&self.wins[taken.clone()]) {
                let won = (0..self.simulations).map(|n| play(leaf, n, &self.policy)).sum();
                wins.store(won, Ordering::Relaxed);
            }
            // Publishes the wins to the thread that waits for the last leaves.
            self.finished.fetch_add(taken.len(), Ordering::Release);
        }
    }

    /// Helps until all leaves are finished; returns the first player's wins of each.
    pub fn finish(&self) -> impl Iterator<Item = u32> + '_ {
        self.work();
        let mut spins = 0u32;
        while self.finished.load(Ordering::Acquire) < self.leaves.len() {
            spins += 1;
            // A thread has at most one task left, unless the system runs something else there.
            if spins.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        self.wins.iter().map(|wins| wins.load(Ordering::Relaxed))
    }
}

/// Runs playout `number` of a leaf: 1 if the first player wins, else 0.
#[inline]
fn play((board, key): &PlayoutLeaf, number: u32, policy: &PlayoutPolicy) -> u32 {
    let mut stream = Stream::seed_from_u64(mix(key ^ mix(u64::from(number))));
    u32::from(policy.play(*board, &mut stream).winner == Player::First)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::einstein::MissingDie;
    use agon_games::rng;

    fn leaf(index: u64) -> PlayoutLeaf {
        (
            PlayoutBoard::random_start(MissingDie::Next, &mut rng::stream(3, index, "pool test")),
            index,
        )
    }

    #[test]
    fn any_number_of_threads_gives_the_same_wins() {
        let leaves: Vec<PlayoutLeaf> = (0..18).map(leaf).collect();
        let mut alone = Vec::new();
        for simulations in [1, 7, 100] {
            let policy = &PlayoutPolicy::Random;
            PlayoutPool::new(1).run(&leaves, simulations, policy, &mut alone, &|| false);
            assert!(alone.iter().all(|&w| w <= simulations));
            for threads in [2, 3, 8, 64] {
                let pool = PlayoutPool::new(threads);
                let mut wins = Vec::new();
                for _ in 0..20 {
                    assert!(pool.run(&leaves, simulations, policy, &mut wins, &|| false));
                    assert_eq!(wins, alone, "{threads} threads");
                }
                let jobs: Vec<_> = [&leaves[..], &leaves[..1], &[], &leaves[3..]]
                    .map(|leaves| {
                        let policy = Arc::new(PlayoutPolicy::Random);
                        Arc::new(PlayoutJob::new(leaves.to_vec(), simulations, policy))
                    })
                    .into();
                jobs.iter().for_each(|job| pool.submit(job));
                let wins: Vec<Vec<u32>> = jobs.iter().map(|job| job.finish().collect()).collect();
                assert_eq!(wins, [&alone[..], &alone[..1], &[], &alone[3..]], "{threads} threads");
            }
        }
    }

    #[test]
    fn playouts_of_one_leaf_differ_from_each_other() {
        let mut wins = Vec::new();
        PlayoutPool::new(1).run(&[leaf(0)], 1000, &PlayoutPolicy::Random, &mut wins, &|| false);
        assert!((300..700).contains(&wins[0]), "{wins:?}");
    }

    #[test]
    fn a_stop_is_noticed_between_slices() {
        let (pool, mut wins) = (PlayoutPool::new(2), Vec::new());
        assert!(!pool.run(&[leaf(0)], 1 << 30, &PlayoutPolicy::Random, &mut wins, &|| true));
    }
}
