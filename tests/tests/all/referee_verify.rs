//! Chance that nobody can know or doubt, and `referee verify`: what was changed in a log is refused by
//! its line, by `verify` and by a resumed match.
#![cfg(unix)]

use crate::support::logs::{edited, random_match, verify_chance, verify_file};
use crate::support::matches::{MATCH, Match, games, lines};
use crate::support::{Process, program, run, texts};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The finished log of a match with a secret, played once.
fn finished(game: &'static str) -> &'static str {
    static LOGS: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
    LOGS[usize::from(game == "einstein")].get_or_init(|| {
        let m = random_match(game, 6);
        let played = m.play();
        assert!(played.success, "{played:?}");
        assert!(!m.log().with_extension("jsonl.secret").exists(), "the secret's file is left");
        fs::read_to_string(m.log()).expect("the log")
    })
}

/// Runs `referee verify` on a text: whether it finds no defect, and what it prints.
fn verify(text: &str, more: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log.jsonl");
    fs::write(&log, text).expect("a file of ours");
    verify_file(&log, more)
}

/// A log, the line at which `verify` must refuse it, and the reason.
type Case<'a> = (String, u64, &'a str);

/// `verify` refuses every log at its line and for its reason.
fn refused(cases: &[Case<'_>]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |i: usize| folder.path().join(format!("{i}.jsonl")).display().to_string();
    let mut words = vec!["verify".to_string()];
    for (i, (text, _, _)) in cases.iter().enumerate() {
        fs::write(path(i), text).expect("a file of ours");
        words.push(path(i));
    }
    let output = run("referee", &words, MATCH);
    let (_, said) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for (i, (_, line, reason)) in cases.iter().enumerate() {
        let place = format!("{}:{line}: ", path(i));
        let found = said.lines().any(|l| l.starts_with(&place) && l.contains(reason));
        assert!(found, "{place}{reason}: {said}");
    }
}

#[test]
fn every_roll_and_deal_of_real_games_follows_from_the_secret_in_the_last_line() {
    for game in ["einstein", "darkchess"] {
        let text = finished(game);
        let (sound, said) = verify(text, &[]);
        assert!(sound && said.contains("no defect") && said.contains("games per minute"), "{said}");
        assert!(!said.contains("not checked"), "{said}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log.jsonl");
        fs::write(&log, text).expect("a file of ours");
        let (sound, said) = verify_chance(&log);
        assert!(sound && said.contains("chance outcomes in 6 games"), "{said}");
        let other = edited(text, true, |lines| {
            let moves = lines[2]["moves"].as_str().unwrap_or_default().to_string();
            let by = lines[2]["by"].as_str().unwrap_or_default();
            let at = by.rfind('c').expect("a chance outcome");
            let mut tokens: Vec<&str> = moves.split(' ').collect();
            let pool = if game == "einstein" { ["1", "6"] } else { ["=K", "=p"] };
            tokens[at] = if tokens[at] == pool[0] { pool[1] } else { pool[0] };
            lines[2]["moves"] = tokens.join(" ").into();
        });
        fs::write(&log, &other).expect("a file of ours");
        let (sound, said) = verify_chance(&log);
        assert!(!sound && said.contains("expected"), "one altered roll: {said}");
        refused(&[(other, 3, "chance gave")]);
    }
}

#[test]
fn the_header_commits_to_the_secret_and_names_no_seed() {
    let all: Vec<Value> =
        finished("einstein").lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(all[0].get("seed"), None);
    let secret = all[7]["end"]["secret"].as_str().expect("the secret");
    let bytes: Vec<u8> = (0..64)
        .step_by(2)
        .map(|i| u8::from_str_radix(&secret[i..i + 2], 16).expect("hexadecimal"))
        .collect();
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(all[0]["chance"]["commitment"], hash.as_str());
    let wrong = edited(finished("einstein"), true, |lines| {
        lines[7]["end"]["secret"] = "00".repeat(32).into();
    });
    let (sound, said) = verify(&wrong, &[]);
    assert!(!sound && said.contains("is not the one that the header is committed to"), "{said}");
}

#[test]
fn a_seed_makes_chance_foreseeable_and_the_log_and_the_referee_say_so() {
    let m = random_match("einstein", 2).with("--seed", "3");
    let played = m.play();
    assert!(played.success && played.stderr.contains("chance is foreseeable"), "{played:?}");
    let header = &lines(&m.log())[0];
    assert_eq!(header["chance"], json!({ "foreseeable": true, "shared": true }));
    assert_eq!(header["seed"], 3);
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(sound, "{said}");
    let text = fs::read_to_string(m.log()).expect("the log");
    let other = edited(&text, true, |lines| lines[0]["seed"] = 4.into());
    refused(&[(other, 2, "chance gave")]);
}

#[test]
fn what_was_changed_in_a_log_is_refused_by_its_line() {
    let text = finished("einstein");
    let change = |line: usize, field: &str, value: Value| {
        edited(text, true, |lines| lines[line - 1][field] = value)
    };
    let first = |line: usize| text.lines().nth(line - 1).is_some_and(|l| l.contains("\"first\""));
    let flipped = if first(4) { "second" } else { "first" };
    let mut cases = vec![
        (change(4, "result", flipped.into()), 4, "the rules ended the game"),
        (change(4, "result", "draw".into()), 4, "result is draw: expected"),
        (change(4, "reason", "crash".into()), 4, "reason is crash: only the rules have an ending"),
        (change(4, "ending", "no_move".into()), 4, "ending is"),
        (change(4, "fen", "5/5/5/5/5 u -".into()), 4, "the moves lead to"),
        (change(3, "players", json!([5, 9])), 3, "players [5, 9]: expected two of the 2 engines"),
        (change(3, "players", json!([0, 1])), 3, "players are [0, 1]: expected [1, 0]"),
        (change(3, "pair", 2.into()), 3, "is in pair 3: expected pair 1"),
        (change(3, "game", 5.into()), 3, "game 6 is in pair 1"),
        (change(5, "opening", "startpos moves 1".into()), 5, "expected `startpos`"),
        (change(5, "result", 7.into()), 5, "column"),
    ];
    for number in [1_000_000_000_000_000_000u64, 1 << 36, u64::MAX] {
        cases.push((change(3, "game", number.into()), 3, "expected a number from 1 to 6"));
    }
    let illegal = edited(text, true, |lines| {
        let moves = lines[4]["moves"].as_str().unwrap_or_default().to_string();
        let at = lines[4]["by"].as_str().and_then(|by| by.rfind('1')).expect("a move");
        let mut tokens: Vec<&str> = moves.split(' ').collect();
        tokens[at] = "a5e1";
        lines[4]["moves"] = tokens.join(" ").into();
    });
    let slow = edited(text, true, |lines| {
        lines[3]["stats"]["us"][0] = 60_000_000.into();
        lines[3].as_object_mut().expect("a game").remove("end");
    });
    let fewer = edited(text, true, |lines| {
        lines[3]["stats"]["us"].as_array_mut().expect("times").pop();
    });
    cases.extend([
        (illegal, 5, "illegal move `a5e1`"),
        (slow, 4, "expected a loss on time"),
        (fewer, 4, "stats.us has"),
    ]);
    refused(&cases);
}

#[test]
fn doubled_missing_and_foreign_lines_are_refused() {
    let text = finished("einstein");
    let doubled = edited(text, true, |lines| lines.insert(4, lines[3].clone()));
    let missing = edited(text, true, |lines| {
        lines.remove(3);
        lines[6]["end"]["games"] = 5.into();
    });
    let cut = edited(text, true, |lines| drop(lines.pop()));
    let uncounted = edited(text, true, |lines| drop(lines.remove(6)));
    let m = random_match("einstein", 6);
    assert!(m.play().success);
    let foreign = lines(&m.log())[3].clone();
    refused(&[
        (doubled, 5, "game 3 is in the log already"),
        (missing, 4, "1 game is missing: 3"),
        (cut, 8, "the end line is missing"),
        (uncounted, 7, "end.games is 6: the log has 5 games"),
        (edited(text, true, |lines| lines[3] = foreign), 4, "chance gave"),
    ]);
}

#[test]
fn the_chain_finds_an_edited_a_removed_and_a_moved_line() {
    let text = finished("einstein");
    let change = |edit: fn(&mut Vec<Value>)| edited(text, false, edit);
    refused(&[
        (change(|l| l[3]["stats"]["us"][0] = 1.into()), 5, "line 4 was changed, or lines between"),
        (
            change(|l| drop(l.remove(3))),
            4,
            "line 3 was changed, or lines between them were removed",
        ),
        (change(|l| l.swap(3, 4)), 4, "line 3 was changed"),
        (change(|l| l[0]["referee"] = "9".into()), 2, "line 1 was changed"),
    ]);
}

#[test]
fn a_match_is_not_resumed_from_a_log_that_verify_refuses() {
    let m = random_match("einstein", 4).with("--seed", "1");
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let numbers = [1_000_000_000_000_000_000u64, 1 << 36].map(|number| {
        let change = move |lines: &mut Vec<Value>| lines[2]["game"] = number.into();
        (edited(&text, true, change), "expected a number from 1 to 4")
    });
    let flipped = edited(&text, true, |lines| {
        let first = lines[2]["result"] == "first";
        lines[2]["result"] = if first { "second" } else { "first" }.into();
    });
    let players = edited(&text, true, |lines| lines[2]["players"] = json!([5, 9]));
    let unchained = edited(&text, false, |lines| lines[1]["stats"]["us"][0] = 1.into());
    let cases = [
        (flipped, "the rules ended the game"),
        (players, "players [5, 9]: expected two of the 2 engines"),
        (unchained, "line 2 was changed"),
    ];
    for (bad, reason) in numbers.into_iter().chain(cases) {
        fs::write(m.log(), &bad).expect("the log is ours");
        // A gigabyte of address space: a number costs no memory.
        let output = Command::new("bash")
            .args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""])
            .arg(program("referee"))
            .args(&m.arguments)
            .output()
            .expect("bash starts");
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains("line 3: ") && err.contains(reason), "{reason}: {err}");
        assert_eq!(fs::read_to_string(m.log()).expect("the log"), bad, "the file is left alone");
    }
}

/// The engine's slowest option, so that there is time to look at the running match.
fn slow_match() -> (Match, PathBuf) {
    let slow = "slow --at 1 --delay 4";
    let m = Match::between(slow, slow, 6).with_a_secret();
    let secret = m.log().with_extension("jsonl.secret");
    (m, secret)
}

#[test]
fn a_killed_match_with_a_secret_is_resumed_and_only_with_its_secret() {
    let (m, file) = slow_match();
    let mut referee = Process::start("referee", &m.arguments);
    let from = Instant::now();
    while !m.log().exists() || games(&m.log()).len() < 2 {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(20));
    }
    let secret = fs::read_to_string(&file).expect("the secret's file");
    assert_eq!(fs::metadata(&file).expect("it").permissions().mode() & 0o777, 0o600);
    assert!(!fs::read_to_string(m.log()).expect("the log").contains(secret.trim()));
    // No process has the secret in its arguments or its environment.
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        for name in ["cmdline", "environ"] {
            let text = fs::read(entry.path().join(name)).unwrap_or_default();
            let found = text.windows(64).any(|w| w == secret.trim().as_bytes());
            assert!(!found, "{}/{name} has the secret", entry.path().display());
        }
    }
    referee.kill();
    let (sound, said) = verify_file(&m.log(), &["--partial"]);
    assert!(sound, "the file beside the log has the secret: {said}");
    let aside = file.with_extension("aside");
    fs::rename(&file, &aside).expect("a file of ours");
    let played = m.play();
    assert!(!played.success && played.stderr.contains("cannot be resumed"), "{played:?}");
    fs::write(&file, format!("{}\n", "00".repeat(32))).expect("a file of ours");
    let played = m.play();
    assert!(!played.success && played.stderr.contains("another match"), "{played:?}");
    fs::rename(&aside, &file).expect("a file of ours");
    assert_eq!(m.games().len(), 6);
    assert!(!file.exists());
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(sound, "{said}");
    assert!(fs::read_to_string(m.log()).expect("the log").contains(secret.trim()));
    assert!(m.play().success, "the finished match can be shown again");
}

fn dice(game: &Value) -> Vec<String> {
    let tokens = game["moves"].as_str().unwrap_or_default().split(' ');
    tokens.filter(|t| t.len() == 1).take(3).map(String::from).collect()
}

#[test]
fn the_games_of_a_pair_share_dice_in_a_match_and_not_in_a_tournament_unless_a_flag_says_so() {
    let shared = |words: &[&str]| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log.jsonl");
        let m = random_match("einstein", 6).with("--log", &log.display().to_string());
        let mut arguments = m.arguments.clone();
        arguments[0] = words[0].into();
        arguments.extend(words[1..].iter().map(|w| w.to_string()));
        let output = run("referee", &arguments, MATCH);
        assert!(output.status.success(), "{:?}", texts(&output));
        let (sound, said) = verify_file(&log, &[]);
        assert!(sound, "{said}");
        let games = games(&log);
        games.chunks(2).all(|pair| dice(&pair[0]) == dice(&pair[1]))
    };
    assert!(shared(&["match"]));
    assert!(!shared(&["match", "--share-chance", "no"]));
    assert!(!shared(&["tournament"]));
    assert!(shared(&["tournament", "--share-chance", "yes"]));
}

/// A match with contributions of its own.
fn arguments_of_another() -> Vec<String> {
    let mut arguments = random_match("einstein", 2).arguments;
    arguments.push("--contributions".into());
    arguments
}

#[test]
fn both_sides_contribute_to_the_secret_after_they_have_seen_the_commitment() {
    let m = random_match("einstein", 2);
    let mut arguments = m.arguments.clone();
    arguments.push("--contributions".into());
    let mut referee = Process::start("referee", &arguments);
    referee.send("my grandmother's \"birthday\"");
    referee.send("\u{1b}c 42");
    referee.close();
    let (status, _, err) = referee.end();
    assert!(status.success(), "{err}");
    let header = &lines(&m.log())[0];
    let commitment = header["chance"]["commitment"].as_str().expect("a commitment");
    assert!(err.contains(commitment), "{err}");
    let contributions = &header["chance"]["contributions"];
    assert_eq!(contributions[0], json!({"engine": "a", "text": "my grandmother's \"birthday\""}));
    assert_eq!(contributions[1]["engine"], "b");
    for (sound, said) in [verify_file(&m.log(), &[]), verify_chance(&m.log())] {
        assert!(sound, "{said}");
    }
    let text = fs::read_to_string(m.log()).expect("the log");
    let other = edited(&text, true, |lines| {
        lines[0]["chance"]["contributions"][0]["text"] = "another day".into();
    });
    refused(&[(other, 2, "chance gave")]);
    let silent = run("referee", &arguments_of_another(), MATCH);
    let err = texts(&silent).1;
    assert!(!silent.status.success() && err.contains("before the line of a"), "{err}");
}

#[test]
fn shards_share_a_secret_that_only_their_merge_reveals() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let played = random_match("einstein", 6).with("--shard", "1/2").play();
    assert!(!played.success && played.stderr.contains("--secret FILE"), "{played:?}");
    let secret = path("secret");
    let logs = ["1/2", "2/2"].map(|shard| {
        let log = path(&shard.replace('/', "-"));
        let m = random_match("einstein", 6).with("--secret", &secret).with("--shard", shard);
        let played = m.with("--log", &log).play();
        assert!(played.success, "{played:?}");
        assert!(!fs::read_to_string(&log).expect("a log").contains("\"secret\""));
        log
    });
    let (sound, said) = verify_file(Path::new(&logs[0]), &[]);
    assert!(!sound && said.contains("cannot be checked: the secret is not revealed"), "{said}");
    let (sound, said) = verify_file(Path::new(&logs[0]), &["--secret", &secret]);
    assert!(sound && !said.contains("not checked"), "{said}");
    let merged = path("merged");
    let merge = |words: &[&str]| {
        let words = [&["merge", "--out", &merged, &logs[0], &logs[1]], words].concat();
        let output = run("referee", &words, MATCH);
        (output.status.success(), texts(&output).1)
    };
    assert!(merge(&[]).1.contains("--secret FILE"));
    let (fine, err) = merge(&["--secret", &secret]);
    assert!(fine, "{err}");
    let (sound, said) = verify_file(Path::new(&merged), &[]);
    assert!(sound && !said.contains("not checked"), "{said}");
    assert!(said.contains("merged from part 1/2 of 4 games, resumed 0 times"), "{said}");
    let part =
        said.lines().find_map(|l| l.split_once("part 2/2 of 2 games, resumed 0 times, hash "));
    let hash = part.and_then(|(_, rest)| rest.rsplit(' ').next()).expect("a hash");
    let (sound, said) = verify_file(Path::new(&logs[1]), &["--secret", &secret, "--head", hash]);
    assert!(sound && said.contains("with 2 games, are those"), "{said}");
    let (sound, said) = verify_file(Path::new(&merged), &["--head", hash]);
    assert!(!sound && said.contains("give that log to verify"), "{said}");
    assert!(verify_chance(Path::new(&merged)).0);
    // A shard that was changed does not merge.
    let text = fs::read_to_string(&logs[1]).expect("a log");
    let changed = edited(&text, true, |lines| lines[1]["result"] = "draw".into());
    fs::write(&logs[1], changed).expect("a file of ours");
    fs::remove_file(&merged).expect("the merged log");
    let (fine, err) = merge(&["--secret", &secret]);
    assert!(!fine && err.contains("line 2: ") && err.contains("result is draw"), "{err}");
}

#[test]
fn an_old_log_is_readable_and_verify_says_what_it_cannot_pass() {
    let m = random_match("einstein", 2).with("--seed", "1");
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let old = edited(&text, false, |lines| {
        lines.pop();
        lines[0]["agon_match_log"] = 1.into();
        for line in lines.iter_mut() {
            let fields = line.as_object_mut().expect("an object");
            fields.retain(|name, _| !["prev", "chance", "ending"].contains(&name.as_str()));
        }
    });
    fs::write(m.log(), &old).expect("the log is ours");
    let verify = |log: &Path| {
        let output = run("referee", &["verify", &log.display().to_string()], MATCH);
        (output.status.code(), texts(&output).0)
    };
    let (code, said) = verify(&m.log());
    assert_eq!(code, Some(3), "{said}");
    let reason = "cannot be checked: the log has format 1: no chain shows";
    assert!(said.contains(reason) && !said.contains("no defect"), "{said}");
    let played = m.play();
    assert!(!played.success && played.stderr.contains("its format is 1, and this"), "{played:?}");
    let report = run("referee", &["replay", &m.log().display().to_string()], MATCH);
    assert!(report.status.success(), "{:?}", texts(&report));
    let merged = m.log().with_extension("merged");
    let [log, out] = [m.log(), merged.clone()].map(|p| p.display().to_string());
    assert!(run("referee", &["merge", "--out", &out, &log], MATCH).status.success());
    let (code, said) = verify(&merged);
    assert!(code == Some(3) && said.contains("format 1"), "a merged log is no better: {said}");
}
