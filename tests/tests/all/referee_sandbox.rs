//! With `--sandbox` an engine reaches neither its opponent nor the referee, no file but its own, and no
//! network.
#![cfg(target_os = "linux")]

use crate::support::matches::{Match, games};
use crate::support::program;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Whether a sandbox can be used on this machine; says why not.
fn is_possible() -> bool {
    let tried =
        Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).output();
    let possible = tried.as_ref().is_ok_and(|output| output.status.success());
    if !possible {
        eprintln!("SKIPPED: bubblewrap is not installed or not permitted here: {tried:?}");
    }
    possible
}

/// A copy of `rogue` in a folder of its own, and the folder's name, which is part of the command lines
/// of the referee and of both engines.
fn copied() -> (TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("engine");
    fs::copy(program("rogue"), &copy).expect("the program can be copied");
    let name = folder.path().file_name().expect("a name").to_string_lossy().into_owned();
    (folder, copy, name)
}

/// A match between copies of `rogue` whose log lies beside them.
fn between(copy: &Path, a: &str, b: &str, count: u32) -> Match {
    let engine =
        |name: &str, arguments: &str| format!("name={name},cmd={} {arguments}", copy.display());
    let log = copy.with_file_name("match.jsonl").display().to_string();
    Match::of([engine("a", a), engine("b", b)], count).with("--log", &log)
}

fn in_sandbox(mut m: Match) -> Match {
    m.arguments.push("--sandbox".into());
    m
}

#[test]
fn an_engine_in_a_sandbox_cannot_stop_or_kill_its_opponent_or_the_referee() {
    if !is_possible() {
        return;
    }
    let (_folder, copy, name) = copied();
    for attack in ["stop-others", "kill-others"] {
        let attacker = format!("{attack} --at 2 --target {name}");
        let played = in_sandbox(between(&copy, "honest", &attacker, 2)).play();
        assert_eq!(played.code, Some(0), "{attack}: {played:?}");
        fs::remove_file(copy.with_file_name("match.jsonl")).expect("the log");
    }
}

/// The attacks of the test above are real.
#[test]
fn an_engine_without_a_sandbox_can_kill_the_referee() {
    let (_folder, copy, name) = copied();
    let attacker = format!("kill-others --at 2 --target {name}");
    let played = between(&copy, "honest", &attacker, 2).play();
    assert_eq!(played.code, None, "{played:?}");
}

#[test]
fn an_engine_in_a_sandbox_sees_no_other_process_file_or_network() {
    if !is_possible() {
        return;
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("its number").port();
    let (_folder, copy, _) = copied();
    let (_other_folder, other, _) = copied();
    let log = copy.with_file_name("match.jsonl");
    let findings = |file: &Path, sandbox: bool| {
        let spy = format!("inspect --at 1 --file file:{} --port {port}", file.display());
        let m = between(&copy, "honest", &spy, 1);
        let played = if sandbox { in_sandbox(m) } else { m }.play();
        assert!(played.success, "{played:?}");
        let game = games(&log).remove(0);
        fs::remove_file(&log).expect("the log");
        game["stderr"].as_str().unwrap_or_default().to_string()
    };
    let free = findings(&other, false);
    assert!(free.contains("folder written") && free.contains("port open"), "{free}");
    let caught = findings(&other, true);
    assert!(caught.contains("file No such file"), "{caught}");
    assert!(caught.contains("folder ") && !caught.contains("folder written"), "{caught}");
    assert!(caught.contains("port ") && !caught.contains("port open"), "{caught}");
    // The sandbox's own process, which starts and reaps the engine.
    assert!(caught.contains("processes 1"), "{caught}");
    assert!(!free.contains("processes 1\n") && free.contains(" bytes"), "{free}");
    let caught = findings(&log, true);
    assert!(caught.contains("\nfile ") && !caught.contains(" bytes"), "the log: {caught}");
    assert!(findings(&log, false).contains(" bytes"));
    assert!(findings(&copy, true).contains("folder Read-only file system"));
    // Root could run code outside by `core_pattern`.
    let caught = findings(&other, true);
    assert!(caught.contains("\nkernel 0 "), "{caught}");
    let is_root = fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0);
    assert!(!is_root || findings(&other, false).contains("/proc/sys/kernel/core_pattern"));
    // What lies in subfolders, and the dialogue with its opponent.
    let below = |name: &str| {
        let path = copy.with_file_name("below").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of ours");
        fs::write(&path, "hidden thoughts").expect("a file of ours");
        path
    };
    for file in ["a/b/other.jsonl", "a/b/other.jsonl.secret", "a/other.part"].map(below) {
        let caught = findings(&file, true);
        assert!(!caught.contains(" 15 bytes") && caught.contains("\nfile "), "{file:?}: {caught}");
        assert!(findings(&file, false).contains("file 15 bytes"), "{file:?}");
    }
    assert!(findings(&below("a/book.txt"), true).contains("file 15 bytes"), "no secret");
}

#[test]
fn an_engine_in_a_sandbox_cannot_read_the_dialogue_with_its_opponent() {
    if !is_possible() {
        return;
    }
    for (name, log) in [("dialogue.txt", "dialogue.txt"), ("talks/a.log", "talks/")] {
        let (_folder, copy, _) = copied();
        let [file, log] = [name, log].map(|name| copy.with_file_name("below").join(name));
        fs::create_dir_all(log.parent().expect("a folder")).expect("a folder of ours");
        let read = |sandbox: bool| {
            let spy = format!("inspect --at 2 --file file:{}", file.display());
            let m =
                between(&copy, "honest", &spy, 1).with("--engine-log", &log.display().to_string());
            let m = if sandbox { in_sandbox(m) } else { m };
            let played = m.play();
            assert!(played.success, "{played:?}");
            let game = games(&copy.with_file_name("match.jsonl")).remove(0);
            fs::remove_file(copy.with_file_name("match.jsonl")).expect("the log");
            game["stderr"].as_str().unwrap_or_default().to_string()
        };
        assert!(read(false).contains(" bytes"), "{name}");
        let caught = read(true);
        let hidden = caught.contains("file 0 bytes") || caught.contains("file No such file");
        assert!(hidden || caught.contains("file Permission denied"), "{name}: {caught}");
        assert!(fs::metadata(&file).expect("the dialogue").len() > 100);
    }
    let (_folder, copy, _) = copied();
    let own = copy.parent().expect("a folder").display().to_string() + "/";
    let played =
        in_sandbox(between(&copy, "honest", "honest", 1).with("--engine-log", &own)).play();
    assert!(
        !played.success && played.stderr.contains("give --engine-log another one"),
        "{played:?}"
    );
}

#[test]
fn a_memory_limit_is_for_an_engine_in_a_sandbox_with_its_children_and_files() {
    if !is_possible() {
        return;
    }
    for (fault, detail) in [
        ("hoard-in-children", "with its children and files it uses too much memory"),
        ("hoard-in-files", "e"),
        ("hoard-in-names", "e"),
        ("multiply", "it has too many processes"),
    ] {
        let (_folder, copy, _) = copied();
        let engine = format!("{fault} --side first,memory=256");
        let m = in_sandbox(between(&copy, "honest", &engine, 2).with("--movetime", "20000"));
        let played = m.play();
        assert!(played.success, "{played:?}");
        let game = &games(&copy.with_file_name("match.jsonl"))[1];
        assert_eq!(game["reason"], "crash", "{game}");
        let said = game["detail"].as_str().unwrap_or_default();
        let full = game["stderr"].as_str().unwrap_or_default().contains("No space left");
        let is_hoard = fault == "hoard-in-files";
        assert!(said.contains(detail) && said.contains("limited to 256 MiB"), "{fault}: {said}");
        assert!(!is_hoard || full || said.contains("too much memory"), "{game}");
    }
}

#[test]
fn a_missing_sandbox_is_refused_before_the_first_game() {
    let (_folder, copy, _) = copied();
    let m = in_sandbox(between(&copy, "honest", "honest", 2));
    let output = Command::new(program("referee"))
        .args(&m.arguments)
        .env("PATH", "/nowhere")
        .output()
        .expect("the referee starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("bubblewrap") && errors.contains("without a sandbox"), "{errors}");
    assert!(!copy.with_file_name("match.jsonl").exists());
}
