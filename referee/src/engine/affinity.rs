//! Processor affinity: the cores that a program or a thread may run on.

use std::io;

/// Parses `0-3`, `0+2` or `0,2-3`.
pub fn parse(text: &str) -> Result<Vec<usize>, String> {
    let bad = || format!("bad cores `{text}`: expected numbers and ranges such as 0-3 or 0+2");
    let mut cores = Vec::new();
    for part in text.split([',', '+']) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |t: &str| t.trim().parse::<usize>().map_err(|_| bad());
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last >= MAX_CORES {
            return Err(bad());
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Upper bound of core numbers, exclusive.
const MAX_CORES: usize = 1024;

/// Restricts this thread, and the processes that it starts from now on, to these cores. An empty
/// list changes nothing.
#[cfg(target_os = "linux")]
pub fn restrict(cores: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
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
#[cfg(target_os = "linux")]
pub fn pin_thread(number: usize) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None)?;
    let cores: Vec<usize> = (0..MAX_CORES).filter(|&core| allowed.is_set(core)).collect();
    let Some(&core) = cores.get(number % cores.len().max(1)) else { return Ok(()) };
    let mut set = CpuSet::new();
    set.set(core);
    Ok(sched_setaffinity(None, &set)?)
}

/// Not supported on this system.
#[cfg(not(target_os = "linux"))]
pub fn restrict(cores: &[usize]) -> io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    Err(io::Error::other("cores can be chosen on Linux only"))
}

/// Not supported on this system.
#[cfg(not(target_os = "linux"))]
pub fn pin_thread(_number: usize) -> io::Result<()> {
    Err(io::Error::other("cores can be chosen on Linux only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!(parse("0-3"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(parse("5+1,2-3"), Ok(vec![1, 2, 3, 5]));
        for bad in ["", "x", "3-1", "1-", "0-99999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_restricted_to_its_cores() {
        use rustix::thread::sched_getaffinity;
        let before = sched_getaffinity(None).unwrap();
        let core = (0..MAX_CORES).find(|&c| before.is_set(c)).unwrap();
        let inside = std::thread::spawn(move || {
            restrict(&[core]).unwrap();
            sched_getaffinity(None).unwrap()
        });
        let inside = inside.join().unwrap();
        assert!(inside.count() == 1 && inside.is_set(core));
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
