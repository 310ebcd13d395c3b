//! Matches and tests that are continued with more games: chance nobody can know, verification, resuming,
//! shards, and what is refused.

use crate::support::logs::{edited, random_match, verify_chance, verify_file};
use crate::support::matches::{
    MATCH, Match, Played, games, honest, hopeless, lines, referee, sprt,
};
use crate::support::{Process, run, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Plays a match up to this number of games.
fn up_to(m: &Match, count: &str) -> Played {
    let at = m.arguments.iter().position(|a| a == "--games").expect("the flag is there");
    let mut arguments = m.arguments.clone();
    arguments[at + 1] = count.into();
    let output = run("referee", &arguments, MATCH);
    let (stdout, stderr) = texts(&output);
    let code = output.status.code();
    Played { success: code == Some(0), code, stdout, stderr }
}

/// The places of the lines that are no games: `h` header, `e` end, `c` continuation, `r` resumption, `m`
/// merged logs, `g` game.
fn kinds(log: &Path) -> String {
    let kind = |line: &Value| match line {
        _ if line.get("agon_match_log").is_some() => 'h',
        _ if line.get("continue").is_some() => 'c',
        _ if line.get("game").is_some() => 'g',
        _ if line.get("resume").is_some() => 'r',
        _ if line.get("merged").is_some() => 'm',
        _ => 'e',
    };
    lines(log).iter().map(kind).collect()
}

fn sound(log: &Path) {
    for (sound, said) in [verify_file(log, &[]), verify_chance(log)] {
        assert!(sound && !said.contains("not checked"), "{said}");
    }
}

fn refused(log: &Path, line: u64, reason: &str) {
    let (sound, said) = verify_file(log, &[]);
    let place = format!(":{line}: ");
    let of_open = format!(", line {line}: ");
    let found =
        said.lines().any(|l| (l.contains(&place) || l.contains(&of_open)) && l.contains(reason));
    assert!(!sound && found, "{line}: {reason}: {said}");
}

#[test]
fn a_finished_match_continues_with_a_new_secret_that_is_committed_to_first() {
    for game in ["einstein", "darkchess"] {
        let m = random_match(game, 4);
        assert!(m.play().success);
        let before = fs::read_to_string(m.log()).expect("the log");
        let played = up_to(&m, "10");
        assert!(played.success, "{played:?}");
        assert_eq!(kinds(&m.log()), "hggggecgggggge");
        let text = fs::read_to_string(m.log()).expect("the log");
        assert!(text.starts_with(&before), "what stands in the log stays");
        let all = lines(&m.log());
        let next = &all[6]["continue"];
        assert_eq!(next["from"], serde_json::json!([2, 2]));
        assert_eq!(next["to"], serde_json::json!([5, 5]));
        assert_ne!(next["chance"]["commitment"], all[0]["chance"]["commitment"]);
        assert_ne!(all[5]["end"]["secret"], all[13]["end"]["secret"]);
        assert!(!m.log().with_extension("jsonl.secret").exists(), "the secret's file is left");
        sound(&m.log());
        // And again; then the same command plays nothing.
        assert!(up_to(&m, "12").success);
        assert_eq!(kinds(&m.log()), "hggggecggggggecgge");
        sound(&m.log());
        let text = fs::read_to_string(m.log()).expect("the log");
        assert!(up_to(&m, "12").success);
        assert_eq!(fs::read_to_string(m.log()).expect("the log"), text);
        let played = up_to(&m, "8");
        assert!(played.stderr.contains("was continued to 12 games, 8 are wanted"), "{played:?}");
    }
}

#[test]
fn what_was_changed_around_a_continuation_is_refused() {
    let m = random_match("einstein", 4);
    assert!(m.play().success && up_to(&m, "8").success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let log = m.log();
    let change = |edit: &dyn Fn(&mut Vec<Value>)| {
        fs::write(&log, edited(&text, true, |lines| edit(lines))).expect("the log is ours");
    };
    change(&|l| l[6]["continue"]["from"] = serde_json::json!([1, 1]));
    refused(&log, 7, "continue.from is [1, 1]: expected [2, 2]");
    change(&|l| l[6]["continue"]["to"] = serde_json::json!([2, 1]));
    refused(&log, 7, "continue.to is [2, 1]");
    change(&|l| l[6]["continue"]["to"] = serde_json::json!([u64::MAX, 4]));
    refused(&log, 7, "continue.to is");
    let old = |l: &[Value]| l[0]["chance"].clone();
    change(&|l| l[6]["continue"]["chance"] = old(l));
    refused(&log, 7, "the secret before it is revealed");
    let (sound, said) = verify_chance(&log);
    assert!(!sound && said.contains("its secret was known before"), "{said}");
    change(&|l| l[6]["continue"]["chance"]["shared"] = false.into());
    refused(&log, 7, "shared: expected true");
    // A game of the second section that hides in the first one, where its secret is not known yet.
    change(&|l| {
        let moved = l.remove(8);
        l.insert(5, moved);
    });
    refused(&log, 6, "expected a number from 1 to 4");
    // A game of the first section that is played after its secret is known.
    change(&|l| {
        let moved = l.remove(4);
        l.insert(7, moved);
        l[4]["end"]["games"] = 3.into();
    });
    refused(&log, 5, "1 game is missing: 4");
    let (sound, said) = verify_chance(&log);
    assert!(!sound && said.contains("game 4: ") && said.contains(", expected "), "{said}");
    change(&|l| drop(l.remove(6)));
    refused(&log, 7, "a line after the end of the log");
    change(&|l| drop(l.remove(5)));
    refused(&log, 6, "continue.chance: expected that of the games before");
    change(&|l| {
        let moves = l[9]["moves"].as_str().unwrap_or_default().to_string();
        let at = l[9]["by"].as_str().and_then(|by| by.rfind('c')).expect("a roll");
        let mut tokens: Vec<&str> = moves.split(' ').collect();
        tokens[at] = if tokens[at] == "1" { "6" } else { "1" };
        l[9]["moves"] = tokens.join(" ").into();
    });
    refused(&log, 10, "chance gave");
    fs::write(
        &log,
        edited(&text, false, |l| l[6]["continue"]["origin"]["machines"] = Value::Array(vec![])),
    )
    .expect("the log is ours");
    refused(&log, 8, "line 7 was changed");
    assert!(!up_to(&m, "12").success, "a match is not continued from a log that verify refuses");
}

#[test]
fn with_a_seed_a_continued_match_is_that_of_its_whole_length() {
    let [long, short] = [9, 5].map(|count| {
        random_match("amazons", count).with("--seed", "3").with("--random-plies", "2")
    });
    assert!(long.play().success && short.play().success);
    let played = up_to(&short, "9");
    assert!(played.success, "{played:?}");
    assert_eq!(games(&short.log()), games(&long.log()));
    assert_eq!(kinds(&short.log()), "hgggggecgggge");
    let (sound, said) = verify_file(&short.log(), &[]);
    assert!(sound && !said.contains("not checked"), "{said}");
    // The estimate of a match that goes beyond its plan is not that of a fixed number of games.
    assert!(played.stdout.contains("confidence sequence"), "{played:?}");
    let log = short.log().display().to_string();
    let (code, _, err) = referee(&["report", &log]);
    assert_eq!(code, Some(0), "{err}");
    let page = fs::read_to_string(short.log().with_extension("html")).expect("the page");
    assert!(page.contains("from 5 to 9 games"), "{page:.200}");
    let export = ["export", log.as_str(), "--format", "pgn"];
    for words in [
        &["stats", log.as_str()][..],
        &["ratings", &log, "--prior", "1"],
        &["replay", &log],
        &export,
    ] {
        let (code, _, err) = referee(words);
        assert_eq!(code, Some(0), "{words:?}: {err}");
    }
}

#[test]
fn random_openings_of_new_games_follow_from_the_new_secret() {
    let m = random_match("amazons", 4).with("--random-plies", "2");
    assert!(m.play().success && up_to(&m, "8").success);
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(sound && !said.contains("not checked"), "{said}");
    let all = lines(&m.log());
    assert_ne!(all[0]["openings"]["sha256"], all[6]["continue"]["openings"]["sha256"]);
    let text = fs::read_to_string(m.log()).expect("the log");
    let other = edited(&text, true, |l| {
        let first = l[1]["opening"].clone();
        for game in [7, 8] {
            l[game]["opening"] = first.clone();
        }
    });
    fs::write(m.log(), other).expect("the log is ours");
    refused(&m.log(), 8, "opening is");
}

#[test]
fn an_odd_number_of_games_is_continued_only_while_its_secret_is_not_known() {
    let m = random_match("einstein", 5);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let played = up_to(&m, "8");
    assert!(
        !played.success && played.stderr.contains("only an even number of games"),
        "{played:?}"
    );
    assert_eq!(fs::read_to_string(m.log()).expect("the log"), text);
    let m = random_match("einstein", 3).with("--swap", "no");
    assert!(m.play().success && up_to(&m, "5").success, "without pairs any number");
    sound(&m.log());
}

/// Two engines that take their time, so that there is time to kill the referee.
fn slow_match() -> (Match, PathBuf) {
    let slow = "slow --at 1 --delay 4";
    let m = Match::between(slow, slow, 4).with_a_secret();
    let secret = m.log().with_extension("jsonl.secret");
    (m, secret)
}

#[test]
fn a_continuation_that_is_killed_is_resumed_with_its_own_secret() {
    let (m, file) = slow_match();
    assert!(m.play().success);
    let at = m.arguments.iter().position(|a| a == "--games").expect("the flag");
    let mut arguments = m.arguments.clone();
    arguments[at + 1] = "12".into();
    let mut running = Process::start("referee", &arguments);
    let from = Instant::now();
    while games(&m.log()).len() < 6 {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(20));
    }
    running.kill();
    let text = fs::read_to_string(m.log()).expect("the log");
    assert!(!text.contains(fs::read_to_string(&file).expect("the secret").trim()));
    let (fine, said) = verify_file(&m.log(), &["--partial"]);
    assert!(fine && !said.contains("not checked"), "{said}");
    let aside = file.with_extension("aside");
    fs::rename(&file, &aside).expect("a file of ours");
    let played = up_to(&m, "12");
    assert!(!played.success && played.stderr.contains("cannot be resumed"), "{played:?}");
    fs::rename(&aside, &file).expect("a file of ours");
    assert!(up_to(&m, "12").success);
    assert!(!file.exists());
    assert_eq!(games(&m.log()).len(), 12);
    let (fine, said) = verify_file(&m.log(), &[]);
    assert!(fine, "{said}");
    // Every prefix of the log with whole lines is continued to the same number of games.
    let text = fs::read_to_string(m.log()).expect("the log");
    for cut in [5, 6, 7] {
        let part: String = text.split_inclusive('\n').take(cut).collect();
        fs::write(m.log(), &part).expect("the log is ours");
        let played = up_to(&m, "12");
        // Without its file the secret of games that are not finished is lost.
        assert_eq!(played.success, cut == 6, "{cut}: {played:?}");
    }
}

#[test]
fn an_interrupted_match_gets_more_games_with_the_same_secret() {
    let (m, file) = slow_match();
    let mut running = Process::start("referee", &m.arguments);
    let from = Instant::now();
    while !m.log().exists() || games(&m.log()).len() < 2 {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(20));
    }
    running.kill();
    let played = up_to(&m, "6");
    assert!(played.success && !file.exists(), "{played:?}");
    assert_eq!(kinds(&m.log()).matches('c').count(), 1);
    assert_eq!(kinds(&m.log()).matches('e').count(), 1);
    assert_eq!(kinds(&m.log()).matches("cr").count(), 1, "what was found is said");
    let (fine, said) = verify_file(&m.log(), &[]);
    assert!(fine && !said.contains("not checked"), "{said}");
}

#[test]
fn an_engine_that_does_not_start_leaves_no_continuation() {
    let m = random_match("einstein", 2);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let m = m.with("--ready-time", "0");
    let played = up_to(&m, "4");
    assert!(!played.success && played.stderr.contains("did not answer"), "{played:?}");
    assert_eq!(fs::read_to_string(m.log()).expect("the log"), text);
    assert!(!m.log().with_extension("jsonl.secret").exists());
}

#[test]
fn an_undecided_test_continues_to_its_verdict_and_a_decided_one_is_refused() {
    for (test, counts) in [("sprt", ["8", "12"]), ("betting", ["2", "4"])] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = |name: &str| folder.path().join(name);
        let play = |name: &str, count: &str| {
            let more = ["--elo1", "60", "--test", test, "--games", count];
            sprt(&honest(1), &hopeless(), &log(name), &more)
        };
        let (code, out, err) = play("whole", "200");
        assert_eq!(code, Some(0), "{out}{err}");
        let verdict =
            out.lines().find(|l| l.contains("accepted (H1)")).expect("a verdict").to_string();
        for count in counts {
            assert_eq!(play("log", count).0, Some(4), "undecided");
        }
        let (code, out, err) = play("log", "200");
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains(&verdict), "{verdict}: {out}");
        let text = fs::read_to_string(log("log")).expect("the log");
        assert_eq!(play("log", "200").0, Some(0), "the verdict again");
        let (code, _, err) = play("log", "300");
        assert!(code == Some(1) && err.contains("the test was decided after"), "{code:?}: {err}");
        assert_eq!(fs::read_to_string(log("log")).expect("the log"), text);
        let (fine, said) = verify_file(&log("log"), &[]);
        assert!(fine, "{said}");
    }
}

#[test]
fn the_shards_of_a_match_continue_together() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let secret = path("secret");
    let play = |count: &str, shard: &str| {
        let log = path(&shard.replace('/', "-"));
        let m = random_match("einstein", 6).with("--secret", &secret).with("--shard", shard);
        let played = up_to(&m.with("--log", &log), count);
        assert!(played.success, "{played:?}");
        log
    };
    let logs = ["1/2", "2/2"].map(|shard| play("6", shard));
    play("10", "1/2");
    let merge = |out: &str| {
        let words = ["merge", "--out", out, "--secret", &secret, &logs[0], &logs[1]];
        referee(&words)
    };
    let (code, _, err) = merge(&path("early"));
    assert!(code == Some(1) && err.contains("games missing"), "{err}");
    play("10", "2/2");
    let (code, _, err) = merge(&path("merged"));
    assert_eq!(code, Some(0), "{err}");
    let merged = folder.path().join("merged");
    sound(&merged);
    assert_eq!(kinds(&merged), "hmgggggggggge");
    let numbers: Vec<_> = games(&merged).iter().map(|g| g["game"].as_u64()).collect();
    assert_eq!(numbers, (0..10).map(Some).collect::<Vec<_>>());
}

#[test]
fn a_test_on_several_machines_continues_with_more_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out").display().to_string();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee/cluster/sequential");
    let play = |count: &str| {
        let output = std::process::Command::new("python3")
            .arg(&script)
            .args([
                "--on", "local", "--parts", "2", "--round", "4", "--bench", "", "--out", &out, "--",
            ])
            .arg(crate::support::program("referee"))
            .args(["sprt", "--game", "amazons", "--depth", "1", "--elo1", "60", "--games", count])
            .args(["--new", &honest(1), "--base", &hopeless()])
            .output()
            .expect("python3 starts");
        (output.status.code(), texts(&output))
    };
    let (code, said) = play("8");
    assert_eq!(code, Some(4), "{said:?}");
    let (code, said) = play("200");
    assert_eq!(code, Some(0), "{said:?}");
    let log = folder.path().join("out/test.jsonl");
    assert!(games(&log).len() > 8, "{said:?}");
    let (fine, checked) = verify_file(&log, &["--partial"]);
    assert!(fine, "{checked}");
    let text = fs::read_to_string(&log).expect("the log");
    let (code, again) = play("200");
    assert_eq!((code, again.0), (Some(0), said.0), "the verdict again");
    for (count, reason) in [("300", "was decided after"), ("100", "100 are wanted")] {
        let (code, said) = play(count);
        assert!(code == Some(1) && said.1.contains(reason), "{count}: {said:?}");
    }
    assert_eq!(fs::read_to_string(&log).expect("the log"), text);
}

#[test]
fn a_tournament_is_not_continued() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log").display().to_string();
    let engines = [1, 2, 3].map(|seed| format!("name=e{seed},cmd={}", honest(seed)));
    let play = |count: &str| {
        let mut words = vec!["tournament", "--game", "amazons", "--depth", "1", "--quiet"];
        engines.iter().for_each(|e| words.extend(["--engine", e.as_str()]));
        words.extend(["--games", count, "--log", &log]);
        referee(&words)
    };
    assert_eq!(play("2").0, Some(0));
    let (code, _, err) = play("4");
    assert!(code == Some(1) && err.contains("schedule.pairings[0].games"), "{err}");
}
