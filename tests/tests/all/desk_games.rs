//! `referee desk`: whole games of each game by hand against an engine, every event's order of first
//! moves, committed rolls, pondering.

use crate::support::desk::{Desk, verify};
use crate::support::{Process, program};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
#[cfg(unix)]
use std::path::Path;

/// Plays a whole game at the desk and returns its record.
fn whole_game(game: &str, fields: &str, more: &[&str]) -> String {
    let engine = format!("name=Ours,cmd={},{fields}", program(game).display());
    let arguments = [&["--game", game, "--engine", &engine, "--tc", "2:00:00"], more].concat();
    let desk = Desk::begin(&arguments);
    // The engine moves once the clocks run.
    desk.act(json!({ "do": "run", "team": 0 }));
    desk.play_out(7);
    let (state, _) = desk.shown();
    assert_eq!(state["trouble"], json!(null));
    assert_eq!(state["game"]["end"]["why"], "rules");
    let tokens = state["game"]["view"]["moves"].as_array().expect("moves").len();
    let played = desk.lines();
    let played = played.iter().filter(|line| line["do"].get("play").is_some()).count();
    assert_eq!(tokens, played, "every ply is a line of the session");
    let records = desk.records();
    assert_eq!(records.len(), 1, "{records:?}");
    if records[0].extension().is_some_and(|ending| ending == "txt") {
        verify(&records[0]);
    }
    fs::read_to_string(&records[0]).expect("a record")
}

#[test]
fn a_whole_game_of_dark_chess_with_the_reveals_entered() {
    let record = whole_game("darkchess", "depth=1", &["--rule", "DrawPlies=20"]);
    assert!(record.contains("[Game \"darkchess\"]") && record.contains('='), "{record}");
}

#[test]
fn a_whole_game_of_xiangqi() {
    let record = whole_game("xiangqi", "depth=2", &[]);
    assert!(record.starts_with("FORMAT          WXF\n") && record.contains("START{"), "{record}");
}

#[test]
fn a_whole_game_of_amazons() {
    let record = whole_game("amazons", "option.Algorithm=random", &[]);
    assert!(record.starts_with("#[AM][Ours][Opponent]["), "{record}");
}

#[test]
fn a_whole_game_of_nogo() {
    let record = whole_game("nogo", "nodes=50", &[]);
    assert!(record.contains("[NG]") && record.contains("Ours"), "{record}");
}

#[test]
fn a_whole_game_of_connect6() {
    let record = whole_game("connect6", "depth=1", &[]);
    assert!(record.starts_with("{[C6][Ours B]["), "{record}");
}

#[test]
fn every_event_has_its_order_of_first_moves_and_its_form_of_record() {
    let (_, events, _) = Process::start("referee", &["events"]).end();
    let names: Vec<&str> = events.iter().filter_map(|line| line.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| name.contains('-')).collect();
    assert!(names.contains(&"ccgc-einstein") && names.len() >= 10, "{events:?}");
    for name in names {
        let (_, preset, _) = Process::start("referee", &["events", name]).end();
        let value = |key: &str| {
            let line = preset.iter().find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.unwrap_or_else(|| panic!("{name} has no {key}")).trim_matches('"').to_string()
        };
        let desk = Desk::open(&["--event", name, "--event-name", "2026 Cup"]);
        for (number, letter) in (1..).zip(value("order").chars()) {
            desk.act(json!({ "do": "begin" }));
            let game = desk.shown().0["game"].clone();
            let first = usize::from(letter == 'B');
            assert_eq!(
                (&game["number"], &game["first"]),
                (&json!(number), &json!(first)),
                "{name}"
            );
            if value("game") == "einstein" {
                desk.play("123456 654321 3");
            }
            // The winner alternates, so that all games of a match to some points are played.
            let end = json!({ "do": "end", "why": "adjudicated", "winner": number % 2 });
            desk.act(end);
        }
        assert_eq!(desk.shown().0["match"]["over"], true, "{name}");
        let ending = match value("record").as_str() {
            "ccgc" => "txt".to_string(),
            form => form.to_string(),
        };
        let records = desk.records();
        assert_eq!(records.len(), value("order").len(), "{name}");
        for path in records {
            assert_eq!(path.extension().and_then(|e| e.to_str()), Some(&*ending), "{name}");
            let text = fs::read_to_string(&path).expect("a record");
            assert!(text.contains("2026 Cup"), "{name}: {text}");
        }
    }
}

#[test]
fn a_game_that_its_form_cannot_hold_is_recorded_in_the_usual_one() {
    let desk = Desk::begin(&["--event", "ccgc-einstein"]);
    // Nobody comes: the game ends before the set-ups, which the national form needs.
    desk.act(json!({ "do": "end", "why": "adjudicated", "winner": 0, "note": "not there" }));
    let trouble = desk.shown().0["trouble"].to_string();
    assert!(trouble.contains("set-ups") && trouble.contains("pgn"), "{trouble}");
    let records = desk.records();
    let text = fs::read_to_string(&records[0]).expect("a record");
    assert!(records.len() == 1 && text.contains("[Result \"1-0\"]"), "{records:?}: {text}");
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn both_sides_commit_to_a_roll_and_reveal_it() {
    let mut desk = Desk::begin(&["--game", "einstein", "--tc", "4:00"]);
    desk.play("123456 654321");
    let own = desk.act(json!({ "do": "secret" }));
    let [own_secret, own_hash] = ["secret", "hash"].map(|key| own[key].as_str().expect("a text"));
    assert_eq!(sha256(own_secret), own_hash);
    let reveal =
        |player: usize, secret: &str| json!({ "do": "reveal", "player": player, "secret": secret });
    desk.act(json!({ "do": "commit", "player": 0, "hash": own_hash }));
    assert_eq!(desk.give(reveal(0, own_secret)).0, 409, "the other side has not committed");
    desk.act(json!({ "do": "commit", "player": 1, "hash": sha256("theirs") }));
    let (status, answer) = desk.give(reveal(1, "their"));
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(status == 409 && error.contains("not what this side committed to"), "{answer}");
    desk.act(reveal(1, "theirs"));
    desk.act(reveal(0, own_secret));
    let rolled = |desk: &Desk| {
        let state =
            desk.until("a roll", |s| s["game"]["plies"].as_array().map(Vec::len) == Some(3));
        assert_eq!(state["game"]["plies"][2]["by"], "agreed");
        state["game"]["view"]["moves"][2].clone()
    };
    let digest = Sha256::digest(format!("{own_secret}\ntheirs"));
    let head = digest.iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    assert_eq!(rolled(&desk), json!((head % 6 + 1).to_string()));
    // A crash between the last secret and the roll that follows from it.
    desk.process.kill();
    let path = desk.session();
    let text = fs::read_to_string(&path).expect("the session file");
    let last = text.trim_end().rfind('\n').expect("lines");
    assert!(text[last..].contains("agreed"), "{text}");
    fs::write(&path, &text[..=last]).expect("the session file");
    desk.reopen();
    assert_eq!(rolled(&desk), json!((head % 6 + 1).to_string()));
}

/// The lines that an engine was sent.
#[cfg(unix)]
fn sent(log: &Path) -> Vec<String> {
    fs::read_to_string(log).unwrap_or_default().lines().map(String::from).collect()
}

#[cfg(unix)]
#[test]
fn the_engine_ponders_on_the_opponents_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("sent.txt");
    let script = folder.path().join("engine.sh");
    let text = format!("tee -a {} | {}\n", log.display(), program("xiangqi").display());
    fs::write(&script, text).expect("a script");
    let engine = format!("name=Ours,cmd=sh {},depth=4,ponder=true", script.display());
    let arguments = ["--game", "xiangqi", "--engine", &engine, "--tc", "60:00", "--games", "2"];
    let desk = Desk::begin(&arguments);
    desk.act(json!({ "do": "run", "team": 0 }));
    // The position on which the engine ponders: its own move and the reply that it expects.
    let ponders = |count: usize| {
        let is_ponder = |line: &&String| line.starts_with("go") && line.contains("ponder");
        desk.until("pondering", |_| sent(&log).iter().filter(is_ponder).count() == count);
        let sent = sent(&log);
        let at = sent.iter().rposition(|line| is_ponder(&line)).expect("a line");
        let words: Vec<&str> = sent[at - 1].split(' ').collect();
        assert_eq!(words[0], "position", "{sent:?}");
        words.last().map(ToString::to_string).expect("a move")
    };
    desk.accept();
    let expected = ponders(1);
    assert!(!sent(&log).iter().any(|line| line == "ponderhit"));
    desk.play(&expected);
    desk.accept();
    assert!(sent(&log).iter().any(|line| line == "ponderhit"), "{:?}", sent(&log));
    // Another move than the expected one: pondering stops, and a new search begins.
    let expected = ponders(2);
    let (state, _) = desk.shown();
    let legal = state["game"]["view"]["legal"]["moves"].as_array().expect("moves").clone();
    let other = legal.iter().find(|entry| entry[0] != expected.as_str()).expect("another move");
    desk.play(other[0].as_str().expect("a token"));
    desk.accept();
    let hits = sent(&log).iter().filter(|line| *line == "ponderhit").count();
    assert_eq!(hits, 1, "{:?}", sent(&log));
    // The end of the game ends pondering.
    ponders(3);
    let stops = || sent(&log).iter().filter(|line| *line == "stop").count();
    let before = stops();
    desk.act(json!({ "do": "end", "why": "resigned", "winner": 0 }));
    desk.until("a stop", |_| stops() > before);
}
