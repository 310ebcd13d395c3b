//! Somebody else changes the log while a match is played: the match stops, says what it found and what to
//! do, and loses no game. A log that is resumed says so.
#![cfg(unix)]

use crate::support::Process;
use crate::support::logs::{random_match, verify_file};
use crate::support::matches::{Match, games, lines};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Games of about a third of a second each.
fn unhurried(count: u32) -> Match {
    let slow = "slow --at 1 --delay 4";
    Match::between(slow, slow, count).with_a_secret()
}

fn wait_for_games(log: &Path, count: usize) {
    let from = Instant::now();
    while !log.exists() || games(log).len() < count {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(5));
    }
}

/// Plays until there are two games, changes the log, and waits for the end: the exit status, the error
/// output, and the log as it was before.
fn disturbed(m: &Match, change: fn(&Path)) -> (Option<i32>, String, String) {
    let mut referee = Process::start("referee", &m.arguments);
    wait_for_games(&m.log(), 2);
    // No game ends in the next few milliseconds.
    let before = fs::read_to_string(m.log()).expect("the log");
    change(&m.log());
    let (status, _, err) = referee.end();
    (status.code(), err, before)
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("the log");
    let edited = text.replacen(from, to, 1);
    assert_ne!(text, edited, "{from}");
    fs::write(path, edited).expect("the log is ours");
}

/// Each change, what is said of it, and whether the referee still has the whole log.
type Case = (&'static str, bool, fn(&Path));

const CASES: [Case; 8] = [
    ("it is gone", true, |log| fs::remove_file(log).expect("the log")),
    ("it is gone", true, |log| {
        fs::rename(log, log.with_extension("elsewhere")).expect("the log");
    }),
    ("another file has taken its place", true, |log| {
        let other = log.with_extension("other");
        fs::copy(log, &other).expect("the log");
        fs::rename(other, log).expect("the log");
    }),
    ("another file has taken its place", true, |log| {
        fs::remove_file(log).expect("the log");
        fs::write(log, "").expect("a file of ours");
    }),
    ("bytes were added at its end", true, |log| {
        let mut file = OpenOptions::new().append(true).open(log).expect("the log");
        file.write_all(b"{\"game\":9}\n").expect("the log is ours");
    }),
    ("bytes were cut off at its end", false, |log| {
        let file = OpenOptions::new().write(true).open(log).expect("the log");
        file.set_len(file.metadata().expect("it").len() - 30).expect("the log is ours");
    }),
    ("bytes were cut off at its end", false, |log| fs::write(log, "").expect("the log is ours")),
    ("lines of it were changed", false, |log| edit(log, "\"pair\":0", "\"pair\":7")),
];

#[test]
fn a_log_that_is_changed_in_mid_match_stops_it_and_no_game_is_lost() {
    std::thread::scope(|scope| {
        for half in CASES.chunks(4) {
            scope.spawn(move || half.iter().for_each(loses_nothing));
        }
    });
}

fn loses_nothing((reason, whole, change): &Case) {
    let m = unhurried(5);
    let (code, err, before) = disturbed(&m, *change);
    assert_eq!(code, Some(1), "{reason}: {err}");
    assert!(err.contains(reason) && err.contains("The match stops"), "{reason}: {err}");
    assert!(err.contains("referee match --game amazons"), "what to do: {err}");
    let rescue = m.log().with_extension("jsonl.rescue");
    assert!(err.contains(&rescue.display().to_string()), "{reason}: {err}");
    let saved = fs::read_to_string(&rescue).expect("the rescue");
    assert_eq!(err.contains("The whole log"), *whole, "{reason}: {err}");
    // What the message says.
    if *whole {
        assert!(saved.starts_with(&before), "{reason}");
        fs::rename(&rescue, m.log()).expect("a file of ours");
    } else {
        fs::write(m.log(), before.clone() + &saved).expect("the log is ours");
    }
    assert_eq!(games(&m.log()).len(), 3, "{reason}: the game that was to be written");
    assert_eq!(m.games().len(), 5, "{reason}");
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(
        sound && said.contains("no defect") && said.contains("resumed after 3 games"),
        "{said}"
    );
}

#[test]
fn a_log_that_is_changed_after_its_last_game_is_found_too() {
    let m = unhurried(2).with("--wait", "1s").with("-j", "2");
    // The second worker still waits when both games are in the log.
    let mut referee = Process::start("referee", &m.arguments);
    wait_for_games(&m.log(), 2);
    fs::remove_file(m.log()).expect("the log");
    let (status, _, err) = referee.end();
    if status.code() == Some(0) {
        eprintln!("SKIPPED: the match had ended before");
        return;
    }
    assert!(status.code() == Some(1) && err.contains("it is gone"), "{err}");
    fs::rename(m.log().with_extension("jsonl.rescue"), m.log()).expect("the rescue");
    assert_eq!(m.games().len(), 2);
    assert!(verify_file(&m.log(), &[]).0);
}

/// Otherwise the secret of the match would be overwritten, and its games could not be resumed.
#[test]
fn a_match_is_not_begun_anew_over_the_secret_of_one_whose_log_is_missing() {
    let m = unhurried(4);
    let mut referee = Process::start("referee", &m.arguments);
    wait_for_games(&m.log(), 1);
    referee.kill();
    let aside = m.log().with_extension("aside");
    fs::rename(m.log(), &aside).expect("the log");
    let secret = fs::read_to_string(m.log().with_extension("jsonl.secret")).expect("the secret");
    let played = m.play();
    assert!(played.code == Some(1) && played.stderr.contains("is missing, but"), "{played:?}");
    let kept = fs::read_to_string(m.log().with_extension("jsonl.secret")).expect("the secret");
    assert_eq!(kept, secret);
    fs::rename(&aside, m.log()).expect("the log");
    assert_eq!(m.games().len(), 4);
}

#[test]
fn a_resumption_is_a_line_of_the_log_with_what_it_found() {
    let m = unhurried(5);
    let mut referee = Process::start("referee", &m.arguments);
    wait_for_games(&m.log(), 2);
    referee.kill();
    let found = games(&m.log()).len();
    let mut file = OpenOptions::new().append(true).open(m.log()).expect("the log");
    file.write_all(b"{\"prev\":\"00\",\"game\":4,").expect("the log is ours");
    drop(file);
    assert_eq!(m.games().len(), 5);
    let all = lines(&m.log());
    let resume = &all[found + 1]["resume"];
    assert_eq!(resume["games"], found, "{resume}");
    assert_eq!(resume["discarded"]["bytes"], 22, "{resume}");
    assert_eq!(resume["discarded"]["text"], "{\"prev\":\"00\",\"game\":4,", "{resume}");
    assert!(resume["origin"]["started"].is_string() && all[found + 1]["prev"].is_string());
    let (sound, said) = verify_file(&m.log(), &[]);
    assert!(sound && said.contains("an incomplete line of 22 bytes was discarded"), "{said}");
}

#[test]
fn a_hash_that_was_written_down_is_found_again_or_its_absence_is_a_defect() {
    let m = random_match("einstein", 4).with("-j", "2");
    let played = m.play();
    let head = |text: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix("hash of its last line: "));
        line.expect("a hash").to_string()
    };
    let written = head(&played.stdout);
    let arguments: Vec<String> = m.arguments.clone();
    let m = m.with("--games", "8");
    let continued = m.play();
    assert!(continued.success, "{continued:?}");
    let (sound, said) = verify_file(&m.log(), &["--head", &written]);
    assert!(
        sound && said.contains("line 6 has the hash") && said.contains("with 4 games"),
        "{said}"
    );
    assert!(said.contains("whether lines after line 6 were made anew"), "{said}");
    let (sound, said) = verify_file(&m.log(), &["--head", &head(&continued.stdout).to_uppercase()]);
    assert!(sound && !said.contains("made anew"), "{said}");
    // The same match, played again: its log is sound, and not the one.
    fs::remove_file(m.log()).expect("the log");
    let again = crate::support::run("referee", &arguments, crate::support::matches::MATCH);
    assert!(again.status.success());
    assert!(verify_file(&m.log(), &[]).0);
    let (sound, said) = verify_file(&m.log(), &["--head", &written]);
    assert!(!sound && said.contains(&format!("no line has the hash {written}")), "{said}");
    let (sound, said) = verify_file(&m.log(), &["--head", "12"]);
    assert!(!sound && said.contains("expected 32 hexadecimal digits"), "{said}");
    // Every command that prints a result prints the hash.
    let log = m.log().display().to_string();
    let (_, said) = verify_file(&m.log(), &[]);
    let hash = said.lines().find_map(|l| l.split_once(": hash of the last line: ")).expect("it").1;
    for words in [&["report", "--text", &log][..], &["stats", &log], &["match", "--json"]] {
        let words: Vec<String> = match words[0] {
            "match" => arguments.iter().cloned().chain(["--json".into()]).collect(),
            _ => words.iter().map(ToString::to_string).collect(),
        };
        let output = crate::support::run("referee", &words, crate::support::matches::MATCH);
        let (out, err) = crate::support::texts(&output);
        assert!(out.contains(hash), "{words:?}: {out}{err}");
    }
}
