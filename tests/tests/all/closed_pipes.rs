//! A closed pipe and an argument that is not UTF-8 end every program quietly: no panic, no noise.
#![cfg(unix)]

use crate::support::matches::Match;
use crate::support::{ENGINES, program};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};

/// Runs a program whose standard output, or all output, nobody reads.
fn unread(name: &str, arguments: &[&str], both: bool) -> Output {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = Command::new(program(name));
    command.args(arguments).stdin(Stdio::null()).stdout(writer.try_clone().expect("a pipe"));
    if both {
        command.stderr(writer);
    }
    command.output().expect("the program runs")
}

fn is_quiet(name: &str, arguments: &[&str]) {
    for both in [false, true] {
        let output = unread(name, arguments, both);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|c| c != 101), "{name} {arguments:?}: {output:?}");
        assert!(
            !errors.contains("panicked") && !errors.contains("pipe"),
            "{arguments:?}: {errors}"
        );
    }
}

#[test]
fn the_referees_subcommands_end_quietly() {
    let m = Match::between("honest", "honest", 2);
    assert!(m.play().success);
    let log = m.log().display().to_string();
    for words in [
        &["--help"][..],
        &["replay", &log],
        &["replay", &log, "--game", "1"],
        &["report", &log],
        &["ratings", &log, "--prior", "1"],
        &["export", &log, "--format", "csv"],
        &["export", &log, "--format", "pgn"],
        &["diagram", "--game", "amazons", "startpos"],
        &["replay", "no such file"],
    ] {
        is_quiet("referee", words);
    }
    let rogue = format!("{} honest", program("rogue").display());
    is_quiet("referee", &["check", "--game", "amazons", &rogue, "--only", "handshake"]);
}

/// The log keeps what was played; the events have no reader.
#[test]
fn a_match_without_a_reader_ends_as_if_interrupted() {
    let mut m = Match::between("honest", "honest", 200);
    m.arguments.retain(|a| a != "--quiet");
    m.arguments.push("--json".into());
    let arguments: Vec<&str> = m.arguments.iter().map(String::as_str).collect();
    let output = unread("referee", &arguments, false);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked") && errors.contains("resume"), "{errors}");
    let kept = crate::support::matches::games(&m.log()).len();
    assert!(kept < 200, "{kept} games were played for nobody");
}

#[test]
fn the_engines_end_quietly() {
    for (name, _) in ENGINES {
        for words in [&["--help"][..], &["options"], &["perft", "1"], &["bench", "--depth", "1"]] {
            is_quiet(name, words);
        }
    }
    for words in [&["--help"][..], &["connect6", "problems", "--help"], &["xiangqi", "count"]] {
        is_quiet("lab", words);
    }
}

#[test]
fn an_argument_that_is_no_text_is_an_error() {
    let bad = OsStr::from_bytes(b"--x=\xff\x1b");
    for name in ENGINES.iter().map(|e| e.0).chain(["lab", "referee"]) {
        for words in [vec![bad], vec![OsStr::new("perft"), bad], vec![OsStr::new("replay"), bad]] {
            let output = Command::new(program(name)).args(&words).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code().is_some_and(|c| c != 101 && c != 0), "{name}: {output:?}");
            assert!(!errors.contains("panicked") && !errors.is_empty(), "{name}: {errors}");
            assert!(!errors.contains('\u{1b}'), "{name}: {errors:?}");
        }
    }
}
