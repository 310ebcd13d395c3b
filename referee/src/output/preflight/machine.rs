//! Steps about the machine: the program's file, disk, power, load.

use super::step::Step;
use crate::matchlog::EngineEntry;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Free space in MiB below which a disk is too full: sessions and records are small, an engine's notes may
/// not be.
const LEAST_MIB: u64 = 100;

/// The program and its hash, to compare with what was tested before.
pub fn program(entry: &EngineEntry) -> Step {
    let files = entry.files.iter().fold(String::new(), |mut text, file| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{} SHA-256 {}", file.name, file.value);
        text
    });
    let command = entry.command.join(" ");
    Step::passed("program", format!("{} ({command})\nSHA-256 {}{files}", entry.name, entry.sha256))
}

/// Space, and a file that is written to the disk itself and read back.
pub fn disk(folder: &Path) -> Step {
    let shown = folder.display();
    let begin = Instant::now();
    let text = b"a line of a session\n";
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(text)?;
        file.as_file().sync_all()?;
        std::fs::read(file.path())
    });
    let ms = begin.elapsed().as_millis();
    match written {
        Err(e) => {
            return Step::failed(
                "disk",
                format!("cannot write in {shown}: {e}; choose another --folder"),
            );
        }
        Ok(read) if read != text => {
            return Step::failed("disk", format!("{shown}: what is read is not what was written"));
        }
        Ok(_) => {}
    }
    let Some(free) = free_mib(folder) else {
        return Step::passed(
            "disk",
            format!("{shown} is writable, in {ms} ms; its free space is unknown"),
        );
    };
    let detail = format!("{shown} is writable, in {ms} ms; {free} MiB free");
    if free < LEAST_MIB {
        return Step::failed("disk", format!("{detail}: expected at least {LEAST_MIB} MiB"));
    }
    Step::passed("disk", detail)
}

fn free_mib(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some((disk.f_bavail.saturating_mul(disk.f_frsize)) >> 20)
}

/// Power and load, as far as Linux tells them.
pub fn power() -> Step {
    let mut notes = Vec::new();
    let value = |path: &Path| std::fs::read_to_string(path).ok().map(|t| t.trim().to_string());
    let supplies = std::fs::read_dir("/sys/class/power_supply").into_iter().flatten().flatten();
    for supply in supplies.map(|entry| entry.path()) {
        if value(&supply.join("status")).as_deref() == Some("Discharging") {
            let charge =
                value(&supply.join("capacity")).map_or(String::new(), |c| format!(" at {c} %"));
            notes.push(format!("it runs on its battery{charge}: plug it in"));
        }
    }
    let governor = value(Path::new("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    if governor.as_deref() == Some("powersave") {
        notes.push("the processor's governor is `powersave`: it may run slowly".into());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = value(Path::new("/proc/loadavg"))
        .and_then(|t| t.split_whitespace().next()?.parse::<f64>().ok());
    if load.is_some_and(|load| load > cores as f64 / 2.0) {
        let load = load.unwrap_or_default();
        notes.push(format!("other programs run (load {load} on {cores} cores): close them"));
    }
    let by_hand = "turn off sleep, screen saver and updates by hand";
    if notes.is_empty() {
        return Step::passed("power", format!("no battery in use, no load; {by_hand}"));
    }
    notes.push(by_hand.into());
    Step::remark("power", notes.join("\n"))
}
