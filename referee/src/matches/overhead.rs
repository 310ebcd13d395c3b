//! The referee's overhead: processor time, memory, and the minimum round-trip latency to an engine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Measurements during a run, updated by the workers.
#[derive(Debug)]
pub struct Overhead {
    plies: AtomicU64,
    /// Minimum round-trip time so far, in nanoseconds.
    round_trip: AtomicU64,
    /// Processor time of this process and of its terminated children before the run.
    before: [Duration; 2],
}

impl Default for Overhead {
    fn default() -> Overhead {
        let before = processor_time().unwrap_or_default();
        Overhead { plies: AtomicU64::new(0), round_trip: AtomicU64::new(u64::MAX), before }
    }
}

impl Overhead {
    /// Adds a finished game with this number of decisions.
    pub fn game(&self, plies: usize) {
        self.plies.fetch_add(plies as u64, Ordering::Relaxed);
    }

    /// Records the time from `isready` to `readyok`.
    pub fn round_trip(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.round_trip.fetch_min(nanoseconds, Ordering::Relaxed);
    }

    /// The summary so far.
    pub fn summary(&self) -> OverheadSummary {
        let plies = self.plies.load(Ordering::Relaxed);
        let round_trip = self.round_trip.load(Ordering::Relaxed);
        let now = processor_time().unwrap_or_default();
        let [referee, engines] = [0, 1].map(|i| now[i].saturating_sub(self.before[i]));
        let a_ply = |time: Duration| time.as_secs_f64() * 1e6 / plies.max(1) as f64;
        OverheadSummary {
            plies,
            referee_us_a_ply: a_ply(referee),
            engines_us_a_ply: a_ply(engines),
            round_trip_us: (round_trip < u64::MAX).then_some(round_trip as f64 / 1000.0),
            peak_mib: peak_kib().map(|kib| kib as f64 / 1024.0),
        }
    }
}

/// The overhead of a run.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct OverheadSummary {
    /// Number of decisions in finished games.
    pub plies: u64,
    /// The referee's processor time per ply, in microseconds.
    pub referee_us_a_ply: f64,
    /// The processor time per ply of the engines that have terminated, in microseconds.
    pub engines_us_a_ply: f64,
    /// The minimum round-trip latency from `isready` to `readyok`, in microseconds. Clocks cannot
    /// be more precise.
    pub round_trip_us: Option<f64>,
    /// The referee's peak resident memory.
    pub peak_mib: Option<f64>,
}

impl std::fmt::Display for OverheadSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "referee: {:.1} us of processor time per ply", self.referee_us_a_ply)?;
        if let Some(us) = self.round_trip_us {
            write!(f, ", minimum round-trip latency {us:.0} us")?;
        }
        if let Some(mib) = self.peak_mib {
            write!(f, ", peak memory {mib:.0} MiB")?;
        }
        Ok(())
    }
}

/// Processor time of this process and of its terminated children, from fields 14 to 17 of Linux's
/// `/proc/self/stat`.
fn processor_time() -> Option<[Duration; 2]> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may contain blanks, so count the fields after it.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<u64>().ok();
    let second = rustix::param::clock_ticks_per_second();
    let time = |a: u64, b: u64| Duration::from_secs_f64((a + b) as f64 / second as f64);
    Some([time(ticks(11)?, ticks(12)?), time(ticks(13)?, ticks(14)?)])
}

fn peak_kib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_adds_up_games_and_keeps_the_minimum_latency() {
        let cost = Overhead::default();
        assert_eq!(cost.summary().round_trip_us, None);
        cost.game(80);
        cost.game(70);
        cost.round_trip(Duration::from_micros(50));
        cost.round_trip(Duration::from_micros(30));
        cost.round_trip(Duration::from_micros(40));
        let summary = cost.summary();
        assert_eq!((summary.plies, summary.round_trip_us), (150, Some(30.0)));
        if cfg!(target_os = "linux") {
            assert!(summary.peak_mib.is_some_and(|mib| mib > 0.1), "{summary:?}");
        }
    }
}
