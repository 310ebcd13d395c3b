//! Power and load, as Linux tells them.

use agon_games::phrase::{Phrase, phrase};
use std::path::Path;

/// What may make engines slow, one sentence each; none on other systems.
pub fn notes() -> Vec<Phrase> {
    let mut notes = Vec::new();
    let value = |path: &Path| std::fs::read_to_string(path).ok().map(|t| t.trim().to_string());
    let supplies = std::fs::read_dir("/sys/class/power_supply").into_iter().flatten().flatten();
    for supply in supplies.map(|entry| entry.path()) {
        if value(&supply.join("status")).as_deref() == Some("Discharging") {
            let charge = value(&supply.join("capacity"))
                .map_or(Phrase::default(), |percent| phrase!(" at {percent} %", percent));
            notes.push(phrase!("on battery power{charge}: plug it in", charge));
        }
    }
    let governor = value(Path::new("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    if governor.as_deref() == Some("powersave") {
        notes.push(phrase!("the processor's governor is `powersave`: it may run slowly"));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = value(Path::new("/proc/loadavg"))
        .and_then(|t| t.split_whitespace().next()?.parse::<f64>().ok());
    if load.is_some_and(|load| load > cores as f64 / 2.0) {
        let load = load.unwrap_or_default();
        notes.push(phrase!(
            "other programs are running (load {load} on {cores} cores): close them",
            load,
            cores
        ));
    }
    notes
}
