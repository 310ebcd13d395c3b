//! The exact loss of EinStein players: `lab einstein loss`, and its section of `referee reproduce einstein`.

use crate::support::matches::{MATCH, referee};
use crate::support::{program, run, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with a tablebase of 3 stones, and the file of a study in it.
struct Study {
    folder: tempfile::TempDir,
    table: String,
}

impl Study {
    fn new() -> Study {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let table = folder.path().join("small.table").display().to_string();
        let output = run("einstein", &["table", "build", &table, "--stones", "3"], MATCH);
        assert!(output.status.success(), "{}", texts(&output).1);
        Study { folder, table }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A study of positions of 4 stones; returns whether it succeeded, its output and its errors.
    fn measure(&self, games: &str, more: &[&str]) -> (bool, String, String) {
        let rows = self.path("rows.jsonl").display().to_string();
        let words = [
            "einstein",
            "--option",
            "Threads=2",
            "loss",
            "--table",
            &self.table,
            &rows,
            "--stones",
            "4",
        ];
        let players = [
            ["--player", "name=greedy,option.Algorithm=greedy"],
            ["--player", "name=random,option.Algorithm=random"],
        ];
        let words = [&words[..], &players.concat(), &["--games", games], more].concat();
        let output = run("lab", &words, MATCH);
        let (out, err) = texts(&output);
        (output.status.success(), out, err)
    }

    fn rows(&self) -> String {
        fs::read_to_string(self.path("rows.jsonl")).expect("the rows")
    }
}

/// The lines of a file of rows, sorted: threads finish games in any order.
fn sorted(rows: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = rows.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_loss_study_resumes_after_a_torn_row_and_prints_rows_of_json() {
    let study = Study::new();
    let (ended, out, err) = study.measure("12", &["--json"]);
    assert!(ended, "{err}");
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!((&lines[0]["games"], &lines[0]["table_stones"]), (&12.into(), &3.into()));
    let names: Vec<&str> = lines[1..].iter().filter_map(|l| l["player"].as_str()).collect();
    assert_eq!(names, ["greedy", "random"]);
    let mean = |i: usize| lines[i]["mean"].as_f64().expect("a mean");
    assert!(mean(1) >= 0.0 && mean(1) < mean(2), "random moves lose more: {out}");
    // Killed while it wrote the last row, it measures that game again, and no other.
    let whole = study.rows();
    fs::write(study.path("rows.jsonl"), &whole[..whole.len() - 9]).expect("torn rows");
    let (ended, again, err) = study.measure("12", &["--json"]);
    assert!(ended, "{err}");
    assert_eq!((again, sorted(&study.rows())), (out, sorted(&whole)));
    // No time: nothing is added.
    let (ended, _, err) = study.measure("400", &["--seconds", "0"]);
    assert!(ended, "{err}");
    assert_eq!(sorted(&study.rows()), sorted(&whole));
}

#[test]
fn bad_input_of_a_loss_study_is_refused_by_name_and_nothing_is_lost() {
    let study = Study::new();
    assert!(study.measure("1", &[]).0);
    let whole = study.rows();
    let refused = |more: &[&str], part: &str| {
        let (ended, _, err) = study.measure("2", more);
        assert!(!ended && err.contains(part), "{part} in {err}");
        assert_eq!(study.rows(), whole);
    };
    refused(&["--player", "name=third"], "of another study");
    refused(&["--player", "name=x,deep=2"], "player field `deep`");
    refused(&["--limit", "5"], "of another study");
    fs::write(study.path("rows.jsonl"), format!("{whole}{{\"game\":1,\"decisions\":7}}\n"))
        .expect("a damaged row");
    let (ended, _, err) = study.measure("2", &[]);
    assert!(!ended && err.contains("rows.jsonl, line 3"), "{err}");
    let rows = study.path("rows.jsonl").display().to_string();
    let fails = |words: &[&str], part: &str| {
        let err = texts(&run("lab", &[&["einstein"], words].concat(), MATCH)).1;
        assert!(err.contains(part), "{part} in {err}");
    };
    fails(&["loss", "--table", &study.table, &rows, "--stones", "3-9"], "from 4 to 7");
    fails(&["loss", "--table", "none.table", &rows], "none.table");
    fails(&["loss", "--table", &rows, &rows], "rows.jsonl");
    let nowhere = study.path("none/rows.jsonl").display().to_string();
    fails(&["loss", "--table", &study.table, &nowhere], "none/rows.jsonl");
}

/// `referee reproduce einstein --loss` with positions of 4 stones, the files in this folder.
fn reproduce(study: &Study, more: &[&str]) -> (Option<i32>, String, String) {
    for name in ["einstein", "lab"] {
        program(name);
    }
    let log = study.path("e.jsonl").display().to_string();
    let words = ["reproduce", "einstein", "--loss", "--stones", "4", "--games", "6", "-j", "2"];
    referee(&[&words[..], &["--table", &study.table, "--log", &log], more].concat())
}

#[test]
fn the_referee_draws_the_exact_loss_that_the_engine_measures() {
    let study = Study::new();
    let (page, picture) = (study.path("e.html"), study.path("e.svg"));
    let text = |path: &Path| path.display().to_string();
    let pages = ["--out", &text(&page), "--picture", &text(&picture)];
    let (status, out, err) = reproduce(&study, &pages);
    assert_eq!(status, Some(0), "{err}");
    for part in ["Exact loss by number of stones", "best-no-table", "race-3-ply", "6 games"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let svg = fs::read_to_string(&picture).expect("the picture");
    assert!(svg.contains("<svg") && svg.contains("mcts-paper") && svg.contains("class=\"bar"));
    assert!(fs::read_to_string(&page).expect("the page").contains("stones on the board"));
    assert!(study.path("e.loss.json").exists() && study.path("e.loss-4.jsonl").exists());
    // The same command measures nothing again, and needs no time.
    let before = fs::read(study.path("e.loss-4.jsonl")).expect("the rows");
    let (status, again, err) = reproduce(&study, &["--json", "--seconds", "0"]);
    assert_eq!(status, Some(0), "{err}");
    assert_eq!(fs::read(study.path("e.loss-4.jsonl")).expect("the rows"), before);
    let rows: Vec<Value> = again.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|r| r["table"] == "loss" && r["stones"] == 4), "{again}");
}

#[test]
fn a_loss_section_that_fails_says_why() {
    let study = Study::new();
    let (status, _, err) = reproduce(&study, &["--out", "/none/e.html"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("/none/e.html: the page's folder does not exist"), "{err}");
    assert!(!study.path("e.loss-4.jsonl").exists(), "refused before the work");
    let (status, _, err) = reproduce(&study, &["--paper-budget"]);
    assert!(status == Some(2) && err.contains("--paper-budget"), "{err}");
    fs::write(study.path("e.loss-4.jsonl"), "a letter\n").expect("a file");
    let (status, _, err) = reproduce(&study, &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("e.loss-4.jsonl, line 1"), "{err}");
    assert_eq!(fs::read_to_string(study.path("e.loss-4.jsonl")).expect("the file"), "a letter\n");
}
