//! Logs of matches: made by engines that play at random, verified, and changed.

use super::matches::{MATCH, Match};
use super::{program, run, texts};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

/// A match between two engines that play at random.
pub fn random_match(game: &str, count: u32) -> Match {
    let path = program(game).display().to_string();
    let engine = |name: &str, seed: u32| {
        format!("name={name},cmd={path},option.Algorithm=random,option.Seed={seed}")
    };
    Match::of([engine("a", 1), engine("b", 2)], count)
        .with("--game", game)
        .with("--margin", "5000")
        .with_a_secret()
}

/// Runs `referee verify` on a log: whether it finds no defect, and what it prints.
pub fn verify_file(log: &Path, more: &[&str]) -> (bool, String) {
    let log = log.display().to_string();
    let output = run("referee", &[&["verify", &log], more].concat(), MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out + &err)
}

/// Runs `verify_chance.py` on a log: whether every outcome is that of its secrets, and what it prints.
///
/// # Panics
/// If there is no `python3`.
pub fn verify_chance(log: &Path) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify_chance.py");
    let output = Command::new("python3").arg(script).arg(log).output().expect("python3 starts");
    let (out, err) = texts(&output);
    (output.status.success(), out + &err)
}

/// The text of a log after `edit` has changed its lines. With `mend` the chain is made anew, as
/// somebody would do who wants to hide the change.
///
/// # Panics
/// If a line is not JSON.
pub fn edited(text: &str, mend: bool, edit: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut all: Vec<Value> =
        text.lines().map(|l| serde_json::from_str(l).expect("a line of JSON")).collect();
    edit(&mut all);
    let mut out = String::new();
    let mut before: Option<String> = None;
    for mut line in all {
        if let (true, Some(before)) = (mend, &before) {
            let hash = Sha256::digest(before);
            let prev: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
            line["prev"] = prev.into();
        }
        let line = line.to_string();
        out.push_str(&line);
        out.push('\n');
        before = Some(line);
    }
    out
}
