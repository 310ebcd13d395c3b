//! `referee check` finds the faults of an engine, and none in our engines.

use crate::support::{program, run, texts};
use serde_json::Value;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(120);

/// Runs checks; returns whether all passed, and the events.
fn check(engine: &str, game: &str, only: &[&str]) -> (bool, Vec<Value>) {
    let mut arguments = vec!["check", "--game", game, "--json", "--margin", "2000", engine];
    arguments.extend(["--ready-time", "3", "--grace-time", "1"]);
    arguments.extend(only.iter().flat_map(|name| ["--only", name]));
    let output = run("referee", &arguments, LONG);
    let (stdout, stderr) = texts(&output);
    let events = stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert!(stderr.is_empty(), "{stderr}");
    (output.status.success(), events)
}

/// The verdict of one check of a rogue.
fn verdict(fault: &str, name: &str) -> (String, String) {
    let (passed, events) =
        check(&format!("{} {fault} --at 1", program("rogue").display()), "amazons", &[name]);
    let text = |key: &str| events[0][key].as_str().unwrap_or_default().to_string();
    assert_eq!(passed, text("verdict") != "failed", "{events:?}");
    (text("verdict"), text("detail"))
}

#[test]
fn the_example_engine_in_python_passes() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("SKIPPED: there is no python3");
        return;
    }
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/example_engine.py");
    let (passed, events) = check(example, "nogo", &[]);
    assert!(passed, "{events:?}");
    let verdicts = events.iter().filter(|e| e["verdict"] == "ok").count();
    assert_eq!(verdicts, 13, "{events:?}");
}

/// In GTP every answer ends with a blank line, which may come later.
#[test]
fn a_blank_line_after_an_answer_is_not_unasked() {
    let engine = format!("cmd={} late-blank,dialect=gtp", program("stranger").display());
    let (passed, events) = check(&engine, "nogo", &["handshake", "readiness", "whole games"]);
    assert!(passed, "{events:?}");
}

#[test]
fn our_engines_pass_in_every_dialect() {
    for (engine, dialect) in [
        ("amazons", "ugi"),
        ("amazons", "sau"),
        ("amazons", "botzone"),
        ("einstein", "ntu"),
        ("darkchess", "mgtp"),
        ("xiangqi", "ucci"),
    ] {
        let path = program(engine);
        let text = format!("cmd={} --option MoveTime=20,dialect={dialect}", path.display());
        let only = ["handshake", "options", "first move", "odd positions", "end of input", "quit"];
        let (passed, events) = check(&text, engine, &only);
        assert!(passed, "{engine} {dialect}: {events:?}");
        let sum = events.last().expect("a sum");
        assert_eq!((&sum["event"], &sum["failed"]), (&"sum".into(), &0.into()), "{sum}");
        assert!(sum["ok"].as_u64() >= Some(3), "{sum}");
    }
}

#[test]
fn faults_are_found_and_named() {
    // Most of them only make the referee wait.
    let found = |(fault, name, detail): (&str, &str, &str)| {
        let (verdict, said) = verdict(fault, name);
        assert_eq!(verdict, "failed", "{fault}: {said}");
        assert!(said.contains(detail), "{fault}: {said}");
    };
    let faults = [
        ("exit-early", "handshake", "exit status 7"),
        ("hang-at-handshake", "handshake", "did not answer in time"),
        ("hang-at-ready", "readiness", "`isready`"),
        ("illegal", "first move", "a1a1,a1a1"),
        ("wrong-side", "odd positions", "has no amazon on"),
        ("give-up", "first move", "legal moves in"),
        ("crash", "first move", "killed by signal"),
        ("flood", "first move", "for one answer"),
        ("early-bestmove", "first move", "an unrequested move"),
        ("lie", "questions", "`query gameover`: it answers `true`, expected `false`"),
        ("ignore-quit", "quit", "still runs"),
        ("slow --delay 3000", "limits", "the time margin is"),
    ];
    for some in faults.chunks(4) {
        std::thread::scope(|scope| {
            some.iter().for_each(|&fault| drop(scope.spawn(move || found(fault))));
        });
    }
}

#[test]
fn what_is_only_unwise_is_a_remark() {
    let (word, said) = verdict("die-at-quit", "quit");
    assert_eq!(word, "remark", "{said}");
    assert!(said.contains("killed by signal"), "{said}");
    let (word, said) = verdict("honest", "stop");
    assert_eq!(word, "remark", "{said}");
    assert!(said.contains("before `stop`, with `bestmove "), "{said}");
}

#[test]
fn a_check_that_does_not_exist_is_refused() {
    let output = run("referee", &["check", "--game", "amazons", "--only", "manners", "true"], LONG);
    assert!(!output.status.success());
    assert!(texts(&output).1.contains("expected one of handshake, options"), "{output:?}");
}
