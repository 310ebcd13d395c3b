//! Times of day that never run backwards.

use std::time::{Instant, SystemTime};

/// The system's clock when it was made, and the time that has passed since.
pub struct DayClock {
    begin: Instant,
    begin_ms: u64,
}

impl DayClock {
    /// A clock that shows no time before `earliest`, in milliseconds of the Unix clock: the system's
    /// clock may have been set back since a session was written.
    pub fn new(earliest: u64) -> DayClock {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        DayClock { begin: Instant::now(), begin_ms: now.max(earliest) }
    }

    /// Milliseconds of the Unix clock.
    pub fn now(&self) -> u64 {
        let passed = u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(0);
        self.begin_ms.saturating_add(passed)
    }
}
