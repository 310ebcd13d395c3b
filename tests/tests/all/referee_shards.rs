//! Shards of a match and their merge; opening files; replay of a game.

use crate::support::matches::{MATCH, Match, games};
use crate::support::{ENGINES, run, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The output of a successful subcommand, or the error message of a failed one.
fn referee(arguments: &[&str]) -> Result<String, String> {
    let output = run("referee", arguments, MATCH);
    let (out, err) = texts(&output);
    if output.status.success() { Ok(out) } else { Err(err) }
}

fn openings(folder: &Path, seed: &str) -> PathBuf {
    let out = folder.join(format!("openings-{seed}.txt"));
    let path = out.display().to_string();
    let words = ["openings", "--game", "amazons", "--plies", "4", "--count", "5", "--seed", seed];
    referee(&[&words[..], &["--out", &path]].concat()).expect("openings are made");
    out
}

/// The positions of an openings file.
fn positions(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("the openings");
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines.map(String::from).collect()
}

/// A match of 12 games over five openings.
fn whole(openings: &Path) -> Match {
    let openings = openings.display().to_string();
    Match::between("honest", "illegal --at 12 --side second", 12).with("--openings", &openings)
}

#[test]
fn shards_merge_to_the_match_that_one_run_would_have_played() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let openings = openings(folder.path(), "1");
    let expected = whole(&openings).games();
    let logs: Vec<String> = (1..=3)
        .map(|k| {
            let log = folder.path().join(format!("{k}.jsonl")).display().to_string();
            let shard = format!("{k}/3");
            let played = whole(&openings).with("--shard", &shard).with("--log", &log).play();
            assert!(played.success, "{played:?}");
            log
        })
        .collect();
    let numbers = |log: &String| games(Path::new(log)).len();
    assert_eq!(logs.iter().map(numbers).sum::<usize>(), 12);

    let merged = folder.path().join("merged.jsonl");
    let out = merged.display().to_string();
    let merge = |logs: &[&String]| {
        let mut words = vec!["merge", "--out", &out];
        words.extend(logs.iter().map(|l| l.as_str()));
        referee(&words)
    };
    let all: Vec<&String> = logs.iter().collect();
    merge(&all[..2]).expect_err("a shard is missing");
    assert!(!merged.exists());
    merge(&[all[0], all[1], all[1]]).expect_err("a shard is there twice");
    assert!(!merged.exists());
    merge(&all).expect("the shards are complete");
    assert_eq!(games(&merged), expected);
}

#[test]
fn shards_of_different_matches_do_not_merge() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let openings = openings(folder.path(), "1");
    let [one, two] = [("1/2", "1"), ("2/2", "2")].map(|(shard, seed)| {
        let log = folder.path().join(format!("{seed}.jsonl")).display().to_string();
        let m = whole(&openings).with("--shard", shard).with("--seed", seed);
        assert!(m.with("--log", &log).play().success);
        log
    });
    let out = folder.path().join("merged.jsonl").display().to_string();
    let error = referee(&["merge", "--out", &out, &one, &two]).expect_err("two matches");
    assert!(error.contains(&two), "{error}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn both_games_of_a_pair_begin_with_the_same_opening() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = openings(folder.path(), "1");
    let known = positions(&file);
    let games = whole(&file).games();
    for (pair, two) in games.chunks(2).enumerate() {
        assert_eq!(two[0]["opening"], two[1]["opening"]);
        assert_eq!(two[0]["opening"], Value::from(known[pair % known.len()].as_str()));
        let [a, b] = [0, 1].map(|i| two[i]["players"].as_array().cloned().unwrap_or_default());
        assert_eq!(a, b.into_iter().rev().collect::<Vec<_>>(), "sides are swapped");
    }
}

#[test]
fn openings_are_made_by_seed_and_no_two_are_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = positions(&openings(folder.path(), "1"));
    let again = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(positions(&openings(again.path(), "1")), first);
    let other = positions(&openings(folder.path(), "2"));
    let mut all = [first, other].concat();
    assert_eq!(all.len(), 10);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 10);
}

#[test]
fn a_bad_line_of_an_openings_file_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("bad.txt");
    fs::write(&file, "# by hand\nstartpos\nstartpos moves d1d1,d1d2\n").expect("a file of ours");
    let m = whole(&file);
    let played = m.play();
    assert!(!played.success, "{played:?}");
    assert!(played.stderr.contains("bad.txt") && played.stderr.contains('3'), "{played:?}");
    assert!(!m.log().exists());
}

#[test]
fn a_game_of_a_log_is_shown_board_by_board() {
    let m = Match::between("honest", "honest", 2);
    let games = m.games();
    let log = m.log().display().to_string();
    let list = referee(&["replay", &log]).expect("the log can be shown");
    assert!(list.lines().count() >= 2, "{list}");
    let text = referee(&["replay", &log, "--game", "1"]).expect("the game can be shown");
    let fen = games[0]["fen"].as_str().expect("a final position");
    let perft = run("amazons", &["perft", "0", "--fen", fen], MATCH);
    assert!(perft.status.success(), "the final position is none: {fen}");
    assert!(text.lines().count() > 10 * games[0]["by"].as_str().map_or(0, str::len), "{text}");
    let error = referee(&["replay", "/no/such/log"]).expect_err("no log");
    assert!(error.contains("/no/such/log"), "{error}");
}

#[test]
fn the_programs_say_their_versions() {
    for name in ENGINES.iter().map(|e| e.0).chain(["referee"]) {
        let output = run(name, &["--version"], MATCH);
        let text = texts(&output).0;
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{name}");
        assert!(text.contains(&format!("CPU path: {}", std::env::consts::ARCH.replace('_', "-"))));
    }
}

#[test]
fn a_shard_has_its_name_only_when_it_is_complete() {
    let m = Match::between("honest", "crash", 8).with("--shard", "1/2").with("--max-faults", "2");
    let played = m.play();
    assert!(!played.success && played.stderr.contains("crashing on purpose"), "{played:?}");
    assert!(!m.log().exists());
    let aside = m.log().with_extension("jsonl.part");
    assert_eq!(games(&aside).len(), 2, "what was played is kept");
    let patient = m.with("--max-faults", "0");
    assert_eq!(patient.games().len(), 4);
    assert!(!aside.exists());
}
