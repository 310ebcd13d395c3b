//! The referee's overhead: processor time, memory, and the minimum round-trip latency of `isready`.

use crate::machine::peak_kib;
use agon_engine::guard;
use cpu_time::ProcessTime;
use std::fmt::{Display, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Measurements during a run, updated by the workers.
#[derive(Debug)]
pub struct Overhead {
    plies: AtomicU64,
    /// Minimum round-trip time of `isready` so far, in nanoseconds.
    latency: AtomicU64,
    /// Number of its measurements.
    measured: AtomicU64,
    /// Processor time of this process and of its terminated children before the run.
    before: [Duration; 2],
}

/// Number of measurements of the latency in a run: enough for a minimum, too few to slow it down.
const MEASUREMENTS: u64 = 100;

impl Default for Overhead {
    fn default() -> Overhead {
        Overhead {
            plies: AtomicU64::new(0),
            latency: AtomicU64::new(u64::MAX),
            measured: AtomicU64::new(0),
            before: processor_time(),
        }
    }
}

impl Overhead {
    /// Adds a finished game with this number of decisions.
    pub fn game(&self, plies: usize) {
        self.plies.fetch_add(plies as u64, Ordering::Relaxed);
    }

    /// Whether the latency should be measured once more.
    pub fn wants_latency(&self) -> bool {
        self.measured.fetch_add(1, Ordering::Relaxed) < MEASUREMENTS
    }

    /// Records a time from `isready` alone to `readyok`.
    pub fn latency(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.latency.fetch_min(nanoseconds, Ordering::Relaxed);
    }

    /// The summary so far.
    pub fn summary(&self) -> OverheadSummary {
        let plies = self.plies.load(Ordering::Relaxed);
        let latency = self.latency.load(Ordering::Relaxed);
        let now = processor_time();
        let [referee, engines] = [0, 1].map(|i| now[i].saturating_sub(self.before[i]));
        let per_ply = |time: Duration| time.as_secs_f64() * 1e6 / plies.max(1) as f64;
        OverheadSummary {
            plies,
            referee_us_per_ply: per_ply(referee),
            engines_us_per_ply: per_ply(engines),
            min_isready_us: (latency < u64::MAX).then_some(latency as f64 / 1000.0),
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
    pub referee_us_per_ply: f64,
    /// The processor time per ply of the engines that have terminated, in microseconds.
    pub engines_us_per_ply: f64,
    /// The minimum round-trip latency of `isready` alone, in microseconds; `None` if no engine
    /// speaks a dialect with that command. Clocks cannot be more precise.
    pub min_isready_us: Option<f64>,
    /// The referee's peak resident memory.
    pub peak_mib: Option<f64>,
}

impl Display for OverheadSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "processor time per ply: referee {}", Microseconds(self.referee_us_per_ply))?;
        write!(f, ", engines {}", Microseconds(self.engines_us_per_ply))?;
        if let Some(us) = self.min_isready_us {
            write!(f, "; minimum round-trip latency of isready {}", Microseconds(us))?;
        }
        if let Some(mib) = self.peak_mib {
            write!(f, "; peak memory {mib:.0} MiB")?;
        }
        Ok(())
    }
}

/// A time with one decimal; one that would be printed as 0.0 is below the resolution.
struct Microseconds(f64);

impl Display for Microseconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            us if us < 0.1 => f.write_str("below 0.1 us"),
            us if us < 100.0 => write!(f, "{us:.1} us"),
            us if us < 10_000.0 => write!(f, "{us:.0} us"),
            us if us < 1e6 => write!(f, "{:.1} ms", us / 1e3),
            us => write!(f, "{:.2} s", us / 1e6),
        }
    }
}

/// The processor time of this process and of its terminated children.
fn processor_time() -> [Duration; 2] {
    let own = ProcessTime::try_now().map(|time| time.as_duration()).unwrap_or_default();
    [own, guard::ended_processor_time()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::time::Instant;

    #[test]
    fn the_summary_adds_up_games_and_keeps_the_minimum_latency() {
        let cost = Overhead::default();
        assert_eq!(cost.summary().min_isready_us, None);
        cost.game(80);
        cost.game(70);
        cost.latency(Duration::from_micros(50));
        cost.latency(Duration::from_micros(30));
        cost.latency(Duration::from_micros(40));
        let summary = cost.summary();
        assert_eq!((summary.plies, summary.min_isready_us), (150, Some(30.0)));
        if cfg!(target_os = "linux") {
            assert!(summary.peak_mib.is_some_and(|mib| mib > 0.1), "{summary:?}");
        }
        assert_eq!((0..200).filter(|_| cost.wants_latency()).count() as u64, MEASUREMENTS);
    }

    /// A tick of the system lasts 1 to 10 ms; work of far less must not count as nothing.
    #[test]
    fn work_of_less_than_a_tick_is_measured() {
        let measured = (0..20).any(|_| {
            let cost = Overhead::default();
            cost.game(1);
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_micros(500) {
                black_box(begin);
            }
            // Other tests of this process add their time, but not a second in each of 20 attempts.
            (100.0..1e6).contains(&cost.summary().referee_us_per_ply)
        });
        assert!(measured);
    }

    #[test]
    fn times_are_printed_with_their_resolution() {
        let text = |us| Microseconds(us).to_string();
        let expected = ["below 0.1 us", "0.1 us", "12.3 us", "1000 us", "12.5 ms", "2.00 s"];
        assert_eq!([0.0, 0.1, 12.34, 1000.0, 12_500.0, 2e6].map(text), expected);
        let summary = OverheadSummary {
            plies: 3,
            referee_us_per_ply: 0.0,
            engines_us_per_ply: 850.0,
            min_isready_us: Some(31.25),
            peak_mib: None,
        };
        assert_eq!(
            summary.to_string(),
            "processor time per ply: referee below 0.1 us, engines 850 us; minimum round-trip \
             latency of isready 31.2 us"
        );
    }
}
