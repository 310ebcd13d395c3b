//! Engines that load for seconds: the desk and the pages start them before a clock runs, and say so.

use crate::support::desk::{Desk, refusal};
use crate::support::program;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An engine that reads nothing for so many seconds after its start.
fn slow(folder: &TempDir, name: &str, seconds: f64) -> String {
    let script = folder.path().join(format!("{name}.sh"));
    let text = format!("sleep {seconds}\nexec {} 1\n", program("trivial").display());
    fs::write(&script, text).expect("the script");
    format!("name={name},cmd=sh {}", script.display())
}

/// The milliseconds of the first move, and what is left of the engine's clock after it.
fn first_move(desk: &Desk) -> (i64, i64) {
    desk.act(json!({ "do": "run", "team": 0 }));
    let state = desk.until("a proposal", |s| !s["game"]["proposal"].is_null());
    desk.accept();
    let left = desk.shown().1["left_ms"][0].as_i64().expect("milliseconds");
    (state["game"]["proposal"]["ms"].as_i64().expect("milliseconds"), left)
}

fn events(state: &Value) -> Vec<String> {
    let remarks = state["remarks"].as_array().expect("remarks").iter();
    let named = remarks.filter_map(|r| r["do"]["engine"]["event"].as_str());
    named.map(String::from).collect()
}

#[test]
fn loading_costs_no_time_of_the_clock() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = slow(&folder, "ours", 4.0);
    let desk = Desk::begin(&["--game", "amazons", "--tc", "5:00", "--engine", &engine]);
    let (ms, left) = first_move(&desk);
    assert!(ms < 2000 && left > 298_000, "{ms} ms, {left} ms left");
    assert!(events(&desk.shown().0).is_empty());
}

#[test]
fn an_engine_that_is_not_ready_in_time_is_told_with_the_limit_and_its_flag() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = slow(&folder, "ours", 30.0);
    let flags = ["--game", "amazons", "--engine", &engine, "--ready-time", "1.5"];
    let session = folder.path().join("s.jsonl");
    let errors = refusal(&session, &flags);
    let told = "did not answer in time: the limit is 1.5 s; --ready-time sets another";
    assert!(errors.contains("engine ours") && errors.contains(told), "{errors}");
    assert!(!session.exists(), "no session begins without its engine");
    // The stand-by is ready before any clock runs.
    let standby = format!("name=other,cmd={} 7", program("trivial").display());
    let more = ["--second-engine", &standby, "--tc", "5:00"];
    let desk = Desk::begin(&[&flags[..], &more].concat());
    let (ms, left) = first_move(&desk);
    assert!(ms < 2000 && left > 298_000, "{ms} ms, {left} ms left");
    let state = desk.shown().0;
    assert_eq!(events(&state), ["failed", "standby_used"]);
    assert!(state["remarks"].to_string().contains("--ready-time"), "{state}");
    let m = crate::support::matches::Match::of([engine, standby], 1).with("--ready-time", "1");
    let played = m.play();
    assert!(
        !played.success && played.stderr.contains("the limit is 1 s; --ready-time"),
        "{played:?}"
    );
}

/// An engine that is closed from its start until its gate, a file, is there.
fn gated(folder: &TempDir, name: &str) -> (String, PathBuf) {
    let [script, gate] = ["sh", "gate"].map(|end| folder.path().join(format!("{name}.{end}")));
    let text = format!(
        "until [ -e {} ]; do sleep 0.05; done\nexec {} 1\n",
        gate.display(),
        program("trivial").display()
    );
    fs::write(&script, text).expect("the script");
    (format!("name={name},cmd=sh {}", script.display()), gate)
}

/// It starts in the background, and a game waits for it.
#[test]
fn a_resumed_desk_shows_its_page_while_its_engine_starts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (engine, gate) = gated(&folder, "ours");
    let open = || fs::write(&gate, "").expect("the gate");
    let close = || fs::remove_file(&gate).expect("the gate");
    open();
    let flags = ["--game", "amazons", "--tc", "5:00", "--games", "2", "--order", "AA"];
    let mut desk = Desk::begin(&[&flags[..], &["--engine", &engine]].concat());
    desk.act(json!({ "do": "end", "why": "agreed" }));
    desk.process.kill();
    close();
    desk.reopen();
    desk.until("the engine starts", |s| s["starts"] == "ours");
    std::thread::scope(|scope| {
        let opened = scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(2));
            let at = Instant::now();
            open();
            at
        });
        desk.act(json!({ "do": "begin" }));
        let began = Instant::now();
        assert!(began > opened.join().expect("the gate opens"), "the game waits for its engine");
    });
    assert_eq!(desk.shown().0["starts"], Value::Null);
    let (ms, left) = first_move(&desk);
    assert!(ms < 2000 && left > 298_000, "{ms} ms, {left} ms left");
    // Another process between two moves, and so does the one that is chosen by hand.
    close();
    desk.act(json!({ "do": "engine", "index": 0 }));
    desk.until("the engine starts", |s| s["starts"] == "ours");
    open();
    desk.until("the engine is ready", |s| s["starts"].is_null());
}

/// The desk ponders on the reply that the engine names, which is no part of a variation here.
#[test]
fn the_desk_ponders_on_the_reply_that_the_engine_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [said, answered] = ["said", "answered"].map(|name| folder.path().join(name));
    let script = folder.path().join("ponder.sh");
    let stutter = program("stutter").display().to_string();
    let text = format!(
        "tee {} | {stutter} amazons ugi --ponder named | tee {}\n",
        said.display(),
        answered.display()
    );
    fs::write(&script, text).expect("the script");
    let engine = format!("name=ours,cmd=sh {},ponder=true", script.display());
    let desk = Desk::begin(&["--game", "amazons", "--tc", "5:00", "--engine", &engine]);
    first_move(&desk);
    let read = |path| fs::read_to_string(path).expect("the dialogue");
    crate::support::await_that("it ponders", || read(&said).contains("ponder"));
    let answer = read(&answered);
    let named = answer.lines().find_map(|line| line.split_once(" ponder ")).expect("a reply").1;
    desk.play(named);
    desk.until("a proposal", |s| !s["game"]["proposal"].is_null());
    assert!(read(&said).lines().any(|line| line == "ponderhit"), "{}", read(&said));
}

#[test]
fn the_flag_exists_wherever_an_engine_is_started() {
    for command in ["match", "sprt", "tournament", "check", "desk", "serve"] {
        let words = [command, "--help"];
        let (_, help, _) = crate::support::matches::referee(&words);
        assert!(help.contains("--ready-time"), "{command}");
    }
    let (status, _, errors) = crate::support::matches::referee(&["serve", "--ready-time", "never"]);
    assert!(status == Some(2) && errors.contains("--ready-time"), "{errors}");
}
