//! The log survives a referee that is killed at any moment, and a full disk.

use crate::support::matches::{MATCH, Match, games};
use crate::support::{Process, program, run};
use agon_games::hash::mix;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Deterministic engines that move instantly, three concurrent games, openings from a file.
fn hurried(folder: &Path, count: u32) -> Match {
    let openings = folder.join("openings.txt").display().to_string();
    let made =
        ["openings", "--game", "amazons", "--plies", "2", "--count", "40", "--out", &openings];
    assert!(run("referee", &made, MATCH).status.success());
    let engine = |name: &str, seed: u32| {
        format!("name={name},cmd={} {seed},depth=1", program("trivial").display())
    };
    Match::of([engine("a", 1), engine("b", 2)], count)
        .with("--openings", &openings)
        .with("--concurrency", "3")
}

/// Kills the referee N times, after random times, then lets it finish: the log must equal that of
/// an undisturbed match. Returns how often it was killed before all games were played.
fn killed(times: u64, count: u32) -> u32 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let expected = hurried(folder.path(), count).games();
    let m = hurried(folder.path(), count);
    let mut disturbed = 0;
    for i in 0..times {
        let mut referee = Process::start("referee", &m.arguments);
        sleep(Duration::from_micros(mix(i) % 60_000));
        disturbed += u32::from(referee.is_running());
        referee.kill();
        if m.log().exists() {
            let found = games(&m.log());
            assert!(found.len() <= expected.len());
        }
    }
    assert_eq!(m.games(), expected);
    disturbed
}

#[test]
fn a_referee_killed_at_random_moments_leaves_the_log_of_an_undisturbed_match() {
    let disturbed = killed(10, 400);
    assert!(disturbed >= 5, "killed {disturbed} times");
}

/// `cargo test --workspace --test all -- --ignored --nocapture`
#[test]
#[ignore = "a long test: 120 kills"]
fn a_referee_killed_a_hundred_times_leaves_the_log_of_an_undisturbed_match() {
    let disturbed = killed(120, 4000);
    assert!(disturbed >= 100, "killed {disturbed} times");
}

#[test]
fn a_full_disk_ends_the_match_cleanly_with_a_log_that_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let expected = hurried(folder.path(), 60).games();
    let m = hurried(folder.path(), 60);
    // A file size limit makes a write fail in the middle of a line, as a full disk does.
    let (status, errors) = m.play_under("ulimit -f 40");
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("match.jsonl") && errors.contains("large"), "{errors}");
    let text = std::fs::read_to_string(m.log()).expect("the log");
    assert!(text.ends_with('\n'), "half a line was left");
    let kept = games(&m.log()).len();
    assert!((1..60).contains(&kept), "{kept} games");
    assert_eq!(m.games(), expected);
}

#[test]
fn a_second_referee_on_the_same_log_is_refused_and_the_first_continues() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let m = hurried(folder.path(), 1500);
    let mut first = Process::start("referee", &m.arguments);
    while !m.log().exists() || games(&m.log()).is_empty() {
        sleep(Duration::from_millis(1));
    }
    let second = m.play();
    assert!(!second.success, "{second:?}");
    assert!(second.stderr.contains("being written by another referee"), "{second:?}");
    assert!(first.end().0.success());
    assert_eq!(games(&m.log()).len(), 1500);
}
