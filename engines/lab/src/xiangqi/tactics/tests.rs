//! Tests of the subcommand as a whole, and of the suite in the repository.

use super::*;
use clap::Parser;

/// The suite in the repository.
const SUITE: &str = include_str!("../../../../../openings/xiangqi/tactics.txt");

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    tactics: Tactics,
}

/// Runs `tactics` with these words.
fn tactics(words: &[&str]) -> Result<String> {
    let cli = Cli::try_parse_from([&["xiangqi"], words].concat())?;
    let (rules, mut out) = (XiangqiRules::default(), Vec::new());
    match cli.tactics {
        Tactics::Make(flags) => write_suite(
            &flags,
            &rules,
            &SearchSettings { hash: 1, ..SearchSettings::default() },
            &mut out,
        )?,
        Tactics::Run(flags) => solve_suite(
            &flags,
            &rules,
            &SearchSettings { hash: 1, ..SearchSettings::default() },
            &mut out,
        )?,
        Tactics::Rules => list_rules(&mut out)?,
    }
    Ok(String::from_utf8(out)?)
}

#[test]
fn the_same_flags_find_the_same_positions_which_a_longer_search_solves() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = |name: &str| dir.path().join(name).display().to_string();
    let make = |out: &str, threads: &str| {
        let flags = ["--count", "2", "--games", "60", "--play-nodes", "60", "--nodes", "20"];
        let rest = ["--seed", "3", "--threads", threads, "--out", out];
        tactics(&[&["make"], &flags[..], &rest].concat()).unwrap()
    };
    let told = make(&file("one"), "1");
    assert!(told.starts_with("2 positions from "), "{told}");
    assert_eq!(make(&file("two"), "2"), told);
    let lines = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(file(name)).unwrap();
        text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
    };
    assert_eq!(lines("one"), lines("two"));
    let told = tactics(&["run", &file("one"), "--nodes", "2000", "--each"]).unwrap();
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told.len(), 3);
    assert!(
        told[2].starts_with("2 of 2 solved; nodes to solve, 2000 if unsolved: median"),
        "{told:?}"
    );
    let half = tactics(&["run", &file("one"), "--nodes", "2000", "--half", "even", "--each"]);
    assert_eq!(half.unwrap().lines().next(), Some(told[1]));
}

#[test]
fn bad_flags_and_files_are_refused() {
    for (words, fault) in [
        (&["run", "/no/such/file"][..], "/no/such/file"),
        (&["run", "/no/such/file", "--nodes", "0"], "--nodes must not be 0"),
        (&["run", "/no/such/file", "--without", "luck"], "--without `luck`: expected one of"),
        (&["make", "--out", "/no/such/folder/file"], "--out /no/such/folder/file"),
    ] {
        let error = format!("{:#}", tactics(words).unwrap_err());
        assert!(error.contains(fault), "{error}");
    }
    let listed = tactics(&["rules"]).unwrap();
    assert_eq!(listed.lines().count(), rules::RULES.len());
}

#[test]
fn the_suite_has_at_least_300_positions_with_the_known_mate_first() {
    let puzzles = suite::parse(SUITE, &XiangqiRules::default()).unwrap();
    assert!(puzzles.len() >= 300, "{}", puzzles.len());
    assert!(
        puzzles[0].fen.starts_with("4k1b2/3r2c2/4b1R2/p3p3p/2p1c4/9/n1P5P/1rN1CC2B/4A2N1/2BAKR3 b")
    );
    assert_eq!((puzzles[0].best.to_string().as_str(), puzzles[0].value), ("b2c2", suite::FORCED));
    let fens: std::collections::HashSet<&str> = puzzles.iter().map(|p| p.fen.as_str()).collect();
    assert_eq!(fens.len(), puzzles.len());
    assert!(puzzles.iter().all(|p| p.value >= suite::WINNING && p.second <= 150));
}
