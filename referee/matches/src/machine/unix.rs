//! The machine on Unix.

use agon_games::text::visible;
use agon_matchlog::Machine;

/// This machine. Processor and memory are known on Linux only.
pub fn this_machine() -> Machine {
    let system = rustix::system::uname();
    let words = [system.sysname(), system.release(), system.machine()];
    let memory = line_value("/proc/meminfo", "MemTotal");
    let kib = memory.and_then(|m| m.split_whitespace().next()?.parse::<u64>().ok());
    Machine {
        cpu: line_value("/proc/cpuinfo", "model name"),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        memory_mib: kib.map(|kib| kib / 1024),
        os: words.map(|w| w.to_string_lossy()).join(" "),
    }
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    visible(&rustix::system::uname().nodename().to_string_lossy()).into_owned()
}

/// The value of the first line `KEY : VALUE` of a file.
fn line_value(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut pairs = text.lines().filter_map(|l| l.split_once(':'));
    let (_, value) = pairs.find(|(k, _)| k.trim() == key)?;
    Some(value.trim().to_string())
}

/// The peak resident memory of this process; Linux only.
pub fn peak_kib() -> Option<u64> {
    let memory = line_value("/proc/self/status", "VmHWM");
    memory.and_then(|m| m.split_whitespace().next()?.parse().ok())
}
