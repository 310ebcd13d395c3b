//! `referee desk`: a match at the board over HTTP, with a kill in the middle, a mistake that is taken
//! back, and engines that crash.

use crate::support::desk::{Desk, failing_engine, refusal, verify};
use crate::support::program;
use serde_json::{Value, json};
use std::fs;
use std::thread::sleep;
use std::time::Duration;

fn einstein_at_depth_1() -> String {
    format!("name=ours,cmd={},depth=1", program("einstein").display())
}

#[test]
fn a_match_survives_a_kill_and_a_typing_error() {
    let engine = einstein_at_depth_1();
    let arguments =
        ["--event", "ccgc-einstein", "--engine", &engine, "--first-to", "2", "--order", "ABB"];
    let mut desk = Desk::begin(&arguments);
    // The engine proposes its set-up; a wrong one is typed for the opponent and taken back.
    desk.accept();
    desk.play("654321");
    desk.act(json!({ "do": "back", "plies": 1 }));
    desk.play("123654");
    // A roll is mistyped, and the clock of the engine runs on while it is corrected.
    desk.play("2");
    desk.until("thinking", |s| !s["game"]["proposal"].is_null());
    desk.act(json!({ "do": "back", "plies": 1 }));
    desk.play("5");
    let own = desk.accept();
    let (status, answer) = desk.give(json!({ "do": "play", "text": "9" }));
    assert_eq!((status, answer["legal"].as_array().map(Vec::len)), (400, Some(6)), "{answer}");
    desk.play("1");
    let before = desk.shown();
    let clock = |shown: &(Value, Value), team: usize| {
        shown.1["left_ms"][team].as_i64().expect("milliseconds")
    };
    desk.process.kill();
    sleep(Duration::from_millis(300));
    desk.reopen();
    let after = desk.shown();
    assert_eq!(before.0["game"]["plies"], after.0["game"]["plies"]);
    assert_eq!(after.0["game"]["view"]["moves"][3], own.as_str());
    // The engine's clock stands; the opponent's has run on while the desk was dead.
    assert_eq!(clock(&before, 0), clock(&after, 0));
    assert!(clock(&after, 1) <= clock(&before, 1) - 300, "{before:?} {after:?}");
    assert!(clock(&after, 1) > 0);
    desk.play_out(1);
    let mut games = 1;
    while desk.shown().0["match"]["over"] == false {
        desk.act(json!({ "do": "begin" }));
        games += 1;
        assert_eq!(desk.shown().0["game"]["first"], 1, "B moves first in games 2 and 3");
        desk.play_out(games);
    }
    let (state, _) = desk.shown();
    let points = [0, 1].map(|team| state["teams"][team]["half_points"].as_u64().expect("points"));
    assert!(points.contains(&4) && points[0] + points[1] == 2 * games, "{state}");
    let (status, _) = desk.give(json!({ "do": "begin" }));
    assert_eq!(status, 409, "the match is over");
    let records = desk.records();
    assert_eq!(records.len() as u64, games);
    for path in &records {
        assert!(path.display().to_string().contains("WTN-"), "{records:?}");
        verify(path);
    }
    let (status, record) = desk.request("GET", "api/desk/record", "");
    assert!(status == 200 && record.contains("ours"), "{record}");
    assert!(desk.lines().iter().any(|line| line["do"].get("resumed").is_some()));
}

#[test]
fn an_engine_that_crashes_is_replaced_by_the_stand_by() {
    let [engine, standby] = failing_engine("crash");
    let arguments = [
        ["--game", "amazons"],
        ["--engine", &engine],
        ["--second-engine", &standby],
        ["--tc", "5:00+1"],
        ["--first-to", "1"],
    ]
    .concat();
    let desk = Desk::begin(&arguments);
    desk.act(json!({ "do": "run", "team": 0 }));
    let state = desk.until("a proposal", |s| !s["game"]["proposal"].is_null());
    assert_eq!(state["game"]["proposal"]["standby"], true, "{state}");
    let events: Vec<String> = state["remarks"]
        .as_array()
        .expect("remarks")
        .iter()
        .filter_map(|r| r["do"]["engine"]["event"].as_str().map(String::from))
        .collect();
    assert_eq!(events, ["failed", "restarted", "failed", "standby_used"]);
    desk.accept();
    // By hand the first engine can be used again; a resignation ends the game.
    desk.act(json!({ "do": "engine", "index": 0 }));
    desk.play("a7b7,b7b2");
    desk.act(json!({ "do": "end", "why": "resigned", "winner": 1, "note": "engine lost" }));
    let (state, _) = desk.shown();
    assert_eq!(state["match"]["winner"], 1, "{state}");
    assert_eq!(state["game"]["end"]["note"], "engine lost");
    // The record follows the result: reopened and ended otherwise, only the new one is current.
    let before = desk.records();
    let text = fs::read_to_string(&before[0]).expect("a record");
    desk.act(json!({ "do": "reopen" }));
    assert!(desk.records().is_empty(), "a game in progress has no record");
    desk.act(json!({ "do": "end", "why": "time", "winner": 0 }));
    let after = desk.records();
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_ne!(before, after, "the result is part of the name");
    let old = desk.superseded();
    assert_eq!(old.len(), 1, "{old:?}");
    assert_eq!(fs::read_to_string(&old[0]).expect("the old record"), text, "nothing is lost");
}

/// The desk tells the operator; the engine is neither restarted nor replaced.
#[test]
fn an_engine_that_resigns_is_no_engine_that_fails() {
    let stutter = program("stutter").display().to_string();
    for (game, dialect, line) in [
        ("amazons", "ugi", "bestmove resign"),
        ("amazons", "sau", "move resign"),
        ("amazons", "gtp-stages", "= resign"),
        ("connect6", "gtp", "= resign"),
        ("xiangqi", "ucci", "bestmove resign"),
        ("darkchess", "mgtp", "=12 resign"),
        ("einstein", "ntu", "resign"),
    ] {
        let ours = format!(
            "name=ours,cmd='{stutter} {game} {dialect} --instead \"{line}\"',dialect={dialect}"
        );
        let [_, standby] = failing_engine("crash");
        let arguments =
            ["--game", game, "--engine", &ours, "--second-engine", &standby, "--tc", "5:00"];
        let desk = Desk::begin(&arguments);
        desk.act(json!({ "do": "run", "team": 0 }));
        let state = desk.until("a resignation", |s| s["stuck"] == "resigns");
        let remarks = state["remarks"].as_array().expect("remarks").iter();
        let of_engine: Vec<&Value> = remarks.map(|r| &r["do"]["engine"]["event"]).collect();
        assert_eq!(of_engine.iter().filter(|e| **e == "resigns").count(), 1, "{state}");
        assert!(of_engine.iter().all(|e| e.is_null() || *e == "resigns"), "{state}");
    }
}

#[test]
fn a_desk_without_an_engine_is_an_arbiters_board() {
    let arguments =
        ["--game", "connect6", "--tc", "15:00", "--team-a", "Red fox", "--team-b", "Blue"];
    let desk = Desk::begin(&arguments);
    desk.play("J10");
    desk.play("J9 K11");
    let (status, answer) = desk.give(json!({ "do": "play", "text": "J10 A1" }));
    assert!(
        status == 400 && answer["error"].as_str().is_some_and(|e| e.contains("j10")),
        "{answer}"
    );
    assert!(answer["legal"].as_array().is_some_and(|legal| !legal.is_empty()));
    // A request about an older position is refused.
    let body = json!({ "at": [1, 1], "act": { "do": "play", "text": "a1b1" } }).to_string();
    assert_eq!(desk.request("POST", "api/desk", &body).0, 409);
    assert_eq!(desk.request("POST", "api/desk", "{\"act\":{\"do\":\"fly\"}}").0, 400);
    assert_eq!(desk.give(json!({ "do": "accept" })).0, 409);
    desk.act(json!({ "do": "clock", "team": 1, "left_ms": 600_000, "note": "referee's clock" }));
    let (state, clock) = desk.shown();
    assert_eq!(state["game"]["view"]["moves"], json!(["j10", "j9k11"]));
    assert_eq!(clock["left_ms"][1], 600_000);
    // Another desk on the same file is refused.
    let errors = refusal(&desk.session(), &arguments);
    assert!(errors.contains("another desk has it open"), "{errors}");
}

#[test]
fn a_file_that_is_no_session_and_an_engine_that_is_not_there_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let session = folder.path().join("s.jsonl");
    let refused = |arguments: &[&str]| refusal(&session, arguments);
    assert!(refused(&["--game", "amazons", "--engine", "./no/such"]).contains("./no/such"));
    assert!(refused(&["--event", "ccgc-chess"]).contains("ccgc-einstein"));
    assert!(refused(&["--game", "amazons", "--order", "XY"]).contains("ABBAABB"));
    fs::write(&session, "#[A][B][\n").expect("a file");
    assert!(refused(&["--game", "amazons"]).contains("line 1: not a session"));
    assert_eq!(fs::read_to_string(&session).expect("the file"), "#[A][B][\n");
}
