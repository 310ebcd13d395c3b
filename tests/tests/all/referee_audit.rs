//! `referee audit`: the programs of a log play its games again.

use crate::support::logs::{edited, random_match, verify_file};
use crate::support::matches::{Match, games, honest, referee};
use crate::support::program;
use agon_games::amazons::Amazons;
use agon_games::game::{Game, legal_moves};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Runs the audit of a log: its exit status and all that it prints.
fn audit(log: &Path, more: &[&str]) -> (Option<i32>, String) {
    let log = log.display().to_string();
    let (code, out, err) = referee(&[&["audit", &log], more].concat());
    (code, out + &err)
}

/// The audit of a log as JSON.
fn audit_json(log: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let log = log.display().to_string();
    let (code, out, err) = referee(&[&["audit", &log, "--json"], more].concat());
    (code, serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}")))
}

/// Short games of Amazons between two searches.
fn searches(games: u32) -> Match {
    let path = program("amazons").display().to_string();
    let engine = |name: &str, limit: &str| {
        format!("name={name},cmd={path},option.Algorithm=pvs,option.Hash=1,{limit}")
    };
    let engines = [engine("deep", "depth=2"), engine("wide", "nodes=300")];
    Match::of(engines, games).with("--max-plies", "6").with("--random-plies", "3")
}

/// Changes the log with a new chain.
fn forge(log: &Path, edit: impl FnOnce(&mut Vec<Value>)) {
    let text = fs::read_to_string(log).expect("the log");
    fs::write(log, edited(&text, true, edit)).expect("the log is ours");
}

/// The line of a game, by its number from 1.
fn line(lines: &mut [Value], number: u64) -> &mut Value {
    lines.iter_mut().find(|l| l["game"] == number - 1).expect("the game")
}

#[test]
fn true_logs_are_the_same_also_with_dice_and_deals() {
    let m = searches(4);
    assert!(m.play().success);
    let (code, said) = audit(&m.log(), &["--sample", "100%", "-j", "2"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("no difference; 4 games, "), "{said}");
    assert!(said.contains("4 of 4 games, drawn with --seed "), "{said}");
    for game in ["einstein", "darkchess"] {
        let path = program(game).display().to_string();
        let engine = |name: &str, seed: u32| {
            format!("name={name},cmd={path},option.Algorithm=random,option.Seed={seed},depth=1")
        };
        let m = Match::of([engine("a", 1), engine("b", 2)], 2);
        let m = m.with("--game", game).with("--max-plies", "30").with_a_secret();
        assert!(m.play().success);
        let (code, said) = audit(&m.log(), &["--games", "1,2"]);
        assert_eq!(code, Some(0), "{game}: {said}");
        assert!(said.contains("no difference; 2 games"), "{game}: {said}");
        // As a part of a match: the dice of the log, without the secret.
        forge(&m.log(), |lines| {
            lines[0]["shard"] = json!({ "part": 1, "of": 1 });
            let end = lines.last_mut().expect("the end line");
            end["end"].as_object_mut().expect("the end").remove("secret");
        });
        let (code, said) = audit(&m.log(), &["--games", "1,2"]);
        assert_eq!(code, Some(0), "{game}: {said}");
        assert!(said.contains("not checked: the secret is not revealed"), "{game}: {said}");
    }
}

#[test]
fn resumed_continued_and_merged_logs_are_played_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let m = searches(2);
    assert!(m.play().success);
    let log = m.log().display().to_string();
    let longer = searches(4).with("--log", &log);
    assert!(longer.play().success);
    let (code, said) = audit(&m.log(), &["--sample", "100%"]);
    assert!(code == Some(0) && said.contains("no difference; 4 games"), "{said}");

    let mut words = vec!["merge".to_string()];
    for part in ["1/2", "2/2"] {
        let log = folder.path().join(&part[..1]).display().to_string();
        assert!(searches(4).with("--shard", part).with("--log", &log).play().success);
        words.push(log);
    }
    let merged = folder.path().join("merged");
    words.extend(["--out".into(), merged.display().to_string()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(referee(&words).0, Some(0));
    let (code, said) = audit(&merged, &["--games", "2,4"]);
    assert!(code == Some(0) && said.contains("no difference; 2 games"), "{said}");
}

#[test]
fn another_legal_move_and_another_count_are_found_with_game_and_ply() {
    let m = searches(4);
    assert!(m.play().success);
    let true_log = fs::read_to_string(m.log()).expect("the log");
    let mut names = ["", ""];
    forge(&m.log(), |lines| {
        let game = line(lines, 3);
        names = if game["players"] == json!([0, 1]) { ["deep", "wide"] } else { ["wide", "deep"] };
        replace_last_move(game);
    });
    // Nothing contradicts the move but the program.
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(sound, "{said}");
    let (code, said) = audit(&m.log(), &["--sample", "100%", "--seed", "7"]);
    assert_eq!(code, Some(1), "{said}");
    let expected =
        format!("game 3, ply 6 ({}): the log has `", names[usize::from(!first_is_last(&true_log))]);
    assert!(
        said.contains(&expected) && said.contains("1 game differs; 4 games"),
        "{expected}: {said}"
    );
    let (code, said) = audit(&m.log(), &["--games", "1,2,4"]);
    assert_eq!(code, Some(0), "{said}");

    for (column, ply) in [("nodes", 2), ("depth", 1), ("score", 4)] {
        fs::write(m.log(), &true_log).expect("the log is ours");
        forge(&m.log(), |lines| {
            let value = &mut line(lines, 2)["stats"][column][ply - 1];
            *value = (value.as_i64().unwrap_or(0) + 1).into();
        });
        let (code, found) = audit_json(&m.log(), &["--games", "2"]);
        assert_eq!(code, Some(1), "{found}");
        let difference = &found["differences"][0];
        assert_eq!(difference["game"], 2, "{found}");
        let difference = &difference["difference"];
        assert_eq!((&difference["ply"], &difference["what"]), (&json!(ply), &json!(column)));
        assert_ne!(difference["log"], difference["now"], "{found}");
    }
}

/// Whether the first player makes the last move of game 3.
fn first_is_last(log: &str) -> bool {
    let lines: Vec<Value> = log.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let game = lines.iter().find(|l| l["game"] == 2).expect("game 3");
    game["by"].as_str().is_some_and(|by| by.ends_with('1'))
}

/// Replaces the last move of a game that the move limit ended by another legal one.
fn replace_last_move(game: &mut Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let (opening, moves) = (text(&game["opening"]), text(&game["moves"]));
    let mut state = Amazons::start(&Default::default());
    let mut tokens: Vec<&str> = moves.split(' ').collect();
    let old = tokens.pop().expect("a move");
    let before = opening.split(' ').skip(2).chain(tokens.iter().copied());
    for token in before {
        let played = state.parse_move(token).expect("a legal move");
        state.play(played);
    }
    let other = legal_moves(&state).into_iter().find(|m| state.move_token(*m) != old);
    let other = other.expect("another legal move");
    game["moves"] = [&moves[..moves.len() - old.len()], &state.move_token(other)].concat().into();
    state.play(other);
    game["fen"] = state.fen().into();
}

#[test]
fn a_loaded_die_and_an_invented_crash_are_found() {
    let path = program("einstein").display().to_string();
    let engine = |name: &str| format!("name={name},cmd={path},option.Algorithm=random,depth=1");
    let m = Match::of([engine("a"), engine("b")], 2).with("--game", "einstein");
    assert!(m.play().success);
    let true_log = fs::read_to_string(m.log()).expect("the log");
    forge(&m.log(), |lines| {
        let game = line(lines, 1);
        let moves = game["moves"].as_str().unwrap_or_default().to_string();
        let mut tokens: Vec<&str> = moves.split(' ').collect();
        tokens[2] = if tokens[2] == "1" { "6" } else { "1" };
        game["moves"] = tokens.join(" ").into();
    });
    let (code, said) = audit(&m.log(), &["--games", "1"]);
    assert!(code == Some(1) && said.contains("game 1, ply 3 (chance): the log has `"), "{said}");

    fs::write(m.log(), &true_log).expect("the log is ours");
    forge(&m.log(), |lines| {
        let game = line(lines, 2);
        let moves = game["moves"].as_str().unwrap_or_default().to_string();
        game["moves"] = moves.split(' ').take(2).collect::<Vec<_>>().join(" ").into();
        game["by"] = "12".into();
        (game["reason"], game["result"]) = ("crash".into(), "second".into());
        game["detail"] = "it crashes".into();
        game.as_object_mut().expect("a game").remove("ending");
        for column in game["stats"].as_object_mut().expect("columns").values_mut() {
            column.as_array_mut().expect("a column").truncate(2);
        }
    });
    let (code, said) = audit(&m.log(), &["--games", "2"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("game 2, ply 3") && said.contains("second player wins: crash"), "{said}");
}

#[test]
fn a_program_is_the_one_of_the_match_wherever_it_is_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [old, new] = ["old", "new"].map(|name| {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).expect("a folder");
        folder
    });
    let at = old.join("engine");
    fs::copy(program("trivial"), &at).expect("a copy");
    let engine = |name: &str, seed: u32| format!("name={name},cmd={} {seed},depth=1", at.display());
    let m = Match::of([engine("a", 1), engine("b", 2)], 2).with("--max-plies", "6");
    assert!(m.play().success);
    let there = new.display().to_string();
    let there = ["--engine-dir", &there];
    assert_eq!(audit(&m.log(), &[]).0, Some(0));

    fs::rename(&at, new.join("engine")).expect("it moves");
    let (code, said) = audit(&m.log(), &[]);
    assert_eq!(code, Some(1));
    assert!(said.contains("engine a: cannot find") && said.contains("--engine-dir"), "{said}");
    let (code, said) = audit(&m.log(), &there);
    assert!(code == Some(0) && said.contains("no difference"), "{said}");

    // Another program of the same name.
    fs::copy(program("rogue"), &at).expect("a copy");
    let (code, said) = audit(&m.log(), &[]);
    assert!(code == Some(1) && said.contains("is another file than that of the match"), "{said}");
    assert_eq!(audit(&m.log(), &there).0, Some(0));
    fs::copy(program("rogue"), new.join("engine")).expect("a copy");
    let (code, said) = audit(&m.log(), &there);
    assert!(code == Some(1) && said.contains("is another file than that of the match"), "{said}");
}

#[test]
fn what_cannot_be_played_again_is_refused_by_name() {
    let m = random_match("amazons", 2).with("--max-plies", "4");
    assert!(m.play().success);
    let (code, said) = audit(&m.log(), &[]);
    assert_eq!(code, Some(3), "{said}");
    for name in ["a", "b"] {
        let expected = format!("engine {name} thinks by the clock (100 ms per move)");
        assert!(said.contains(&expected), "{expected}: {said}");
    }
    assert!(said.contains("cannot be checked; 0 games"), "{said}");
    let (code, said) = audit(&m.log(), &["--games", "2"]);
    assert!(code == Some(1) && said.contains("game 2 cannot be played again"), "{said}");

    let m = searches(2);
    assert!(m.play().success);
    let (code, said) = audit(&m.log(), &["--games", "3"]);
    assert!(code == Some(1) && said.contains("the log has no game 3"), "{said}");
    for sample in ["0", "0%", "101%", "x"] {
        let (code, said) = audit(&m.log(), &["--sample", sample]);
        assert!(code == Some(2) && said.contains("such as 20"), "{sample}: {said}");
    }
    forge(&m.log(), |lines| {
        let options = lines[0]["engines"][1]["options"].as_array_mut().expect("options");
        options.push(json!({ "name": "Threads", "value": "4" }));
    });
    let (code, said) = audit(&m.log(), &[]);
    assert!(
        code == Some(3) && said.contains("engine wide searches with several threads"),
        "{said}"
    );
}

#[test]
fn only_the_games_of_engines_without_a_clock_are_played_again() {
    let engine =
        |name: &str, seed: u32, limit: &str| format!("name={name},cmd={},{limit}", honest(seed));
    let m = Match::of([engine("a", 1, "depth=1"), engine("b", 2, "depth=1")], 2);
    let mut words = m.arguments.clone();
    words[0] = "tournament".into();
    words.extend(["--engine".into(), engine("timed", 3, "movetime=500")]);
    words.extend(["--max-plies", "4"].map(String::from));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, out, err) = referee(&words);
    assert_eq!(code, Some(0), "{out}{err}");
    let (code, said) = audit(&m.log(), &["--sample", "100%"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("no difference; 2 games"), "{said}");
    assert!(said.contains("cannot be played again (4 games): engine timed thinks"), "{said}");
}

#[test]
fn an_engine_that_plays_otherwise_each_time_is_not_called_a_cheat() {
    let engine = |name: &str, seed: &str| {
        format!("name={name},cmd={} {seed},depth=1", program("trivial").display())
    };
    // It keeps its state from the last game.
    let m = Match::of([engine("a", "1"), engine("b", "2 drifts")], 4).with("--max-plies", "8");
    assert!(m.play().success);
    let (code, found) = audit_json(&m.log(), &["--games", "4"]);
    assert_eq!(code, Some(3), "{found}");
    assert_eq!(found["differences"], json!([]), "{found}");
    assert_eq!(found["not_deterministic"][0]["between_replays"]["engine"], "b", "{found}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_draws_its_own_seed_is_not_called_a_cheat() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("random");
    let text = format!("#!/bin/sh\nexec '{}' $$\n", program("trivial").display());
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let chance = format!("name=chance,cmd={},depth=1", script.display());
    let steady = format!("name=steady,cmd={},depth=1", honest(1));
    let m = Match::of([chance, steady], 2).with("--max-plies", "12");
    assert!(m.play().success);
    let (code, said) = audit(&m.log(), &["--sample", "2"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("engine chance is not deterministic: ply "), "{said}");
    assert!(said.contains("cannot be checked, not deterministic in 2 games"), "{said}");
}

#[test]
fn a_seed_names_a_sample_that_nobody_foresees_without_it() {
    let m = random_match("amazons", 40).with("--depth", "1").with("--max-plies", "2");
    let at = m.arguments.iter().position(|a| a == "--movetime").expect("a time per move");
    let mut m = m;
    m.arguments.drain(at..at + 2);
    assert!(m.play().success);
    let sample = |more: &[&str]| {
        let (code, found) = audit_json(&m.log(), &[&["--sample", "20%"], more].concat());
        assert_eq!(code, Some(0), "{found}");
        assert_eq!(found["sample"].as_array().map(Vec::len), Some(8), "{found}");
        (found["seed"].to_string(), found["sample"].clone())
    };
    let (seed, games) = sample(&[]);
    assert_eq!(sample(&["--seed", &seed]), (seed.clone(), games));
    assert_ne!(sample(&[]).0, seed);
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_compared_so_far() {
    use crate::support::{Process, await_that};
    let slow =
        format!("name=slow,cmd={} slow --at 1 --delay 400,depth=1", program("rogue").display());
    let quick = format!("name=quick,cmd={},depth=1", honest(1));
    let m = Match::of([slow, quick], 6).with("--max-plies", "2");
    assert!(m.play().success);
    assert_eq!(games(&m.log()).len(), 6);
    let log = m.log().display().to_string();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let transcript = folder.path().join("dialogue");
    let dialogue = transcript.display().to_string();
    let words = ["audit", &log, "--sample", "100%", "--engine-log", &dialogue];
    let mut process = Process::start("referee", &words);
    let begun =
        || fs::read_to_string(&transcript).unwrap_or_default().matches(" > go ").count() >= 4;
    await_that("two games are played", begun);
    let id = process.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let (status, out, err) = process.end();
    assert_eq!(status.code(), Some(130), "{out:?}{err}");
    let last = out.last().cloned().unwrap_or_default();
    assert!(last.contains("no difference") && last.contains("more were not played"), "{out:?}");
}
