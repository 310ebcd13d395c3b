//! Threads, as many as the system grants: it may refuse some by a limit on processes or on memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

/// The address space that a thread may take before it does anything: its stack, and the arena of the
/// system's allocator.
const SPACE: usize = 72 << 20;

/// Starts a thread in a scope.
///
/// # Errors
///
/// The system refuses it; [`std::thread::Scope::spawn`] would panic.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let started = Builder::new().spawn_scoped(scope, work);
    started.inspect_err(|error| log::warn!("searching with fewer threads: {error}"))
}

/// How many of `wanted` threads the system grants now, this one included and `reserved` bytes left for
/// other things: at least 1.
pub fn granted(wanted: usize, reserved: usize) -> usize {
    let most = (1..wanted).rev().find(|&helpers| has_space(helpers, reserved)).unwrap_or(0);
    1 + started(most)
}

/// Whether there is address space for so many threads and these bytes; only Linux has a limit on it that is in
/// use (`ulimit -v`).
fn has_space(threads: usize, reserved: usize) -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let bytes = threads.checked_mul(SPACE).and_then(|bytes| bytes.checked_add(reserved));
    // Mapped, not used: no memory is taken.
    let map = |bytes| memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon();
    bytes.is_some_and(|bytes| map(bytes).is_ok())
}

/// How many of these threads start, all at the same time.
fn started(threads: usize) -> usize {
    let is_over = &AtomicBool::new(false);
    let wait = move || {
        while !is_over.load(Ordering::Relaxed) {
            std::thread::park();
        }
    };
    scope(|scope| {
        let threads = (0..threads).map_while(|_| Builder::new().spawn_scoped(scope, wait).ok());
        let threads: Vec<_> = threads.collect();
        is_over.store(true, Ordering::Relaxed);
        threads.iter().for_each(|thread| thread.thread().unpark());
        threads.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_threads_are_granted_and_never_more_than_wanted() {
        assert_eq!(granted(1, usize::MAX), 1);
        assert_eq!(granted(3, 0), 3);
        if cfg!(target_os = "linux") {
            assert_eq!(granted(3, usize::MAX / 2), 1);
            assert!(!has_space(usize::MAX, 0) && !has_space(usize::MAX / SPACE, 0));
        }
    }
}
