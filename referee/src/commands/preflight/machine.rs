//! Steps about the machine: the program's file, disk, power, load.

use super::power;
use super::step::PreflightStep;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::EngineEntry;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Free space in MiB below which a disk is too full: sessions and records are small, an engine's notes may
/// not be.
const LEAST_MIB: u64 = 100;

/// The program and its hash, to compare with what was tested before.
pub fn program(entry: &EngineEntry) -> PreflightStep {
    let files = entry.files.iter().fold(String::new(), |mut text, file| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{} SHA-256 {}", file.name, file.value);
        text
    });
    let command = entry.command.join(" ");
    let text = format!("{} ({command})\nSHA-256 {}{files}", entry.name, entry.sha256);
    PreflightStep::passed("program", Phrase::Plain(text))
}

/// Space, and a file that is written to the disk itself and read back.
pub fn disk(folder: &Path) -> PreflightStep {
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
        Err(cause) => {
            let wrong = phrase!(
                "cannot write in {path}: {cause}; choose another --folder",
                path = shown,
                cause
            );
            return PreflightStep::failed("disk", wrong);
        }
        Ok(read) if read != text => {
            let wrong = phrase!("{path}: what is read is not what was written", path = shown);
            return PreflightStep::failed("disk", wrong);
        }
        Ok(_) => {}
    }
    let Some(free) = free_mib(folder) else {
        return PreflightStep::passed(
            "disk",
            phrase!("{path} is writable, in {ms} ms; its free space is unknown", path = shown, ms),
        );
    };
    let detail = phrase!("{path} is writable, in {ms} ms; {free} MiB free", path = shown, ms, free);
    if free < LEAST_MIB {
        return PreflightStep::failed(
            "disk",
            phrase!("{detail}: expected at least {n} MiB", detail, n = LEAST_MIB),
        );
    }
    PreflightStep::passed("disk", detail)
}

fn free_mib(folder: &Path) -> Option<u64> {
    Some(fs4::available_space(folder).ok()? >> 20)
}

/// Power and load, as far as the system tells them.
pub fn power() -> PreflightStep {
    let by_hand = phrase!("turn off sleep, screen saver and updates by hand");
    let line = |before: Phrase, note: Phrase| phrase!("{before}\n{note}", before, note);
    match power::notes().into_iter().reduce(line) {
        None => PreflightStep::passed(
            "power",
            phrase!("no battery in use, no load; {by_hand}", by_hand),
        ),
        Some(notes) => PreflightStep::remark("power", line(notes, by_hand)),
    }
}
