//! The descendants of a process, and their end.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::time::{Duration, Instant};

/// How long descendants may take to end after SIGKILL. Only processes that wait for a broken device
/// or network file system need longer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Kills and reaps all children of this process that `doomed` accepts, and all their descendants.
/// Returns the number of processes that were found alive. This process must be a subreaper: children
/// of a killed process become its own.
pub(super) fn kill(doomed: impl Fn(Pid) -> bool) -> usize {
    let begin = Instant::now();
    let mut killed = std::collections::BTreeSet::new();
    loop {
        let alive = living(&doomed);
        if alive.is_empty() || begin.elapsed() > TIMEOUT {
            return killed.len();
        }
        for &pid in &alive {
            // An error means that the process has just ended.
            let _ = kill_process(pid, Signal::KILL);
            killed.insert(pid.as_raw_nonzero());
        }
        // Only own children can be reaped; the others follow when they are own children.
        for &pid in &alive {
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// The living children of this process that `doomed` accepts, and all living descendants of these.
/// Zombie children are reaped.
fn living(doomed: impl Fn(Pid) -> bool) -> Vec<Pid> {
    let own = rustix::process::getpid();
    let processes = processes();
    let mut found: Vec<Pid> = Vec::new();
    let mut next = vec![own];
    while let Some(parent) = next.pop() {
        for process in processes.iter().filter(|p| p.parent == parent) {
            if parent == own && !doomed(process.pid) {
                continue;
            }
            if process.is_zombie {
                let _ = waitpid(Some(process.pid), WaitOptions::NOHANG);
            } else {
                found.push(process.pid);
            }
            next.push(process.pid);
        }
    }
    found
}

struct ProcessState {
    pid: Pid,
    parent: Pid,
    is_zombie: bool,
}

/// All processes of the system, from Linux's `/proc/PID/stat`; elsewhere none.
fn processes() -> Vec<ProcessState> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().map_while(Result::ok);
    let states = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // The name, in parentheses, may contain anything, so read the fields after it.
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        let fields = String::from_utf8_lossy(&stat[name_end + 1..]).into_owned();
        let mut fields = fields.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok().and_then(Pid::from_raw)?;
        Some(ProcessState { pid, parent, is_zombie: matches!(state, "Z" | "X") })
    });
    states.collect()
}
