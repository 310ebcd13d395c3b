//! No process of an engine outlives its game or the referee, and engines inherit only what they are
//! given.
#![cfg(target_os = "linux")]

use crate::support::matches::{Match, games};
use crate::support::{Process, await_that, program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder for the note of a `daemon`: a child of an engine with a session of its own.
struct Daemon(TempDir);

impl Daemon {
    fn new() -> Daemon {
        Daemon(tempfile::tempdir().expect("a temporary folder"))
    }

    fn note(&self) -> PathBuf {
        self.0.path().join("daemon")
    }

    fn engine(&self) -> String {
        format!("daemon --note {}", self.note().display())
    }

    /// The folder of the daemon's process; waits for the daemon to start.
    fn process(&self) -> PathBuf {
        await_that("the daemon does not start", || self.note().exists());
        let id = fs::read_to_string(self.note()).expect("the daemon's process id");
        Path::new("/proc").join(id.trim())
    }
}

/// Whether a process runs; a zombie does not.
fn is_alive(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map_or("", |(_, rest)| rest.trim_start());
    !stat.is_empty() && !state.starts_with(['Z', 'X'])
}

fn signal(name: &str, id: u32) {
    let sent = Command::new("kill").args([name, &id.to_string()]).status();
    assert!(sent.expect("`kill` starts").success());
}

/// A match between an engine with a daemon and one that hangs with a minute to think.
fn thinking(daemon: &Daemon) -> (Match, Process) {
    let m = Match::between(&daemon.engine(), "hang --at 1", 1)
        .with("--movetime", "60000")
        .with("--grace-time", "60")
        .with_dialogue();
    let referee = Process::start("referee", &m.arguments);
    daemon.process();
    await_that("the engine is not asked for a move", || m.asked("b") > 0);
    (m, referee)
}

fn all_end(m: &Match, daemon: &Path) {
    await_that("engines are left behind", || m.survivors().is_empty());
    assert!(!is_alive(daemon));
}

#[test]
fn a_child_with_a_session_of_its_own_does_not_outlive_the_match() {
    let daemon = Daemon::new();
    let games = Match::between("honest", &daemon.engine(), 2).games();
    assert!(games.iter().all(|game| game["reason"] == "rules"), "{games:?}");
    assert!(!is_alive(&daemon.process()));
}

#[test]
fn a_child_with_a_session_of_its_own_does_not_outlive_its_engine() {
    let daemon = Daemon::new();
    let games = Match::between(&daemon.engine(), "crash --at 1", 2).games();
    assert!(games.iter().all(|game| game["reason"] == "crash"), "{games:?}");
    assert!(!is_alive(&daemon.process()));
}

/// The kernel kills an engine whose guard is killed, and the referee kills its descendants.
#[test]
fn an_engine_that_kills_its_guard_loses_and_leaves_no_process_behind() {
    let daemon = Daemon::new();
    let attacker = format!("kill-parent --at 2 --note {}", daemon.note().display());
    let games = Match::between("honest", &attacker, 1).games();
    assert_eq!(games[0]["reason"], "crash", "{}", games[0]);
    assert_eq!(games[0]["result"], "first");
    assert!(!is_alive(&daemon.process()));
}

#[test]
fn a_referee_that_is_killed_leaves_no_process_behind() {
    let daemon = Daemon::new();
    let (m, mut referee) = thinking(&daemon);
    referee.kill();
    // Who is killed waits for nobody: the guard ends the engine and its child, one after the other.
    let child = daemon.process();
    await_that("a child of an engine is left behind", || !is_alive(&child));
    all_end(&m, &child);
}

#[test]
fn a_second_interrupt_ends_the_referee_and_all_engines_at_once() {
    let daemon = Daemon::new();
    let (m, mut referee) = thinking(&daemon);
    let from = Instant::now();
    signal("-INT", referee.id());
    // The first interrupt waits 60 seconds for the engine that hangs to quit.
    sleep(Duration::from_millis(300));
    assert!(referee.is_running());
    signal("-INT", referee.id());
    let (status, _, errors) = referee.end();
    assert_eq!(status.code(), Some(130), "{errors}");
    assert!(from.elapsed() < Duration::from_secs(10));
    all_end(&m, &daemon.process());
    assert!(games(&m.log()).is_empty(), "no game was finished");
}

#[test]
fn a_check_that_is_terminated_leaves_no_process_behind() {
    let daemon = Daemon::new();
    let engine = format!("cmd={} {}", program("rogue").display(), daemon.engine());
    let mut referee = Process::start("referee", &["check", "--game", "amazons", &engine]);
    // The check starts the engine more than once.
    await_that("no daemon stays", || is_alive(&daemon.process()));
    let process = daemon.process();
    signal("-TERM", referee.id());
    let (status, _, errors) = referee.end();
    assert_eq!(status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted"), "{errors}");
    let daemons = process.join("status");
    await_that("a daemon is left behind", || !daemons.exists() || !is_alive(&process));
}

#[test]
fn engines_get_a_listed_environment_and_no_inherited_descriptor() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("found");
    let m = Match::between("honest", &format!("inspect --note {}", note.display()), 1);
    // The shell passes descriptor 7 on.
    let status = Command::new("bash")
        .args(["-c", "exec 7</dev/null; exec \"$0\" \"$@\""])
        .arg(program("referee"))
        .args(&m.arguments)
        .env("SECRET_TOKEN", "x")
        .env("LC_ALL", "C.UTF-8")
        .status()
        .expect("bash starts");
    assert!(status.success());
    let found = fs::read_to_string(&note).expect("the engine's findings");
    let environment = found.lines().next().unwrap_or_default();
    assert!(environment.contains(" PATH") && environment.contains(" LC_ALL"), "{found}");
    assert!(environment.contains(" ROGUE_MATCH"), "its own variable: {found}");
    assert!(!environment.contains("SECRET") && !environment.contains("CARGO"), "{found}");
    assert!(!found.contains("descriptor"), "{found}");
}

#[test]
fn an_engine_that_stops_itself_or_closes_a_pipe_loses_its_game_and_ends() {
    for (fault, reason, detail) in [
        ("freeze", "hang", "did not answer in time"),
        ("close-output", "crash", "closed its input or output"),
        ("close-input", "crash", "closed its input or output"),
    ] {
        let games = Match::between("honest", &format!("{fault} --at 2"), 1).games();
        assert_eq!(games[0]["reason"], reason, "{fault}: {}", games[0]);
        let said = games[0]["detail"].as_str().unwrap_or_default();
        assert!(said.contains(detail), "{fault}: {said}");
    }
}
