//! Adjudicated games, and resources that engines may get: cores, pondering.

use crate::support::matches::{MATCH, Match, games, lines};
use crate::support::{program, run, texts};
use serde_json::Value;

/// An engine that reports its evaluation.
fn thinker(name: &str, more: &str) -> String {
    format!("name={name},cmd={},option.Algorithm=pvs,{more}", program("amazons").display())
}

fn reasons(m: &Match) -> Vec<String> {
    let games = m.games();
    games.iter().map(|g| g["reason"].as_str().unwrap_or("").to_string()).collect()
}

fn two(more: &str) -> Match {
    Match::of([thinker("a", more), thinker("b", more)], 2).with("--random-plies", "2")
}

#[test]
fn games_end_by_agreement_by_length_and_by_counting_and_the_log_says_so() {
    let resigned = two("depth=1").with("--resign", "200,2");
    assert_eq!(reasons(&resigned), ["resignation", "resignation"]);
    let game = &resigned.games()[0];
    assert!(
        game["detail"].as_str().is_some_and(|d| d.contains("resign adjudication: 2.00 or more")),
        "{game}"
    );
    let head = &lines(&resigned.log())[0];
    assert_eq!(head["adjudication"]["resign"]["score"], Value::from(200));
    assert_eq!(reasons(&two("depth=1").with("--draw", "100000,3,20")), ["agreement"; 2]);
    let short = two("depth=1").with("--max-plies", "9");
    assert_eq!(reasons(&short), ["length"; 2]);
    assert!(short.games().iter().all(|g| g["result"] == "draw" && g["by"] == "121212121"));
    let mut counted = two("depth=1");
    counted.arguments.push("--territory".into());
    assert_eq!(reasons(&counted), ["territory"; 2]);
}

#[test]
fn a_counted_game_has_the_result_that_playing_it_out_has() {
    let played = two("depth=1").with("--games", "6");
    let mut counted = two("depth=1").with("--games", "6");
    counted.arguments.push("--territory".into());
    let (long, short) = (played.games(), counted.games());
    let mut shorter = 0;
    for (whole, cut) in long.iter().zip(&short) {
        let (all, some) = (whole["moves"].as_str(), cut["moves"].as_str());
        let (all, some) = (all.unwrap_or(""), some.unwrap_or("x"));
        assert!(all.starts_with(some), "{all}\n{some}");
        shorter += u32::from(all.len() > some.len());
    }
    assert!(shorter >= 3, "{shorter} of 6 games were counted");
    let results = |games: &[Value]| games.iter().map(|g| g["result"].clone()).collect::<Vec<_>>();
    assert_eq!(results(&long), results(&short));
}

#[test]
fn terms_that_make_no_sense_are_refused() {
    for (flag, value) in [("--resign", "5"), ("--draw", "1,2"), ("--max-plies", "0")] {
        let played = two("depth=1").with(flag, value).play();
        assert!(!played.success && played.stderr.contains(flag), "{played:?}");
    }
}

#[test]
fn an_engine_ponders_on_the_answer_it_expects() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log").display().to_string();
    let [a, b] = [thinker("a", "ponder=true,tc=3+0.01"), thinker("b", "nodes=2000")];
    let output = std::process::Command::new(program("referee"))
        .args(["match", "--game", "amazons", "--engine", &a, "--engine", &b, "--games", "2"])
        .args(["--margin", "5000", "--max-plies", "24", "--log", &log])
        .env("RUST_LOG", "agon_engine=trace")
        .output()
        .expect("the referee starts");
    let (out, trace) = texts(&output);
    assert!(output.status.success(), "{out}");
    let said = |what: &str| trace.lines().filter(|l| l.contains(what)).count();
    let pondered = trace.lines().filter(|l| l.contains("a <- go") && l.ends_with("ponder")).count();
    assert!(pondered > 10, "it pondered {pondered} times");
    assert!(said("a <- ponderhit") > 0, "it never expects the right answer");
    assert!(said("a <- stop") > 0, "it always expects the right answer");
    assert_eq!(said("b <- ponderhit"), 0);
    let games = games(std::path::Path::new(&log));
    assert!(games.iter().all(|g| g["reason"] == "length"), "{games:?}");
}

#[test]
fn workers_and_engines_keep_to_their_cores() {
    let pinned = two("depth=1,cpus=0").with("--concurrency", "2");
    let mut pinned = pinned.with("--max-plies", "4");
    pinned.arguments.push("--pin".into());
    assert_eq!(reasons(&pinned), ["length"; 2]);
    let engine = thinker("a", "depth=1,cpus=5-2");
    let words = ["match", "--game", "amazons", "--engine", &engine, "--engine", &engine];
    let output = run("referee", &words, MATCH);
    assert!(texts(&output).1.contains("bad cores `5-2`"), "{}", texts(&output).1);
}
