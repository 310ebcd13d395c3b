//! What people see in a terminal of 80 columns: whole words, the verdict above the tables, what to do next at the end.

use crate::support::matches::{MATCH, honest, hopeless, referee};
use crate::support::{program, run, texts};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const WIDTH: usize = 80;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The lines that the referee prints into a terminal of 80 columns, without its control sequences.
fn in_terminal(words: &[&str]) -> Vec<String> {
    let quoted = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let line =
        format!("stty cols {WIDTH} rows 24; exec '{}' {quoted}", program("referee").display());
    let output = Command::new("script")
        .args(["--quiet", "--command", &line, "/dev/null"])
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .expect("script of util-linux runs");
    let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n").replace('\r', "\n");
    let mut plain = String::new();
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
        // A line that is cleared was the display of the running match.
        if part[..end].ends_with('K') {
            plain.push('\n');
        }
        plain.push_str(&part[end..]);
    }
    plain.lines().map(String::from).collect()
}

/// No word is broken: a line that is too long is one word, such as an address, or a command to copy. The display of a running
/// match fills its lines with blanks instead of ending them.
fn assert_whole_words(lines: &[String]) {
    for line in lines {
        let is_one_word = line.split_whitespace().count() <= 1;
        let is_command = line.trim_start().starts_with('\'') || line.trim_start().starts_with('/');
        let characters: Vec<char> = line.chars().collect();
        let is_display = line.contains(" games [") && line.contains(" elapsed ");
        let is_blank = |at: usize| characters[at - 1] == ' ' || characters[at] == ' ';
        let fits = characters.len() <= WIDTH
            || is_display && (WIDTH..characters.len()).step_by(WIDTH).all(is_blank);
        assert!(fits || is_one_word || is_command, "{line:?}\nof\n{}", lines.join("\n"));
    }
}

#[test]
fn nothing_that_is_printed_breaks_a_word() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (log, page) = (path("match.jsonl"), path("match.html"));
    let [a, b] = [("a rather long name of an engine", 1), ("another one that is long", 2)]
        .map(|(name, seed)| format!("name={name},cmd={}", honest(seed)));
    let play = ["match", "--game", "amazons", "--engine", &a, "--engine", &b, "--depth", "1"];
    let more = ["--games", "4", "--seed", "1", "--log", &log];
    let lines = in_terminal(&[&play[..], &more].concat());
    assert_whole_words(&lines);
    assert!(lines.iter().any(|line| line.contains("95%")), "{lines:?}");
    for words in [
        &["stats", &log][..],
        &["report", &log, "--out", &page],
        &["verify", &log],
        &["ratings", &log],
        &["replay", &log],
        &["match", "--game", "amazons", "--openings", "no/such/file/whose/name/is/rather/long.txt"],
        &["check", &honest(1), "--game", "amazons"],
        &["match", "-h"],
        &["sprt", "--help"],
    ] {
        let lines = in_terminal(words);
        assert!(!lines.is_empty(), "{words:?}");
        assert_whole_words(&lines);
    }
}

/// The index of the first line with a part.
fn at(text: &str, part: &str) -> usize {
    let found = text.lines().position(|line| line.contains(part));
    found.unwrap_or_else(|| panic!("no {part:?} in\n{text}"))
}

#[test]
fn the_verdict_stands_above_the_tables_and_the_last_line_says_what_to_do_next() {
    let folder = folder();
    let log = |name: &str| folder.path().join(name).display().to_string();
    let engine = |name: &str, command: &str| format!("name={name},{command}");
    let good = engine("good", &format!("cmd={}", honest(1)));
    let bad = engine("bad", &hopeless());
    let other = engine("other", &format!("cmd={}", honest(2)));
    let two = ["--engine", &good, "--engine", &bad, "--depth", "1", "--quiet", "--seed", "1"];
    let file = log("two.jsonl");
    let all = [&["match", "--game", "amazons", "--games", "40", "--log", &file][..], &two].concat();
    let (_, out, _) = referee(&all);
    assert_eq!(at(&out, "good is stronger than bad"), 0, "{out}");
    assert_eq!(out.lines().last(), Some(&*format!("next: referee report {file}")), "{out}");
    assert!(at(&out, "20 pairs") < at(&out, "Engine "), "{out}");
    // The command of the last line works as printed.
    let output = run("referee", &["report", &file], MATCH);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");

    let equal = ["--engine", &good, "--engine", &other, "--depth", "1", "--quiet", "--seed", "1"];
    let file = log("pair.jsonl");
    let all =
        [&["match", "--game", "amazons", "--games", "2", "--log", &file][..], &equal].concat();
    let (_, out, _) = referee(&all);
    assert!(out.contains("1 pair\n") && !out.contains("1 pairs"), "{out}");
    assert!(at(&out, "is shown") < at(&out, "Engine "), "{out}");
    let (_, out, _) = referee(&["stats", &file]);
    assert!(out.contains("1 pair,") && !out.contains("1 pairs"), "{out}");
    assert!(at(&out, "in schedule order") < at(&out, "Ptnml"), "{out}");

    let file = log("three.jsonl");
    let all = [&["tournament", "--game", "amazons", "--log", &file, "--engine", &other][..], &two];
    let (_, out, _) = referee(&all.concat());
    assert!(at(&out, "first: ") < at(&out, "Engine "), "{out}");
    assert_eq!(out.lines().last(), Some(&*format!("next: referee report {file}")), "{out}");
    // A result for programs has no such line.
    let (_, out, _) = referee(&[&all.concat()[..], &["--json"]].concat());
    assert!(!out.contains("next: "), "{out}");
}

#[test]
fn a_test_that_is_undecided_says_how_to_go_on_and_what_betting_says() {
    let folder = folder();
    let log = folder.path().join("test.jsonl").display().to_string();
    let [new, base] = [honest(1), honest(2)];
    let words = ["sprt", "--game", "amazons", "--new", &new, "--base", &base, "--depth", "1"];
    let more =
        ["--quiet", "--seed", "1", "--games", "4", "-j", "1", "--interval", "2", "--log", &log];
    let (_, out, _) = referee(&[&words[..], &more].concat());
    let first = at(&out, "after 2 games, at most 4");
    let betting = at(&out, "the test by betting says: undecided, e-values");
    assert!(first < at(&out, "SPRT: undecided") && at(&out, "SPRT: undecided") < betting, "{out}");
    assert!(out.contains("after 1 pair\n") && out.contains("after 2 pairs\n"), "{out}");
    let last = out.lines().last().unwrap_or_default();
    assert!(last.starts_with("next: the same command with --games 8"), "{out}");
    // The e-values are those of the test itself.
    let values = |text: &str| {
        let line = text.lines().rfind(|line| line.contains("e-values") && line.contains("says"));
        line.and_then(|line| line.split_once("e-values ")).map(|(_, rest)| rest.to_string())
    };
    let betting = ["--test", "betting"];
    let other = folder.path().join("betting.jsonl").display().to_string();
    let more = ["--quiet", "--seed", "1", "--games", "4", "--log", &other];
    let (_, own, _) = referee(&[&words[..], &more, &betting].concat());
    let expected = values(&out).expect("a line of the test by betting");
    assert!(own.contains(&format!("e-values {expected} after 2 pairs")), "{expected}\n{own}");
}

#[test]
fn the_address_of_a_match_is_printed_first() {
    let folder = folder();
    let log = folder.path().join("served.jsonl").display().to_string();
    let [a, b] = [honest(1), honest(2)];
    let engines = ["--depth", "1", "--seed", "1", "--games", "2", "--log", &log, "--serve"];
    for kind in [
        &["match", "--game", "amazons", "--engine", &a, "--engine", &b][..],
        &["tournament", "--game", "amazons", "--engine", &a, "--engine", &b],
        &["sprt", "--game", "amazons", "--new", &a, "--base", &b],
    ] {
        let _ = std::fs::remove_file(&log);
        let (_, out, err) = referee(&[kind, &engines].concat());
        // Only what a seed means for chance may be said before; no engine plays yet.
        let mut lines = err.lines().skip_while(|line| line.starts_with("chance is foreseeable"));
        let first = lines.next().unwrap_or_default();
        assert!(first.starts_with("the match can be watched at http://"), "{kind:?}: {out}{err}");
    }
}
