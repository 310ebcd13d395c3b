//! The limits of a search: time, nodes, depth, and the manager's `stop`.
//!
//! After the soft limit no new iteration starts; at the hard limit the current one is aborted.
//! Durations are subtracted with saturation: a clock may hold less than the overhead.

use crate::params;
use agon_games::Player;
use agon_wire::engine::Control;
use agon_wire::message::Limits;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The search was stopped; the current computation is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Nodes between two clock polls: well under a millisecond for any game here.
const POLL: u64 = 128;
/// The clock is not running: the search is pondering.
const NOT_YET: u64 = u64::MAX;
/// There is no deadline.
const NEVER: u64 = u64::MAX;
/// The engine's parameters of time management.
#[derive(Clone, Copy, Debug)]
pub struct TimeManagement {
    /// Time reserved on every clock for communication with the manager.
    pub overhead: Duration,
    /// The expected number of own moves left, if the limits do not specify it.
    pub moves_left: u32,
}

impl Default for TimeManagement {
    fn default() -> TimeManagement {
        TimeManagement { overhead: Duration::from_millis(10), moves_left: 30 }
    }
}

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeBudget {
    /// After this, no new iteration is begun.
    pub soft: Option<Duration>,
    /// After this, the search is aborted.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// Allocates time from the clock of `side`; both limits are `None` if no time limit applies.
    pub fn new(limits: &Limits, side: Player, time: TimeManagement) -> TimeBudget {
        let fixed = limits.move_time.map(|t| within(t, time.overhead));
        let shared = limits.time[side.index()].map(|left| {
            let increment = limits.increment[side.index()];
            share(left, increment, limits.moves_to_go.unwrap_or(time.moves_left), time.overhead)
        });
        match (fixed, shared) {
            (None, None) => TimeBudget::default(),
            (Some(t), None) => TimeBudget { soft: Some(t), hard: Some(t) },
            (None, Some((soft, hard))) => TimeBudget { soft: Some(soft), hard: Some(hard) },
            (Some(t), Some((soft, hard))) => {
                TimeBudget { soft: Some(soft.min(t)), hard: Some(hard.min(t)) }
            }
        }
    }
}

/// A time less the overhead; an eighth of the time if the overhead would leave less.
fn within(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 8)
}

/// The soft and hard share of a clock with `left` on it and `moves` to make.
fn share(
    left: Duration,
    increment: Duration,
    moves: u32,
    overhead: Duration,
) -> (Duration, Duration) {
    let usable = within(left, overhead);
    let moves = moves.max(1);
    // The increment comes after the move: plan with it, but never spend more than `usable`.
    let even = (usable / moves).saturating_add(increment * params::increment_percent() / 100);
    let ceiling = if moves == 1 { usable } else { usable / 100 * params::clock_percent() };
    let soft = even.min(ceiling);
    (soft, even.saturating_mul(params::hard_factor()).min(ceiling))
}

/// The limits of one search, shared by its threads.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    budget: TimeBudget,
    fixed: bool,
    nodes: Option<u64>,
    first_depth: AtomicU32,
    depth: AtomicU32,
    runs_since: AtomicU64,
    visited: AtomicU64,
    leaves: AtomicU64,
    halted: AtomicBool,
    /// An earlier end than the hard limit, in nanoseconds since the start.
    deadline: AtomicU64,
    /// An earlier end than the limit of nodes.
    last_node: AtomicU64,
    /// The factor of the soft limit in percent.
    scale: AtomicU32,
    is_open_ended: bool,
    control: Control,
    /// What the manager should know, in order.
    notices: Mutex<Vec<String>>,
}

impl Clock {
    /// Starts the clock now, for a search by `side`.
    pub fn new(limits: &Limits, side: Player, time: TimeManagement, control: &Control) -> Clock {
        Clock {
            started: Instant::now(),
            budget: if limits.infinite {
                TimeBudget::default()
            } else {
                TimeBudget::new(limits, side, time)
            },
            fixed: limits.time[side.index()].is_none(),
            nodes: limits.nodes,
            first_depth: AtomicU32::new(1),
            depth: AtomicU32::new(
                limits.depth.unwrap_or(u32::MAX).clamp(1, crate::score::MAX_DEPTH),
            ),
            runs_since: AtomicU64::new(if limits.ponder { NOT_YET } else { 0 }),
            visited: AtomicU64::new(0),
            leaves: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            deadline: AtomicU64::new(NEVER),
            last_node: AtomicU64::new(NEVER),
            scale: AtomicU32::new(100),
            is_open_ended: limits.infinite || limits.ponder,
            control: control.clone(),
            notices: Mutex::default(),
        }
    }

    /// A clock with these limits but no manager: for tests and benchmarks.
    pub fn unmanaged(limits: &Limits) -> Clock {
        Clock::new(limits, Player::First, TimeManagement::default(), &Control::new())
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The maximum depth that the limits allow.
    pub fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// The depth at which iterative deepening begins: 1, unless set by [`Clock::set_depth`].
    pub fn first_depth(&self) -> u32 {
        self.first_depth.load(Ordering::Relaxed)
    }

    /// Limits the next search to the iteration of this depth; call it after the last search ended.
    pub fn set_depth(&self, depth: u32) {
        self.first_depth.store(depth, Ordering::Relaxed);
        self.depth.store(depth, Ordering::Relaxed);
        self.halted.store(false, Ordering::Relaxed);
    }

    /// The soft time limit, if time is limited.
    pub fn soft_limit(&self) -> Option<Duration> {
        self.budget.soft
    }

    /// The hard time limit, if time is limited.
    pub fn hard_limit(&self) -> Option<Duration> {
        self.budget.hard
    }

    /// The nodes reported by all threads so far.
    pub fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// The leaves reported by all threads so far; `None` if the searcher counts none.
    pub fn leaves(&self) -> Option<u64> {
        Some(self.leaves.load(Ordering::Relaxed)).filter(|&n| n > 0)
    }

    /// Whether the search must continue until the manager ends it: `infinite` or `ponder`.
    pub fn is_open_ended(&self) -> bool {
        self.is_open_ended
    }

    /// Notes a line for the manager, such as what the system refused; each is kept once.
    pub fn note(&self, text: String) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&text) {
            notices.push(text);
        }
    }

    /// Takes the lines noted so far.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stops the search in all threads.
    pub fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Clears [`Clock::halt`], for another search on the same clock; call it after the last search
    /// ended.
    pub fn resume(&self) {
        self.halted.store(false, Ordering::Relaxed);
    }

    /// Ends the following searches at this time since the clock began to run, if that is before
    /// their other limits.
    pub fn set_deadline(&self, deadline: Option<Duration>) {
        let deadline = deadline.map_or(NEVER, |t| u64::try_from(t.as_nanos()).unwrap_or(NEVER));
        self.deadline.store(deadline, Ordering::Relaxed);
    }

    /// The limit of nodes, if there is one.
    pub fn node_limit(&self) -> Option<u64> {
        self.nodes
    }

    /// Counts nodes of a part of the search that has no [`NodeCounter`].
    pub fn count(&self, nodes: u64) {
        self.visited.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Ends the following searches after this number of nodes, if that is before the limit.
    pub fn set_last_node(&self, nodes: Option<u64>) {
        self.last_node.store(nodes.unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// The nodes left until the limit or the earlier end.
    fn nodes_left(&self) -> u64 {
        let end = self.last_node.load(Ordering::Relaxed).min(self.nodes.unwrap_or(NEVER));
        if end == NEVER { NEVER } else { end.saturating_sub(self.visited()) }
    }

    /// Scales the soft limit to this percentage: more in a position that is hard to judge.
    pub fn scale_soft_limit(&self, percent: u32) {
        self.scale.store(percent, Ordering::Relaxed);
    }

    /// Whether the search must end now.
    pub fn expired(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
            || self.nodes_left() == 0
            || self.out_of_time()
            || self.past_deadline()
    }

    /// Whether the time is over, or the manager has stopped the search.
    pub fn out_of_time(&self) -> bool {
        self.control.stopped()
            || self.budget.hard.is_some_and(|hard| self.running().is_some_and(|t| t >= hard))
    }

    fn past_deadline(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NEVER && self.running().is_some_and(|t| t >= Duration::from_nanos(deadline))
    }

    /// Whether to start no further iteration. `percent` scales the soft limit: more than 100 while
    /// the best move keeps changing, less when there is nothing to decide. A fixed time per move is
    /// always used up, because saving it gains nothing.
    pub fn past_soft_limit(&self, percent: u32) -> bool {
        if self.expired() {
            return true;
        }
        let Some(soft) = self.budget.soft.filter(|_| !self.fixed) else { return false };
        let scale = self.scale.load(Ordering::Relaxed);
        let soft = soft.saturating_mul(percent) / 100 * scale / 100;
        self.running().is_some_and(|t| t >= soft)
    }

    /// Time since the clock began to run; `None` while pondering.
    fn running(&self) -> Option<Duration> {
        let now = self.elapsed();
        let mut since = self.runs_since.load(Ordering::Relaxed);
        if since == NOT_YET {
            if !self.control.ponder_was_hit() {
                return None;
            }
            // Several threads may see the ponderhit at once; the first store wins.
            let mine = (now.as_nanos() as u64).max(1);
            let order = Ordering::Relaxed;
            since = match self.runs_since.compare_exchange(NOT_YET, mine, order, order) {
                Ok(_) => mine,
                Err(theirs) => theirs,
            };
        }
        Some(now.saturating_sub(Duration::from_nanos(since)))
    }
}

/// One thread's node counter.
#[derive(Debug)]
pub struct NodeCounter<'c> {
    clock: &'c Clock,
    nodes: u64,
    leaves: u64,
    reported: u64,
    next: u64,
    /// The maximum number of nodes between two polls.
    interval: u64,
}

impl<'c> NodeCounter<'c> {
    /// A counter at 0.
    pub fn new(clock: &'c Clock) -> NodeCounter<'c> {
        NodeCounter::polling(clock, POLL)
    }

    /// A counter at 0 that polls the clock at every node, for searches whose nodes may take long:
    /// a probe of a file that is not in memory reads the disk.
    pub fn for_slow_nodes(clock: &'c Clock) -> NodeCounter<'c> {
        NodeCounter::polling(clock, 1)
    }

    fn polling(clock: &'c Clock, interval: u64) -> NodeCounter<'c> {
        let mut counter =
            NodeCounter { clock, nodes: 0, leaves: 0, reported: 0, next: 0, interval };
        counter.plan();
        counter
    }

    /// The shared clock.
    pub fn clock(&self) -> &'c Clock {
        self.clock
    }

    /// Nodes counted by this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one visited node and returns an error if the search must stop.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts nodes that an evaluator has looked at.
    #[inline]
    pub fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Polls the clock at the next node: others may have counted nodes meanwhile.
    pub fn poll_next(&mut self) {
        self.next = self.nodes;
    }

    /// The nodes left until the limit, less those of this thread that are not reported yet.
    #[inline]
    pub fn left(&self) -> u64 {
        self.clock.nodes_left().saturating_sub(self.nodes - self.reported)
    }

    /// Counts the node that was visited last as a leaf.
    #[inline]
    pub fn leaf(&mut self) {
        self.leaves += 1;
    }

    /// Adds this thread's nodes and leaves to the shared counts.
    pub fn flush(&mut self) {
        self.clock.leaves.fetch_add(std::mem::take(&mut self.leaves), Ordering::Relaxed);
        self.clock.visited.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        self.flush();
        if self.clock.expired() {
            // Stay stopped: the next visit polls again.
            self.next = self.nodes;
            return Err(Stopped);
        }
        self.plan();
        Ok(())
    }

    fn plan(&mut self) {
        self.next = self.nodes + self.clock.nodes_left().min(self.interval);
    }
}

impl Drop for NodeCounter<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock_of(left: Duration, increment: Duration) -> Limits {
        Limits { time: [Some(left); 2], increment: [increment; 2], ..Limits::default() }
    }

    #[test]
    fn a_clock_smaller_than_the_overhead_still_gives_a_budget_within_it() {
        let time = TimeManagement { overhead: 50 * MS, moves_left: 30 };
        for left in [Duration::ZERO, MS, 7 * MS, 49 * MS, 51 * MS] {
            let budget = TimeBudget::new(&clock_of(left, 500 * MS), Player::Second, time);
            assert!(budget.hard.is_some_and(|hard| hard <= left), "{left:?}: {budget:?}");
            let fixed = TimeBudget::new(&Limits::with_move_time(left), Player::First, time);
            assert!(fixed.hard.is_some_and(|hard| hard <= left), "{left:?}: {fixed:?}");
        }
    }

    #[test]
    fn a_game_played_by_the_hard_limit_never_loses_on_time() {
        let time = TimeManagement { overhead: 10 * MS, moves_left: 30 };
        let mut left = 2_000 * MS;
        for _ in 0..500 {
            let budget = TimeBudget::new(&clock_of(left, 20 * MS), Player::First, time);
            let spent = budget.hard.unwrap();
            assert!(budget.soft.unwrap() <= spent);
            left = left.checked_sub(spent).unwrap() + 20 * MS;
        }
    }

    #[test]
    fn the_tightest_limit_binds() {
        let limits = Limits { move_time: Some(100 * MS), ..clock_of(60_000 * MS, MS) };
        let budget = TimeBudget::new(&limits, Player::First, TimeManagement::default());
        assert_eq!(budget.hard, Some(90 * MS));
    }

    #[test]
    fn a_node_limit_is_kept_exactly() {
        for limit in [1, 127, 128, 129, 1000] {
            for slow in [false, true] {
                let clock = Clock::unmanaged(&Limits::with_nodes(limit));
                let mut counter = match slow {
                    false => NodeCounter::new(&clock),
                    true => NodeCounter::for_slow_nodes(&clock),
                };
                while counter.visit().is_ok() {}
                assert_eq!(counter.nodes(), limit);
                assert_eq!(counter.visit(), Err(Stopped));
                assert_eq!(clock.visited(), limit);
            }
        }
    }

    #[test]
    fn leaves_are_counted_apart_from_nodes() {
        let clock = Clock::unmanaged(&Limits::with_nodes(300));
        assert_eq!(clock.leaves(), None);
        let mut counter = NodeCounter::new(&clock);
        while counter.visit().is_ok() {
            if counter.nodes().is_multiple_of(3) {
                counter.leaf();
            }
        }
        drop(counter);
        assert_eq!((clock.visited(), clock.leaves()), (300, Some(100)));
    }

    #[test]
    fn the_clock_runs_from_the_ponder_hit() {
        let limits = Limits { ponder: true, ..Limits::with_move_time(40 * MS) };
        let control = Control::new();
        let clock = Clock::new(&limits, Player::First, TimeManagement::default(), &control);
        std::thread::sleep(60 * MS);
        assert!(!clock.expired());
        control.ponder_hit();
        assert!(!clock.expired());
        std::thread::sleep(35 * MS);
        assert!(clock.expired());
    }

    #[test]
    fn stop_ends_an_infinite_search() {
        let control = Control::new();
        let limits = Limits { infinite: true, ..Limits::default() };
        let clock = Clock::new(&limits, Player::First, TimeManagement::default(), &control);
        assert!(!clock.expired() && !clock.past_soft_limit(1));
        control.stop();
        assert!(clock.expired());
    }
}
