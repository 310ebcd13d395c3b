//! Every way in which an engine can misbehave ends its game with a recorded reason, and the match
//! goes on.

use agon_tests::Talk;
use agon_tests::matches::Match;
use serde_json::Value;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Four games in which `b` misbehaves when it has the first move, in games 1 and 3; they must end
/// so. The other games end by the rules.
fn ends_by(fault: &str, reason: &str, detail: &str) {
    let games = Match::between("honest", &format!("{fault} --side first"), 4).games();
    assert_eq!(games.len(), 4);
    for (i, game) in games.iter().enumerate() {
        if i % 2 == 0 {
            assert_eq!(game["reason"], "rules", "{fault}: {game}");
            continue;
        }
        assert_eq!(game["players"], serde_json::json!([1, 0]));
        assert_eq!(game["reason"], reason, "{fault}: {game}");
        assert_eq!(game["result"], "second", "{fault}: {game}");
        let said = game["detail"].as_str().unwrap_or_default();
        assert!(said.contains(detail), "{fault}: {said}");
        let plies = game["moves"].as_str().unwrap_or_default().split(' ').count();
        assert_eq!(plies, 4, "{fault}: the third move of `b` is the fifth of the game");
    }
}

/// Four games that all end by the rules, whatever `b` does.
fn is_survived(fault: &str) -> Vec<Value> {
    let games = Match::between("honest", fault, 4).games();
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game["reason"], "rules", "{fault}: {game}");
    }
    games
}

#[test]
fn a_crash_loses_the_game_and_its_last_words_are_kept() {
    ends_by("crash", "crash", "");
    let games = Match::between("honest", "crash", 2).games();
    let stderr = games[0]["stderr"].as_str().unwrap_or_default();
    assert!(stderr.contains("crashing on purpose"), "{}", games[0]);
}

#[test]
fn leaving_in_good_order_is_a_crash_too() {
    ends_by("leave", "crash", "");
}

#[test]
fn silence_is_a_hang() {
    ends_by("hang", "hang", "");
}

#[test]
fn endless_lines_of_reports_are_a_flood() {
    ends_by("flood", "flood", "");
}

#[test]
fn an_endless_line_is_a_flood() {
    ends_by("endless-line", "flood", "");
}

#[test]
fn an_illegal_move_is_named() {
    ends_by("illegal", "illegal_move", "a1a1,a1a1");
}

#[test]
fn a_move_that_is_none_is_shown_without_its_control_characters() {
    ends_by("nonsense", "illegal_move", "\\u{1b}[31mcheckmate");
}

#[test]
fn claiming_to_have_no_move_loses() {
    ends_by("give-up", "illegal_move", "");
}

#[test]
fn thinking_too_long_loses_on_time() {
    ends_by("slow --delay 800", "time", "");
}

#[test]
fn noise_on_either_stream_is_survived() {
    let honest = is_survived("honest");
    let moves = |games: &[Value]| games.iter().map(|g| g["moves"].clone()).collect::<Vec<_>>();
    for fault in ["garbage", "spam-stderr", "lie"] {
        assert_eq!(moves(&is_survived(fault)), moves(&honest), "{fault}");
    }
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    let from = Instant::now();
    is_survived("ignore-quit");
    assert!(from.elapsed() < Duration::from_secs(30));
}

#[test]
#[cfg(target_os = "linux")]
fn children_of_an_engine_do_not_outlive_the_match() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("orphan");
    let wrapped = format!("orphan --note {}", note.display());
    is_survived(&wrapped);
    let orphan = std::fs::read_to_string(&note).expect("the orphan's process id");
    let process = Path::new("/proc").join(orphan.trim());
    let from = Instant::now();
    while is_alive(&process) {
        assert!(from.elapsed() < Duration::from_secs(5), "process {orphan} lives on");
        sleep(Duration::from_millis(10));
    }
}

/// A process that is dead but not yet waited for counts as dead.
#[cfg(target_os = "linux")]
fn is_alive(process: &Path) -> bool {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map_or("", |(_, rest)| rest.trim_start());
    !stat.is_empty() && !state.starts_with(['Z', 'X'])
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_command_with_its_reason() {
    for engine in ["exit-early", "hang-at-handshake", "hang-at-ready"] {
        let m = Match::between("honest", engine, 2).with("--ready-time", "2");
        let played = m.play();
        assert!(!played.success, "{engine}");
        assert!(played.stderr.contains("engine b"), "{engine}: {played:?}");
        assert!(!m.log().exists(), "{engine} leaves an empty log");
    }
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let honest = format!("cmd={} honest", agon_tests::program("rogue").display());
    let m = Match::of([honest, "cmd=/no/such/engine".into()], 2);
    let played = m.play();
    assert!(!played.success);
    assert!(played.stderr.contains("/no/such/engine"), "{played:?}");
    assert!(!m.log().exists());
}

#[test]
fn an_option_that_the_engine_does_not_have_ends_the_command() {
    let rogue = agon_tests::program("rogue").display().to_string();
    let m =
        Match::of([format!("cmd={rogue} honest"), format!("cmd={rogue} honest,option.Depth=3")], 2);
    let played = m.play();
    assert!(!played.success);
    assert!(played.stderr.contains("Depth") && played.stderr.contains("Seed"), "{played:?}");
    assert!(!m.log().exists());
}

#[test]
fn flags_that_make_no_sense_are_refused_before_anything_starts() {
    for (flag, value) in [
        ("--game", "checkers"),
        ("--movetime", "never"),
        ("--openings", "/no/such/file"),
        ("--engine", "cmd=,name=c"),
        ("--shard", "3/2"),
        ("--games", "-4"),
    ] {
        let m = Match::between("honest", "honest", 2).with(flag, value);
        let played = m.play();
        assert!(!played.success && !played.stderr.is_empty(), "{flag} {value}: {played:?}");
        assert!(!m.log().exists(), "{flag} {value}");
    }
    let mut talk = Talk::start("referee", &["match"]);
    assert!(!talk.end().0.success());
}
