//! Steps about the machine: the program's file, disk, power, load.

use super::power;
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
    Some(fs4::available_space(folder).ok()? >> 20)
}

/// Power and load, as far as the system tells them.
pub fn power() -> Step {
    let mut notes = power::notes();
    let by_hand = "turn off sleep, screen saver and updates by hand";
    if notes.is_empty() {
        return Step::passed("power", format!("no battery in use, no load; {by_hand}"));
    }
    notes.push(by_hand.into());
    Step::remark("power", notes.join("\n"))
}
