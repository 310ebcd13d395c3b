//! Faults of the machine or of the user are no losses of an engine: the match stops, says why, and can
//! be resumed.
#![cfg(unix)]

use crate::support::matches::{LOST_BY_FAULTS, Match, games, lines};
use crate::support::{Process, await_that, program};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with a copy of `rogue`, which may be changed.
fn copied() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("engine");
    fs::copy(program("rogue"), &copy).expect("the program can be copied");
    (folder, copy)
}

/// A match between an honest engine and a copy of `rogue` with these arguments.
fn against(copy: &Path, arguments: &str, games: u32) -> Match {
    let honest = format!("name=a,cmd={} honest", program("rogue").display());
    Match::of([honest, format!("name=b,cmd={} {arguments}", copy.display())], games)
}

#[test]
fn too_few_descriptors_stop_the_match_and_no_game_is_lost() {
    let m = Match::between("honest", "crash --side first", 6).with("--concurrency", "4");
    let (status, errors) = m.play_under("ulimit -n 20");
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("Too many open files"), "{errors}");
    assert!(errors.contains("ulimit -n") && errors.contains("to resume"), "{errors}");
    for game in games(&m.log()) {
        let detail = game["detail"].as_str().unwrap_or_default();
        assert!(!detail.contains("start"), "{game}");
    }
    let all = m.games();
    assert_eq!(all.iter().filter(|game| game["reason"] == "crash").count(), 3, "{all:?}");
}

#[test]
fn a_program_that_changes_or_vanishes_stops_the_match_which_can_be_resumed() {
    for (fault, message) in [("change", "has changed since"), ("vanish", "cannot find the program")]
    {
        let (_folder, copy) = copied();
        let m = against(&copy, &format!("{fault} --at 2"), 3);
        for finished in 1..=2 {
            let played = m.play();
            // The crash itself is the engine's fault; that it cannot be restarted is not.
            assert_eq!(played.code, Some(1), "{fault}: {played:?}");
            assert!(played.stderr.contains(message), "{fault}: {played:?}");
            assert!(played.stderr.contains("to resume"), "{fault}: {played:?}");
            assert_eq!(games(&m.log()).len(), finished, "{fault}");
            fs::copy(program("rogue"), copy.with_extension("new")).expect("a new copy");
            fs::rename(copy.with_extension("new"), &copy).expect("the program is restored");
        }
        assert_eq!(m.play().code, Some(LOST_BY_FAULTS), "{fault}");
    }
}

#[test]
fn the_script_of_an_interpreter_is_pinned_like_a_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("engine.sh");
    let text = format!("exec {} honest\n", program("rogue").display());
    fs::write(&script, &text).expect("the script");
    let honest = format!("name=a,cmd={} honest", program("rogue").display());
    let scripted = format!("name=b,cmd=bash {}", script.display());
    let m = Match::of([honest, scripted], 2);
    assert_eq!(m.games().len(), 2);
    let header = &lines(&m.log())[0];
    let pinned = &header["engines"][1]["files"][0];
    assert_eq!(pinned["name"], script.display().to_string(), "{header}");
    assert_eq!(pinned["value"].as_str().map(str::len), Some(64), "{header}");
    fs::write(&script, format!("# changed\n{text}")).expect("the script");
    let played = m.play();
    assert!(played.stderr.contains("engines[1].files[0].value"), "{played:?}");
    assert_eq!(played.code, Some(1));
}

#[test]
fn a_script_that_changes_in_mid_match_stops_the_match() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("engine.sh");
    // The engine crashes in its first game; its script changes when it is started.
    let text = format!("echo >>\"$0\"\nexec {} crash --at 1\n", program("rogue").display());
    fs::write(&script, text).expect("the script");
    let honest = format!("name=a,cmd={} honest", program("rogue").display());
    let played = Match::of([honest, format!("name=b,cmd=bash {}", script.display())], 4).play();
    assert!(played.stderr.contains("engine.sh has changed since"), "{played:?}");
    assert_eq!(played.code, Some(1));
}

#[test]
fn an_exit_status_says_that_games_were_lost_by_faults() {
    let faulty = Match::between("honest", "illegal --side first", 2).play();
    assert_eq!(faulty.code, Some(LOST_BY_FAULTS), "{faulty:?}");
    assert!(faulty.stderr.contains("games lost by faults: 1"), "{faulty:?}");
    assert_eq!(Match::between("honest", "honest", 2).play().code, Some(0));
}

/// A program that exists but cannot be executed is no crash of the engine either.
#[test]
fn a_program_that_loses_its_permission_stops_the_match() {
    let (_folder, copy) = copied();
    let m = against(&copy, "crash --at 1", 4);
    let permissions = |mode| {
        fs::set_permissions(&copy, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    permissions(0o644);
    let played = m.play();
    assert_eq!(played.code, Some(1), "{played:?}");
    assert!(played.stderr.contains("Permission denied"), "{played:?}");
    permissions(0o755);
    assert_eq!(m.play().code, Some(LOST_BY_FAULTS));
}

/// Engines that need 50 of 100 ms; the referee is stopped in the middle of moves.
#[test]
fn a_stall_of_the_machine_is_recorded_and_loses_no_game() {
    let slow = "slow --at 1 --delay 50";
    let m = Match::between(slow, slow, 2).with("--max-plies", "24").with_dialogue();
    let mut referee = Process::start("referee", &m.arguments);
    let id = referee.id().to_string();
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("`kill` starts").success());
    };
    let asked = || m.asked("a") + m.asked("b");
    await_that("no engine is asked", || asked() > 2);
    // Longer than the time and its margin: the game is played again.
    signal("-STOP");
    sleep(Duration::from_millis(1500));
    signal("-CONT");
    // Shorter than the margin: the move counts, and the stall is recorded with it. On a busy machine
    // a stall may become too long, so there is one in every few moves.
    loop {
        let before = asked();
        await_that("the match stands still", || asked() > before + 4 || !referee.is_running());
        if !referee.is_running() {
            break;
        }
        signal("-STOP");
        sleep(Duration::from_millis(250));
        signal("-CONT");
    }
    let (status, _, errors) = referee.end();
    assert_eq!(status.code(), Some(0), "{errors}");
    assert!(errors.contains("the game is not counted but played again"), "{errors}");
    let games: Vec<_> =
        lines(&m.log()).into_iter().filter(|line| line.get("reason").is_some()).collect();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["reason"] == "length"), "{games:?}");
    let stalls = games.iter().filter_map(|game| game["stats"]["stall_ms"].as_array()).flatten();
    let longest = stalls.filter_map(serde_json::Value::as_u64).max();
    assert!(longest.is_some_and(|ms| (100..600).contains(&ms)), "{longest:?}");
}
