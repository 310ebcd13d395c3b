//! What reading a log does not check, and the hashes of last lines.

use agon_matchlog::{LogError, caveats, head};
use std::path::PathBuf;
use std::slice;

/// What reading these logs does not check: a line for each sentence, which names its logs.
pub fn unchecked(logs: &[PathBuf]) -> Result<Vec<String>, LogError> {
    let mut said: Vec<(&str, Vec<String>)> = Vec::new();
    for log in logs {
        for what in caveats(log)? {
            let name = log.display().to_string();
            match said.iter_mut().find(|(known, _)| *known == what) {
                Some((_, names)) => names.push(name),
                None => said.push((what, vec![name])),
            }
        }
    }
    let line =
        |(what, names): (&str, Vec<String>)| format!("{}: not checked: {what}", names.join(", "));
    Ok(said.into_iter().map(line).collect())
}

/// Prints them before the results.
pub fn print_unchecked(logs: &[PathBuf]) -> Result<(), LogError> {
    unchecked(logs)?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// What an export says beside the games, on standard error: what is not checked, and the hash of the last line.
pub fn print_beside(log: &PathBuf) -> Result<(), LogError> {
    unchecked(slice::from_ref(log))?.iter().for_each(|line| eprintln!("{line}"));
    eprintln!("{}: hash of the last line: {}", log.display(), head(log)?);
    Ok(())
}

/// Prints the hash of the last line of each log.
pub fn print_heads(logs: &[PathBuf]) -> Result<(), LogError> {
    for log in logs {
        println!("{}: hash of the last line: {}", log.display(), head(log)?);
    }
    Ok(())
}

/// The hashes of the last lines of logs.
pub fn heads(logs: &[PathBuf]) -> Result<Vec<String>, LogError> {
    logs.iter().map(|log| head(log)).collect()
}
