//! Playouts of many leaves at once, on a pool of threads (sections 3.3 to 3.5 of the paper).
//!
//! Every playout has a random stream of its own, named by the leaf and the playout's number, and
//! results are integers that are added up: so any number of threads gives the same sums.

use crate::knowledge::Rollout;
use crate::playout::Fast;
use agon_protocol::Player;
use agon_protocol::hash::mix;
use agon_protocol::rng::Stream;
use rand_core::SeedableRng;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A position to play out.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The position.
    pub board: Fast,
    /// Names its random streams, together with the playout's number.
    pub key: u64,
}

impl Leaf {
    /// Playout number `simulation`: 1 if the first player wins it, else 0.
    #[inline]
    fn play(&self, rollout: &Rollout, simulation: u32) -> u32 {
        let mut stream = Stream::seed_from_u64(mix(self.key ^ mix(u64::from(simulation))));
        u32::from(rollout.play(self.board, &mut stream).winner == Player::First)
    }
}

/// The playouts of one expansion.
struct Job {
    leaves: Vec<Leaf>,
    /// The number of the first playout of each leaf, and how many there are.
    first: u32,
    simulations: u32,
    rollout: Rollout,
    /// Playouts taken at once.
    chunk: usize,
    next: AtomicUsize,
    finished: AtomicUsize,
    wins: Vec<AtomicU32>,
}

impl Job {
    fn total(&self) -> usize {
        self.leaves.len() * self.simulations as usize
    }

    /// Takes and plays chunks until none is left.
    fn work(&self) {
        loop {
            let begin = self.next.fetch_add(self.chunk, Ordering::Relaxed);
            if begin >= self.total() {
                return;
            }
            let end = (begin + self.chunk).min(self.total());
            let mut at = begin;
            while at < end {
                let leaf = at / self.simulations as usize;
                let stop = ((leaf + 1) * self.simulations as usize).min(end);
                let first = at - leaf * self.simulations as usize;
                let wins: u32 = (first..first + (stop - at))
                    .map(|s| self.leaves[leaf].play(&self.rollout, self.first + s as u32))
                    .sum();
                self.wins[leaf].fetch_add(wins, Ordering::Relaxed);
                at = stop;
            }
            // Release: whoever sees the count complete must see the wins.
            self.finished.fetch_add(end - begin, Ordering::Release);
        }
    }
}

#[derive(Default)]
struct Shared {
    /// Counts jobs; changed under the lock, peeked at without it.
    number: AtomicU64,
    job: Mutex<Slot>,
    posted: Condvar,
}

#[derive(Default)]
struct Slot {
    job: Option<Arc<Job>>,
    quit: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Slot> {
        // A worker's panic leaves the slot whole: it holds only a pointer.
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, job: Option<Arc<Job>>, quit: bool) {
        let mut slot = self.lock();
        *slot = Slot { job, quit };
        self.number.fetch_add(1, Ordering::Release);
        self.posted.notify_all();
    }

    /// Waits for a job after number `seen`.
    fn wait(&self, seen: &mut u64, spins: u32) -> Option<Arc<Job>> {
        // The next expansion usually follows within microseconds: sleeping would cost more.
        for _ in 0..spins {
            if self.number.load(Ordering::Acquire) != *seen {
                break;
            }
            std::hint::spin_loop();
        }
        let mut slot = self.lock();
        while self.number.load(Ordering::Relaxed) == *seen && !slot.quit {
            slot = self.posted.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
        *seen = self.number.load(Ordering::Relaxed);
        if slot.quit { None } else { slot.job.clone() }
    }
}

/// Plays leaves out, on the calling thread and on workers of its own.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads()).finish()
    }
}

impl Pool {
    /// A pool of so many threads, the calling one included; at least one. Fewer if the system
    /// will not start as many.
    pub fn new(threads: usize) -> Pool {
        let shared = Arc::new(Shared::default());
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let spins = if threads <= cores { 20_000 } else { 0 };
        let workers = (1..threads)
            .map_while(|i| {
                let shared = Arc::clone(&shared);
                let body = move || {
                    let mut seen = 0;
                    while !shared.lock().quit {
                        if let Some(job) = shared.wait(&mut seen, spins) {
                            job.work();
                        }
                    }
                };
                let name = format!("playouts-{i}");
                thread::Builder::new()
                    .name(name)
                    .spawn(body)
                    .map_err(|e| log::warn!("playing with {i} threads only: {e}"))
                    .ok()
            })
            .collect();
        Pool { shared, workers }
    }

    /// Threads that play, the calling one included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Plays `simulations` playouts of every leaf; fills `wins` with the first player's. Between
    /// slices of a few milliseconds `stopped` is asked; once it says yes, false is returned and
    /// `wins` means nothing.
    pub fn run(
        &self,
        leaves: &[Leaf],
        simulations: u32,
        rollout: &Rollout,
        wins: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        wins.clear();
        wins.resize(leaves.len(), 0);
        let slice = (rollout.playouts_a_slice() / leaves.len().max(1) as u32).max(1);
        let mut done = 0;
        while done < simulations {
            if done > 0 && stopped() {
                return false;
            }
            let count = slice.min(simulations - done);
            self.run_slice(leaves, done, count, rollout, wins);
            done += count;
        }
        true
    }

    fn run_slice(
        &self,
        leaves: &[Leaf],
        first: u32,
        simulations: u32,
        rollout: &Rollout,
        wins: &mut [u32],
    ) {
        let total = leaves.len() * simulations as usize;
        if self.workers.is_empty() || total < 8 {
            for (leaf, wins) in leaves.iter().zip(wins) {
                *wins += (first..first + simulations).map(|s| leaf.play(rollout, s)).sum::<u32>();
            }
            return;
        }
        let job = Arc::new(Job {
            leaves: leaves.to_vec(),
            first,
            simulations,
            rollout: rollout.clone(),
            chunk: (total / (self.threads() * 8)).clamp(4, 256),
            next: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            wins: leaves.iter().map(|_| AtomicU32::new(0)).collect(),
        });
        self.shared.post(Some(Arc::clone(&job)), false);
        job.work();
        let mut spins = 0u32;
        while job.finished.load(Ordering::Acquire) < total {
            // A worker may have been put to sleep in the middle of its last chunk.
            spins += 1;
            if spins.is_multiple_of(1000) { thread::yield_now() } else { std::hint::spin_loop() }
        }
        for (wins, won) in wins.iter_mut().zip(&job.wins) {
            *wins += won.load(Ordering::Relaxed);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.post(None, true);
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::random_start;
    use agon_protocol::einstein::MissingDie;
    use agon_protocol::rng;

    #[test]
    fn any_number_of_threads_gives_the_same_wins() {
        let leaves: Vec<Leaf> = (0..18)
            .map(|i| {
                let mut stream = rng::stream(3, i, "pool test");
                Leaf { board: random_start(MissingDie::Next, &mut stream), key: i }
            })
            .collect();
        let mut alone = Vec::new();
        for simulations in [1, 7, 100] {
            Pool::new(1).run(&leaves, simulations, &Rollout::Random, &mut alone, &|| false);
            assert!(alone.iter().all(|&w| w <= simulations));
            for threads in [2, 3, 8, 64] {
                let pool = Pool::new(threads);
                let mut wins = Vec::new();
                for _ in 0..20 {
                    assert!(pool.run(&leaves, simulations, &Rollout::Random, &mut wins, &|| false));
                    assert_eq!(wins, alone, "{threads} threads");
                }
            }
        }
    }

    #[test]
    fn playouts_of_one_leaf_differ_from_each_other() {
        let mut stream = rng::stream(3, 0, "pool test");
        let leaf = Leaf { board: random_start(MissingDie::Next, &mut stream), key: 1 };
        let mut wins = Vec::new();
        Pool::new(1).run(&[leaf], 1000, &Rollout::Random, &mut wins, &|| false);
        assert!((300..700).contains(&wins[0]), "{wins:?}");
    }

    #[test]
    fn a_stop_is_heard_between_slices() {
        let mut stream = rng::stream(3, 0, "pool test");
        let leaf = Leaf { board: random_start(MissingDie::Next, &mut stream), key: 1 };
        let mut wins = Vec::new();
        let whole = Pool::new(2).run(&[leaf], 1 << 30, &Rollout::Random, &mut wins, &|| true);
        assert!(!whole);
    }
}
