//! Nothing that an engine or a file says can act on a terminal, break a file or reorder what a
//! reader sees: not in a match, its log, or anything that is made from the log.
#![cfg(unix)]

use crate::support::logs::edited;
use crate::support::matches::Match;
use crate::support::{Process, program, run, texts};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// An engine whose every text is an attack: names, options, info, variations, moves and stderr.
const HOSTILE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    ugi)
        printf 'id name E\342\200\256vil\033c\000 x\nid author \302\233me\342\201\246\n'
        printf 'option name O\033]0;x\007 type string default \033c\nugiok\n' ;;
    isready) echo readyok ;;
    go*)
        printf '\033c\n' >&2
        printf 'info string \033c \342\200\250 \377\ninfo depth 1 score cp 1 pv \033c \342\200\217\n'
        printf 'info string error: \033[2J\342\200\252\nbestmove \033c\000\342\200\256d1\r\n' ;;
    query*) printf 'response \033c\n' ;;
    quit) exit ;;
    esac
done
"#;

/// Writes a program.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("the program is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is made executable");
    path
}

/// Fails if a text holds a control character other than a line break, or a direction mark.
fn assert_safe(what: &str, text: &str) {
    let bad = |c: char| {
        c.is_control() && c != '\n'
            || ('\u{200e}'..='\u{200f}').contains(&c)
            || ('\u{2028}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    let found = text.chars().find(|&c| bad(c));
    assert_eq!(found, None, "{what}: {}", text.escape_debug());
}

/// Runs the referee; its output is safe.
fn referee(arguments: &[&str]) -> (bool, String) {
    let output = run("referee", arguments, LONG);
    let (stdout, stderr) = texts(&output);
    assert_safe(&format!("{arguments:?}"), &(stdout.clone() + &stderr));
    (output.status.success(), stdout + &stderr)
}

/// All that is made from a log is safe; returns the texts.
fn all_outputs(log: &Path, folder: &Path) -> Vec<String> {
    let log = log.display().to_string();
    let page = folder.join("page.html").display().to_string();
    let mut outputs = Vec::new();
    for words in [
        vec!["replay", &log],
        vec!["replay", &log, "--game", "1"],
        vec!["export", &log, "--format", "csv"],
        vec!["export", &log, "--format", "pgn"],
        vec!["report", &log, "--out", &page],
        vec!["ratings", &log, "--prior", "1"],
        vec!["ratings", &log, "--prior", "1", "--json"],
    ] {
        let (good, text) = referee(&words);
        assert!(good, "{words:?}: {text}");
        outputs.push(text);
    }
    let page = fs::read_to_string(page).expect("the page");
    assert_safe("the page", &page);
    outputs.push(page);
    outputs
}

#[test]
fn what_an_engine_says_is_shown_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(folder.path(), "hostile", HOSTILE);
    let honest = format!("name=a,cmd={} honest", program("rogue").display());
    let mut m = Match::of([honest, format!("name=b,cmd={}", engine.display())], 2);
    m.arguments.retain(|a| a != "--quiet");
    let played = m.play();
    let said = played.stdout + &played.stderr;
    assert_safe("the match", &said);
    assert!(said.contains(r"illegal move by b: `\u{1b}c\u{0}\u{202e}d1`"), "{said}");
    assert!(said.contains(r"engine error: \u{1b}[2J\u{202a}"), "{said}");
    let log = fs::read_to_string(m.log()).unwrap();
    assert_safe("the log", &log);
    assert!(log.contains(r"\\u{1b}c"), "{log}");
    for (text, i) in all_outputs(&m.log(), folder.path()).iter().zip(0..) {
        let wanted = match i {
            // A comment in PGN ends with the first brace.
            3 => r"\u{1b)c\u{0)\u{202e)d1",
            1 | 2 | 7 => r"\u{1b}c\u{0}\u{202e}d1",
            _ => "",
        };
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let (_, text) = referee(&["check", "--game", "amazons", &engine.display().to_string()]);
    assert!(text.contains(r"E\u{202e}vil\u{1b}c\u{0} x") && text.contains(r"\u{9b}me"), "{text}");
}

#[test]
fn a_log_from_elsewhere_is_shown_and_harms_nothing() {
    let m = Match::between("honest", "illegal", 2);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).unwrap();
    let attack = "\\u001bc\\u0000\\b\u{202e}\u{9b}";
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("hostile.jsonl");
    let hostile = text
        .replace("\"name\":\"a\"", &format!("\"name\":\"a{attack}\""))
        .replace("\"detail\":\"", &format!("\"detail\":\"{attack}\\n"))
        .replace("\"stdout\":\"", &format!("\"stdout\":\"{attack}"));
    assert_eq!(hostile.matches(attack).count(), 5, "{hostile}");
    fs::write(&log, edited(&hostile, true, |_| ())).unwrap();
    let outputs = all_outputs(&log, folder.path());
    assert!(outputs[2].contains(r"a\u{1b}c\u{0}\u{8}\u{202e}\u{9b}"), "{}", outputs[2]);
    // Not even a line break can forge a line: a head, two games, what is not checked, the last hash.
    assert_eq!(outputs[2].lines().count(), 5, "{}", outputs[2]);
}

#[test]
fn what_a_file_or_a_flag_says_is_quoted_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let engine = format!("{} honest", program("rogue").display());
    let openings = path("openings", "startpos moves \u{1b}c\u{202e}\n");
    let toml = path("match.toml", "game = \"amazons\"\n[[engine]]\nname = \"x\\u001bc\"\n");
    let log = path("log.jsonl", "{\"agon_match_log\":\"\\u001bc\u{202e}\"}\n");
    let name = format!("name=x\u{1b}c,cmd={engine}");
    let own = ["--game", "amazons", "--depth", "1", "--engine", &engine, "--engine", &engine];
    for (words, quoted) in [
        ([&["match", "--openings", &openings], &own[..]].concat(), r"`\u{1b}c\u{202e}`"),
        (vec!["match", "--config", &toml], r"\u{1b}c"),
        (vec!["replay", &log], r"\u001bc\u{202e}"),
        (vec!["match", "--game", "amazons", "--engine", &name], r"x\u{1b}c"),
        (vec!["replay", "no\u{1b}c"], r"no\u{1b}c"),
        (vec!["diagram", "--game", "amazons", "\u{1b}c\u{202e} w"], r"\u{1b}c\u{202e}"),
    ] {
        let (good, text) = referee(&words);
        assert!(!good && text.contains(quoted), "{words:?}: {text}");
    }
}

#[test]
fn our_engines_quote_what_they_refuse() {
    let mut engine = Process::open("amazons", &[] as &[&str], "ugi");
    for line in [
        "\u{1b}c\u{202e}",
        "position startpos moves \u{1b}c\u{202e}",
        "setoption name \u{1b}c value \u{202e}",
        "setoption name Hash value \u{1b}c\u{202e}",
        "go depth \u{1b}c",
    ] {
        let answer = engine.request(line);
        assert_safe(line, &answer);
        assert!(answer.contains(r"\u{1b}c"), "{answer}");
    }
    let output = run("amazons", &["--option", "Hash=\u{1b}c"], LONG);
    let (stdout, stderr) = texts(&output);
    assert_safe("the flag", &(stdout + &stderr));
    assert!(stderr.contains(r"\u{1b}c"), "{stderr}");
}
