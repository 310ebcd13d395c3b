//! The memory of an engine with all its descendants and the files of its sandbox, and their number. The
//! limit of the system is for each process alone, so the guard looks at the sum now and then.

use crate::guard::launch::{Excess, Launch};
use rustix::process::Pid;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the sum is made.
const INTERVAL: Duration = Duration::from_millis(50);
/// The maximum number of processes of an engine whose memory is limited.
const PROCESSES: usize = 256;
/// What the kernel holds for an empty file, in bytes, about.
const FILE: u64 = 1 << 10;

/// What an engine may use.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    bytes: u64,
    /// Its folders in memory.
    scratch: Vec<OsString>,
}

impl Bounds {
    /// Those of a launch; `None` if its memory is not limited.
    pub(super) fn of(launch: &Launch) -> Option<Bounds> {
        let bytes = launch.memory_mib?.saturating_mul(1 << 20);
        Some(Bounds { bytes, scratch: launch.scratch.clone() })
    }

    /// Waits until the descendants of this process use too much of this, or `is_over`; returns whether
    /// they do.
    pub(super) fn wait(&self, of: Excess, is_over: impl Fn() -> bool) -> bool {
        loop {
            std::thread::sleep(INTERVAL);
            if is_over() {
                return false;
            }
            let processes = descendants();
            let is_beyond = match of {
                Excess::Processes => processes.len() > PROCESSES,
                Excess::Memory => {
                    self.used(&processes, resident) > self.bytes
                        && self.used(&processes, proportional) > self.bytes
                }
            };
            if is_beyond {
                return true;
            }
        }
    }

    /// The memory of processes, and of the files in the folders.
    fn used(&self, processes: &[Pid], of: fn(&Path) -> Option<u64>) -> u64 {
        let folder = |pid: &Pid| PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
        let own = processes.iter().filter_map(|pid| of(&folder(pid)));
        // The last one is inside the sandbox.
        let inside = processes.last().map(folder);
        let files = self.scratch.iter().zip(inside.iter().cycle());
        let files = files.filter_map(|(name, inside)| files_in(inside, Path::new(name)));
        own.chain(files).fold(0, u64::saturating_add)
    }
}

/// All descendants of this process, parents before their children.
fn descendants() -> Vec<Pid> {
    let mut found = Vec::new();
    let mut next = vec![rustix::process::getpid()];
    while let Some(parent) = next.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()));
        for task in tasks.into_iter().flatten().map_while(Result::ok) {
            let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            let ids =
                text.split_ascii_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?));
            next.extend(ids.clone());
            found.extend(ids);
        }
        if found.len() > PROCESSES {
            break;
        }
    }
    found
}

/// The resident memory of a process in bytes; what it shares with others counts in full.
fn resident(process: &Path) -> Option<u64> {
    bytes_of("VmRSS:", &process.join("status"))
}

/// The same, with a share of what it shares with others.
fn proportional(process: &Path) -> Option<u64> {
    bytes_of("Pss:", &process.join("smaps_rollup")).or_else(|| resident(process))
}

/// The number of KiB in a line of a file of the kernel, in bytes.
fn bytes_of(name: &str, file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1 << 10))
}

/// The size of the files in a folder in memory that only the process has.
fn files_in(process: &Path, folder: &Path) -> Option<u64> {
    let inside = process.join("root").join(folder.strip_prefix("/").ok()?);
    let device = |path: &Path| path.metadata().map(|data| data.dev()).ok();
    if device(&inside)? == device(folder)? {
        return None;
    }
    let usage = rustix::fs::statvfs(&inside).ok()?;
    let content = usage.f_blocks.saturating_sub(usage.f_bfree).saturating_mul(usage.f_frsize);
    let files = usage.f_files.saturating_sub(usage.f_ffree).saturating_mul(FILE);
    Some(content.saturating_add(files))
}
