//! Tools that read logs, besides reports: ratings and exports; and shell completions and manual
//! pages.

use crate::support::matches::MATCH;
use crate::support::{program, run, texts};
use serde_json::Value;
use std::path::Path;

fn referee(words: &[&str]) -> (bool, String, String) {
    let output = run("referee", words, MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out, err)
}

/// A round robin of four engines, one of which loses every game.
fn tournament(folder: &Path, hopeless: bool) -> String {
    let log = folder.join("log.jsonl").display().to_string();
    let engines: Vec<String> = (1..=3)
        .map(|seed| format!("name=e{seed},cmd={} {seed}", program("trivial").display()))
        .chain(hopeless.then(|| format!("name=zero,cmd={} illegal", program("rogue").display())))
        .collect();
    let mut words = vec!["tournament", "--game", "amazons", "--quiet", "--depth", "1"];
    words.extend(["--games", "12", "--random-plies", "2", "--log", &log]);
    for engine in &engines {
        words.extend(["--engine", engine]);
    }
    let output = run("referee", &words, MATCH);
    // Status 5: the match is complete, and games were lost by faults.
    let expected = if hopeless { 5 } else { 0 };
    assert_eq!(output.status.code(), Some(expected), "{}", texts(&output).1);
    log
}

#[test]
fn ratings_come_from_a_log_as_a_table_and_as_json() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = tournament(folder.path(), true);
    let (success, _, err) = referee(&["ratings", &log]);
    assert!(!success && err.contains("zero") && err.contains("--prior"), "{err}");
    let (success, out, err) = referee(&["ratings", &log, "--prior", "1", "--anchor", "e1=1500"]);
    assert!(success, "{err}");
    let rank = |name: &str| {
        out.lines().position(|l| l.split_whitespace().take(2).any(|word| word == name))
    };
    assert_eq!(rank("zero"), rank("Engine").map(|head| head + 4), "{out}");
    assert!(out.lines().any(|l| l.contains("e1 ") && l.contains("1500.0")), "{out}");
    assert!(out.contains("moving first is worth"), "{out}");
    let (success, out, _) = referee(&["ratings", &log, "--prior", "1", "--json"]);
    assert!(success);
    let list: Value = serde_json::from_str(&out).expect("JSON");
    let elo = |i: usize| list["engines"][i]["elo"].as_f64().expect("a number");
    assert!((0..3).all(|i| elo(i) >= elo(i + 1)));
    assert!((0..4).map(elo).sum::<f64>().abs() < 1e-6, "the mean is 0");
    assert_eq!(list["covariance"].as_array().map(Vec::len), Some(5));
    assert_eq!(list["errors"]["relative_to"], "the mean of all engines");
    let words = ["ratings", &log, "--prior", "1", "--anchor", "e2=0", "--json"];
    let anchored: Value = serde_json::from_str(&referee(&words).1).expect("JSON");
    assert_eq!(anchored["errors"]["relative_to"], "engine e2");
    assert_eq!(anchored["errors"]["level"], 0.95);
    let of = |list: &Value, name: &str, key: &str| {
        let engines = list["engines"].as_array().expect("engines").clone();
        engines.iter().find(|e| e["name"] == name).expect("the engine")[key]
            .as_f64()
            .expect("a number")
    };
    assert!(of(&anchored, "e2", "error") < 1e-6);
    // The variance of the difference from the anchor, by the covariances of the free list.
    let c = |i: usize, j: usize| list["covariance"][i][j].as_f64().expect("a number");
    let error = 1.959964 * (c(0, 0) + c(1, 1) - 2.0 * c(0, 1)).sqrt();
    assert!((of(&anchored, "e1", "error") / error - 1.0).abs() < 1e-5);
}

#[test]
fn a_log_is_exported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = tournament(folder.path(), false);
    let (success, pgn, err) = referee(&["export", &log, "--format", "pgn"]);
    assert!(success, "{err}");
    assert_eq!(pgn.matches("[White \"").count(), 36);
    let out = folder.path().join("games.csv");
    let path = out.display().to_string();
    let (success, _, err) = referee(&["export", &log, "--format", "csv", "--out", &path]);
    assert!(success, "{err}");
    let text = std::fs::read_to_string(out).expect("the file");
    assert_eq!(text.lines().count(), 37);
    assert!(text.starts_with("game,pair,first,second,result"), "{text}");
    let (success, _, err) = referee(&["export", &log, "--format", "wxf"]);
    assert!(!success && err.contains("xiangqi"), "{err}");
}

#[test]
fn shells_and_manual_readers_get_what_they_ask_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut programs = std::process::Command::new(env!("CARGO_BIN_EXE_programs"));
    let made = programs.arg("describe").arg(folder.path()).status().expect("the program starts");
    assert!(made.success());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let text = read(&format!("completions/referee.{shell}"));
        assert!(text.contains("tournament") && text.contains("elo0"), "{shell}");
        assert!(read(&format!("completions/amazons.{shell}")).contains("perft"), "{shell}");
    }
    for page in ["referee", "referee-desk", "amazons", "connect6"] {
        assert!(read(&format!("man/{page}.1")).contains(".TH"), "{page}");
    }
    let pages = std::fs::read_dir(folder.path().join("man")).expect("the folder").count();
    assert!(pages > 20, "{pages} pages");
}
