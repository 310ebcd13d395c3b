//! Describes the machine that a match is played on.

use crate::matchlog::Machine;

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

/// The value of the first line `KEY : VALUE` of a file.
fn line_value(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut pairs = text.lines().filter_map(|l| l.split_once(':'));
    let (_, value) = pairs.find(|(k, _)| k.trim() == key)?;
    Some(value.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_an_operating_system_and_processors() {
        let machine = this_machine();
        assert!(!machine.os.is_empty() && machine.cores.is_some_and(|n| n > 0), "{machine:?}");
        if cfg!(target_os = "linux") {
            assert!(machine.memory_mib.is_some_and(|mib| mib > 16), "{machine:?}");
        }
    }
}
