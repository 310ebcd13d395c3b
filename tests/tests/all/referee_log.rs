//! The match log survives any end of the referee, and belongs to one match.

use crate::support::matches::{Match, games, lines};
use crate::support::{Process, program};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Games of about a third of a second each, so that there is time to interrupt them.
fn unhurried(count: u32) -> Match {
    let slow = "slow --at 1 --delay 4";
    Match::between(slow, slow, count)
}

fn wait_for_games(log: &Path, count: usize) {
    let from = Instant::now();
    while !log.exists() || games(log).len() < count {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(20));
    }
}

/// The game numbers are 0, 1, 2, ..., each once.
fn is_complete(games: &[Value], count: u64) {
    let mut numbers: Vec<u64> = games.iter().filter_map(|g| g["game"].as_u64()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
}

/// Starts the match, waits for some games and ends the referee by a signal; returns whether it had
/// ended by itself before.
fn disturbed(m: &Match, signal: &str) -> Option<i32> {
    let mut referee = Process::start("referee", &m.arguments);
    wait_for_games(&m.log(), 2);
    let sent = Command::new("kill").args([signal, &referee.id().to_string()]).status();
    assert!(sent.is_ok_and(|s| s.success()));
    referee.end().0.code()
}

fn by_number(mut games: Vec<Value>) -> Vec<Value> {
    games.sort_by_key(|g| g["game"].as_u64());
    games
}

#[test]
fn a_match_resumes_after_the_referee_was_killed() {
    let m = unhurried(8);
    assert_eq!(disturbed(&m, "-KILL"), None);
    let before = games(&m.log());
    assert!((2..8).contains(&before.len()), "{} games", before.len());
    let all = m.games();
    is_complete(&all, 8);
    assert_eq!(all[..before.len()], before, "finished games are not played again");
    assert_eq!(by_number(all), by_number(unhurried(8).games()), "as if nothing had happened");
}

#[test]
fn an_interrupt_leaves_a_log_that_can_be_resumed() {
    let m = unhurried(8);
    assert_eq!(disturbed(&m, "-INT"), Some(130));
    let before = games(&m.log());
    assert!((2..8).contains(&before.len()), "{} games", before.len());
    assert!(before.iter().all(|g| g["reason"] == "rules"), "an interrupted game is no result");
    is_complete(&m.games(), 8);
}

#[test]
fn a_torn_last_line_is_played_again() {
    let m = Match::between("honest", "honest", 4);
    let whole = m.games();
    let text = fs::read(m.log()).expect("the log");
    for cut in [1, 40, 700] {
        fs::write(m.log(), &text[..text.len() - cut]).expect("the log is ours");
        assert_eq!(m.games(), whole, "{cut} bytes less");
    }
    let mut file = fs::OpenOptions::new().append(true).open(m.log()).expect("the log");
    file.write_all(b"{\"game\":9,\"pa").expect("the log is ours");
    drop(file);
    assert_eq!(m.games(), whole);
}

#[test]
fn a_finished_match_is_not_played_again() {
    let m = Match::between("honest", "honest", 2);
    m.games();
    let before = fs::read(m.log()).expect("the log");
    let again = m.play();
    assert!(again.success && !again.stdout.is_empty(), "{again:?}");
    assert_eq!(fs::read(m.log()).expect("the log"), before);
}

#[test]
fn a_log_of_another_match_is_refused_and_left_alone() {
    let m = Match::between("honest", "honest", 2);
    m.games();
    let before = fs::read(m.log()).expect("the log");
    let log = m.log().display().to_string();
    for other in [
        Match::between("honest", "honest", 2).with("--seed", "2"),
        Match::between("honest", "honest --at 9", 2),
        Match::between("honest", "honest", 2).with("--movetime", "200"),
    ] {
        let played = other.with("--log", &log).play();
        assert!(!played.success && played.stderr.contains(&log), "{played:?}");
        assert_eq!(fs::read(m.log()).expect("the log"), before);
    }
}

#[test]
fn a_file_that_is_no_log_is_refused_and_left_alone() {
    for text in ["my diary\n", "{\"agon_match_log\":999}\n", "\u{0}\u{1}\u{2}"] {
        let m = Match::between("honest", "honest", 2);
        fs::write(m.log(), text).expect("a temporary folder");
        let played = m.play();
        assert!(!played.success && !played.stderr.is_empty(), "{text:?}: {played:?}");
        assert_eq!(fs::read_to_string(m.log()).expect("the file"), text);
    }
}

#[test]
fn an_empty_file_becomes_the_log() {
    let m = Match::between("honest", "honest", 2);
    fs::write(m.log(), "").expect("a temporary folder");
    is_complete(&m.games(), 2);
}

#[test]
fn the_same_seed_gives_the_same_log_at_any_concurrency() {
    let log = |seed: &str, concurrency: &str| {
        let m = Match::between("honest", "illegal --at 9 --side second", 8)
            .with("--seed", seed)
            .with("--concurrency", concurrency);
        let games = m.games();
        let mut header = lines(&m.log())[0].clone();
        let origin = header.as_object_mut().and_then(|fields| fields.remove("origin"));
        let origin = origin.expect("when and where the match was played");
        assert!(origin["machines"][0]["os"].is_string(), "{origin}");
        (games, header)
    };
    let (one, header) = log("5", "1");
    is_complete(&one, 8);
    assert_eq!(one, log("5", "1").0);
    let (two, header_of_two) = log("5", "2");
    assert_eq!(by_number(one), by_number(two));
    assert_eq!(header["seed"], 5);
    assert_eq!(header, header_of_two);
}

#[test]
fn real_engines_play_each_other_in_different_dialects() {
    let amazons = program("amazons").display().to_string();
    let engine = |algorithm: &str, dialect: &str| {
        format!("cmd={amazons},option.Algorithm={algorithm},dialect={dialect}")
    };
    let m = Match::of([engine("greedy", "uci"), engine("random", "ugi")], 2);
    let games = m.games();
    is_complete(&games, 2);
    for game in games {
        assert_eq!(game["reason"], "rules", "{game}");
        let greedy = if game["players"][0] == 0 { "first" } else { "second" };
        assert_eq!(game["result"], greedy, "greedy beats random: {game}");
    }
}

#[test]
fn the_games_of_a_pair_share_the_dice() {
    let einstein = program("einstein").display().to_string();
    let engine = |name: &str| format!("name={name},cmd={einstein},option.Algorithm=random");
    let m = Match::of([engine("a"), engine("b")], 4).with("--game", "einstein");
    let games = by_number(m.games());
    is_complete(&games, 4);
    let dice = |game: &Value| -> Vec<String> {
        let tokens = game["moves"].as_str().unwrap_or_default().split(' ');
        tokens.filter(|t| t.len() == 1).map(String::from).collect()
    };
    for pair in games.chunks(2) {
        assert!(pair.iter().all(|g| g["reason"] == "rules"), "{pair:?}");
        let [first, second] = [dice(&pair[0]), dice(&pair[1])];
        let common = first.len().min(second.len());
        assert!(common >= 3, "{first:?} {second:?}");
        assert_eq!(first[..common], second[..common]);
    }
    assert_ne!(dice(&games[0])[..3], dice(&games[2])[..3], "another pair, other dice");
}
