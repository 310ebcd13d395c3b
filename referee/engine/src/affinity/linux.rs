//! Processor affinity on Linux.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Restricts this thread, and the processes that it starts from now on, to these cores. An empty
/// list changes nothing.
///
/// # Errors
///
/// Fails if the machine has none of these cores.
pub fn restrict(cores: &[usize]) -> io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    sched_setaffinity(None, &set)
        .map_err(|e| io::Error::other(format!("cannot set cores {cores:?}: {e}")))
}

/// Pins this thread, and the processes that it spawns, to the `number`th core that it may use,
/// counted cyclically.
///
/// # Errors
///
/// Fails with the system's error.
pub fn pin_thread(number: usize) -> io::Result<()> {
    let allowed = sched_getaffinity(None)?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let Some(&core) = cores.get(number % cores.len().max(1)) else { return Ok(()) };
    let mut set = CpuSet::new();
    set.set(core);
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_restricted_to_its_cores() {
        use rustix::thread::sched_getaffinity;
        let before = sched_getaffinity(None).unwrap();
        let core = (0..CpuSet::MAX_CPU).find(|&c| before.is_set(c)).unwrap();
        let inside = std::thread::spawn(move || {
            restrict(&[core]).unwrap();
            sched_getaffinity(None).unwrap()
        });
        let inside = inside.join().unwrap();
        assert!(inside.count() == 1 && inside.is_set(core));
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
