//! Stalls of the machine: times in which the referee itself did not run.
//!
//! A thread sleeps for a few milliseconds at a time. If it wakes up much later, the machine was
//! stopped or overloaded, and a move that was timed meanwhile was timed too long. Sleeping threads
//! are preferred by schedulers, so an engine that uses all cores does not cause stalls by itself.

use std::collections::VecDeque;
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// How long the thread sleeps at a time.
const TICK: Duration = Duration::from_millis(10);
/// A shorter oversleep is ordinary scheduling.
const THRESHOLD: Duration = Duration::from_millis(20);
/// Number of stalls that are remembered.
const KEPT: usize = 1 << 12;

static WATCH: Mutex<StallWatch> = Mutex::new(StallWatch { last: None, stalls: VecDeque::new() });

/// Starts the thread, once.
pub fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let thread = std::thread::Builder::new().name("clock".into()).spawn(|| {
            loop {
                with(|watch| watch.tick(Instant::now()));
                std::thread::sleep(TICK);
            }
        });
        if let Err(error) = thread {
            log::warn!("stalls of this machine will not be noticed: {error}");
        }
    });
}

/// The total time between two instants in which the machine stalled; 0 if the thread was not started.
pub fn between(begin: Instant, end: Instant) -> Duration {
    let now = Instant::now();
    with(|watch| watch.between(begin, end, now))
}

fn with<T>(act: impl FnOnce(&mut StallWatch) -> T) -> T {
    act(&mut WATCH.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The stalls so far.
#[derive(Debug, Default)]
struct StallWatch {
    /// The last tick.
    last: Option<Instant>,
    /// Begin and end of each stall, in order.
    stalls: VecDeque<(Instant, Instant)>,
}

impl StallWatch {
    fn tick(&mut self, now: Instant) {
        self.stalls.extend(self.open(now));
        while self.stalls.len() > KEPT {
            self.stalls.pop_front();
        }
        self.last = Some(now);
    }

    /// The stall that lasts at time `now`, if any.
    fn open(&self, now: Instant) -> Option<(Instant, Instant)> {
        let due = self.last? + TICK;
        (now.saturating_duration_since(due) >= THRESHOLD).then_some((due, now))
    }

    fn between(&self, begin: Instant, end: Instant, now: Instant) -> Duration {
        let recent = self.stalls.iter().copied().rev().take_while(|&(_, to)| to > begin);
        let stalls = recent.chain(self.open(now));
        let overlap =
            |(from, to): (Instant, Instant)| to.min(end).saturating_duration_since(from.max(begin));
        stalls.map(overlap).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_ticks_are_stalls_and_count_where_they_overlap() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let ms = Duration::from_millis;
        let mut watch = StallWatch::default();
        for time in [0, 10, 25, 35, 345, 355] {
            watch.tick(at(time));
        }
        // 300 ms late at 345; 5 ms late at 25 is no stall.
        assert_eq!(watch.between(at(0), at(355), at(355)), ms(300));
        assert_eq!(watch.between(at(100), at(200), at(355)), ms(100));
        assert_eq!(watch.between(at(0), at(40), at(355)), ms(0));
        assert_eq!(watch.between(at(400), at(500), at(520)), ms(100), "a stall that still lasts");
        assert_eq!(StallWatch::default().between(at(0), at(9), at(9)), ms(0));
    }
}
