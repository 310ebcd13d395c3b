//! Power and load, as Windows tells them.

use agon_games::phrase::{Phrase, phrase};
use std::time::Duration;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Power::{GetSystemPowerStatus, SYSTEM_POWER_STATUS};
use windows_sys::Win32::System::Threading::GetSystemTimes;

/// How long the load is measured.
const SAMPLE: Duration = Duration::from_millis(300);

/// What may make engines slow, one sentence each.
pub fn notes() -> Vec<Phrase> {
    let mut notes = Vec::new();
    let mut power = SYSTEM_POWER_STATUS::default();
    // SAFETY: the pointer is to the structure that is filled.
    let known = unsafe { GetSystemPowerStatus(&mut power) } != 0;
    if known && power.ACLineStatus == 0 {
        let charge = match power.BatteryLifePercent {
            percent @ 0..=100 => phrase!(" at {percent} %", percent),
            _ => Phrase::default(),
        };
        notes.push(phrase!("on battery power{charge}: plug it in", charge));
    }
    if let Some(percent) = load().filter(|&percent| percent > 50) {
        notes.push(phrase!("other programs are running (load {percent} %): close them", percent));
    }
    notes
}

/// The share of the processors' time that is in use now, in percent.
fn load() -> Option<u64> {
    let (idle, all) = times()?;
    std::thread::sleep(SAMPLE);
    let (idle_after, all_after) = times()?;
    let (idle, all) = (idle_after.saturating_sub(idle), all_after.saturating_sub(all));
    (all > 0).then(|| 100 * all.saturating_sub(idle) / all)
}

/// The idle time and the whole time of all processors, in 100 ns.
fn times() -> Option<(u64, u64)> {
    let [mut idle, mut kernel, mut user] = [FILETIME::default(); 3];
    // SAFETY: the pointers are to three times.
    let done = unsafe { GetSystemTimes(&mut idle, &mut kernel, &mut user) };
    let ticks =
        |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    // The kernel's time includes the idle time.
    (done != 0).then(|| (ticks(idle), ticks(kernel) + ticks(user)))
}
