//! The option `Level`: listed and refused like any other, repeatable by `Seed`, weaker below 10 and nothing at 10, within every
//! limit and in other dialects.

use crate::support::matches::{Match, games};
use crate::support::{DEADLINE, ENGINES, Process, program, run, texts};
use serde_json::Value;
use std::collections::BTreeSet;

/// The report and the move of a search from the engine's position, with these options, under this limit.
fn searched(name: &str, position: &str, options: &[&str], go: &str) -> (Vec<String>, String) {
    let flags: Vec<&str> = options.iter().flat_map(|option| ["--option", *option]).collect();
    let mut engine = Process::open(name, &flags, "ugi");
    engine.send(position);
    engine.send(go);
    let mut lines = engine.lines_until("bestmove");
    let best = lines.pop().expect("a move");
    (lines, best)
}

/// The nodes of the last report.
fn nodes(lines: &[String]) -> u64 {
    let after = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse().ok();
    lines.iter().rev().find_map(after).expect("a count of nodes")
}

#[test]
fn levels_are_listed_and_others_are_refused() {
    for (name, _) in ENGINES {
        let mut engine = Process::start(name, &[] as &[&str]);
        engine.send("ugi");
        let lines = engine.lines_until("ugiok");
        let listed = "option name Level type spin default 10 min 1 max 10";
        assert!(lines.iter().any(|line| line == listed), "{name}: {lines:?}");
        for wrong in ["0", "11", "-1", "1.5", "high"] {
            let setting = format!("Level={wrong}");
            let output = run(name, &["--option", &setting, "options"], DEADLINE);
            let error = texts(&output).1;
            let expected =
                format!("option Level: bad value `{wrong}`: expected a whole number from 1 to 10");
            assert!(!output.status.success() && error.contains(&expected), "{name}: {error}");
        }
    }
}

#[test]
fn the_seed_decides_the_moves_of_a_level_also_with_several_threads() {
    for (name, position) in ENGINES {
        let mut moves = BTreeSet::new();
        for seed in 1..=12 {
            let seed = format!("Seed={seed}");
            let search = |more: &str| {
                searched(name, position, &["Level=1", &seed, more], "go movetime 60000").1
            };
            let best = search("MoveOverhead=10");
            assert_eq!(search("Threads=4"), best, "{name}, {seed}");
            moves.insert(best);
        }
        // The others' lowest levels have few random moves or none.
        let varies = ["einstein", "nogo"].contains(name);
        assert!(!varies || moves.len() > 1, "{name}: level 1 always plays {moves:?}");
    }
}

#[test]
fn a_level_only_lowers_the_limits() {
    for (name, position) in ENGINES {
        let of = |level: &str, go: &str| nodes(&searched(name, position, &[level], go).0);
        // No clock ends this search before the test's deadline.
        let own = of("Level=9", "go p1time 90000000 p2time 90000000");
        assert_eq!(of("Level=9", "go nodes 100000000"), own, "{name}");
        assert!(of("Level=9", "go nodes 40") < own, "{name}: {own}");
        let full = of("Level=10", "go nodes 3000");
        assert_eq!(of("Seed=1", "go nodes 3000"), full, "{name}");
    }
}

#[test]
fn the_highest_level_searches_as_without_it() {
    for (name, _) in ENGINES {
        let count = |options: &[&str]| {
            let words = [options, &["bench", "--depth", "2"]].concat();
            let out = texts(&run(name, &words, DEADLINE)).0;
            let total = out.lines().rev().find(|line| line.ends_with(" nps")).unwrap_or_default();
            total.split(' ').next().and_then(|nodes| nodes.parse::<u64>().ok())
        };
        let plain = count(&[]);
        assert!(plain > Some(0), "{name}");
        assert_eq!(count(&["--option", "Level=10"]), plain, "{name}");
    }
}

/// The points of the first engine's games, in halves, and their number.
fn half_points(log: &[Value]) -> (u32, u32) {
    let points = log.iter().map(|game| match game["result"].as_str() {
        Some("draw") => 1,
        Some("first") => 2 * u32::from(game["players"][0] == 0),
        _ => 2 * u32::from(game["players"][0] == 1),
    });
    (points.sum(), log.len() as u32)
}

#[test]
fn a_higher_level_wins_a_match() {
    // In a game of dice the levels are closer to each other.
    for (game, low, high) in
        [("nogo", 1, 4), ("connect6", 1, 4), ("amazons", 1, 5), ("einstein", 1, 9)]
    {
        let side = |level: u32| {
            format!("name=level-{level},cmd={},option.Level={level}", program(game).display())
        };
        let played = Match::of([side(high), side(low)], 12).with("--game", game);
        let mut played = played.with("--movetime", "60000");
        if game != "einstein" {
            played = played.with("--random-plies", "2");
        }
        let (points, count) = half_points(&played.games());
        assert_eq!(count, 12, "{game}");
        assert!(points >= 16, "{game}: level {high} made {points} of 24 half points");
    }
}

#[test]
fn a_level_plays_legal_moves_in_other_dialects() {
    for (game, dialect) in [
        ("nogo", "gtp"),
        ("amazons", "sau"),
        ("xiangqi", "ucci"),
        ("darkchess", "mgtp"),
        ("einstein", "ntu"),
        ("connect6", "sau"),
    ] {
        let path = program(game).display().to_string();
        let foreign = format!("name=a,cmd={path} --option Level=1,dialect={dialect},movetime=1s");
        let own = format!("name=b,cmd={path},option.Level=2");
        let played = Match::of([foreign, own], 2).with("--game", game);
        let played = played.with("--margin", "60000");
        let outcome = played.play();
        assert_eq!(outcome.code, Some(0), "{game} {dialect}: {outcome:?}");
        for game in games(&played.log()) {
            let reason = game["reason"].as_str().unwrap_or_default();
            let is_fault =
                ["illegal_move", "time", "crash", "hang", "protocol", "flood"].contains(&reason);
            assert!(!is_fault, "{game}");
        }
    }
}
