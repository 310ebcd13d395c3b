//! `referee desk`: fallen flags, one clock for a match, and `kill -9` at any moment.

use crate::support::desk::{Desk, TIMEOUT, failing_engine, refusal};
use agon_games::hash::mix;
use serde_json::{Value, json};
use std::fs;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// The lines of the session of one kind, once there are so many. No page is open meanwhile.
fn lines_of(desk: &Desk, kind: &str, count: usize) -> Vec<Value> {
    let begin = Instant::now();
    loop {
        let text = fs::read_to_string(desk.session()).expect("the session file");
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("a JSON line"));
        let found: Vec<Value> = lines.filter(|line| line["do"].get(kind).is_some()).collect();
        if found.len() >= count {
            return found;
        }
        assert!(begin.elapsed() < TIMEOUT, "{count} lines of {kind}: {text}");
        sleep(Duration::from_millis(20));
    }
}

fn at(line: &Value) -> i64 {
    line["at"].as_i64().expect("a time")
}

#[test]
fn a_fallen_flag_is_recorded_with_its_time_and_awaits_a_decision() {
    let arguments = ["--game", "nogo", "--tc", "1", "--team-a", "Ours", "--team-b", "Theirs"];
    let mut desk = Desk::begin(&arguments);
    desk.play("e5");
    // The second player's clock runs out while no page is open.
    let flag = &lines_of(&desk, "flag", 1)[0];
    let play = &lines_of(&desk, "play", 1)[0];
    let fell_at = at(play) + 1000;
    assert_eq!(flag["do"]["flag"], json!({ "team": 1, "fell_at": fell_at }));
    // The line is on disk before it is shown.
    let state = desk.until("the flag", |s| !s["game"]["flag"].is_null());
    let clock = desk.shown().1;
    assert_eq!(state["game"]["flag"], json!({ "team": 1, "at": fell_at }));
    assert_eq!((&clock["left_ms"][1], &clock["running"]), (&json!(0), &json!(null)));
    for act in [json!({ "do": "play", "text": "c3" }), json!({ "do": "run", "team": 1 })] {
        let (status, answer) = desk.give(act);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(status == 409 && error.contains("the flag of Theirs has fallen"), "{answer}");
    }
    // The referee allows more time: the clock runs again at once.
    let more = |team: usize, ms: u64| json!({ "do": "clock", "team": team, "left_ms": ms, "note": "referee" });
    desk.act(more(1, 600_000));
    assert_eq!(desk.shown().1["running"], 1);
    desk.play("c3");
    // The first player's time ends while the desk is dead, or just before.
    desk.act(more(0, 300));
    desk.process.kill();
    sleep(Duration::from_millis(400));
    desk.reopen();
    let flag = lines_of(&desk, "flag", 2).remove(1);
    let set = lines_of(&desk, "set_clock", 2).remove(1);
    assert_eq!(flag["do"]["flag"], json!({ "team": 0, "fell_at": at(&set) + 300 }));
    // Lost on time; taken back, the decision is open again.
    desk.act(json!({ "do": "end", "why": "time", "winner": 1 }));
    let text = fs::read_to_string(&desk.records()[0]).expect("a record");
    assert!(text.contains("后手胜"), "{text}");
    desk.act(json!({ "do": "reopen" }));
    assert_eq!(desk.give(json!({ "do": "play", "text": "g7" })).0, 409);
    desk.act(more(0, 600_000));
    desk.play("g7");
}

#[test]
fn the_flag_of_an_engine_that_hangs_falls_too() {
    let [engine, standby] = failing_engine("hang");
    let arguments =
        ["--game", "amazons", "--tc", "1", "--engine", &engine, "--second-engine", &standby];
    let desk = Desk::begin(&arguments);
    desk.act(json!({ "do": "run", "team": 0 }));
    let flag = lines_of(&desk, "flag", 1).remove(0);
    assert_eq!(flag["do"]["flag"]["team"], 0);
    let (state, _) = desk.shown();
    assert_eq!(state["game"]["proposal"], json!(null), "{state}");
    // More time and the stand-by engine: the game continues.
    desk.act(json!({ "do": "engine", "index": 1 }));
    desk.act(json!({ "do": "clock", "team": 0, "left_ms": 600_000, "note": "referee" }));
    let state = desk.until("a proposal", |s| !s["game"]["proposal"].is_null());
    assert_eq!(state["game"]["proposal"]["standby"], true);
    desk.accept();
}

#[test]
fn one_clock_for_all_games_of_a_match() {
    let arguments = ["--game", "nogo", "--tc", "10:00", "--tc-per-match", "--best-of", "3"];
    let mut desk = Desk::begin(&arguments);
    desk.play("e5");
    sleep(Duration::from_millis(150));
    desk.play("c3");
    desk.act(json!({ "do": "end", "why": "resigned", "winner": 0 }));
    let left = desk.shown().1["left_ms"].clone();
    assert!(left[1].as_i64().expect("milliseconds") <= 600_000 - 150, "{left}");
    // Nothing runs between the games, nor before the first move of the next one.
    desk.process.kill();
    sleep(Duration::from_millis(100));
    desk.reopen();
    desk.act(json!({ "do": "begin" }));
    assert_eq!(desk.shown().1["left_ms"], left);
    // The second game: B moves first, and A's clock has what it left.
    desk.play("g7");
    desk.act(json!({ "do": "clock", "team": 0, "left_ms": 1, "note": "nearly out" }));
    let flag = lines_of(&desk, "flag", 1).remove(0);
    assert_eq!(flag["do"]["flag"]["team"], 0);
    desk.act(json!({ "do": "end", "why": "time", "winner": 1 }));
    // In the third game its flag falls as soon as its clock runs.
    desk.act(json!({ "do": "begin" }));
    desk.play("e5");
    desk.play("c3");
    assert_eq!(lines_of(&desk, "flag", 2)[1]["do"]["flag"]["team"], 0);
}

/// Turns of Connect6 after the first stone, without six in a row.
fn turns() -> Vec<String> {
    let turn = |i: usize| {
        let (row, column) = (i / 9 + 1, b'a' + (i % 9) as u8 * 2);
        format!("{}{row}{}{row}", char::from(column), char::from(column + 1))
    };
    (0..72).map(turn).collect()
}

#[test]
fn a_kill_at_any_moment_loses_no_answered_entry() {
    let arguments = ["--game", "connect6", "--tc", "60:00"];
    let mut desk = Desk::begin(&arguments);
    desk.play("j10");
    let mut played = 0;
    for round in 0..6 {
        let page = desk.page.clone();
        let entries = turns().split_off(played);
        let typist = thread::spawn(move || {
            entries.iter().take_while(|turn| page.play(turn) == Some(200)).count()
        });
        sleep(Duration::from_millis(5 + mix(round) % 40));
        desk.process.kill();
        let answered = typist.join().expect("the entries");
        desk.reopen();
        let moves = desk.shown().0["game"]["view"]["moves"].clone();
        let moves = moves.as_array().expect("moves")[1..].to_vec();
        let now = moves.len();
        // The last entry may be on disk although nobody got an answer.
        assert!(
            (played + answered..=played + answered + 1).contains(&now),
            "{played} {answered} {now}"
        );
        assert_eq!(json!(moves), json!(turns()[..now]));
        played = now;
    }
}

#[test]
fn a_torn_session_file_loses_only_its_torn_line() {
    let arguments = ["--game", "nogo"];
    let mut desk = Desk::begin(&arguments);
    desk.play("e5");
    desk.play("c3");
    desk.process.kill();
    let path = desk.session();
    let whole = fs::read_to_string(&path).expect("the session file");
    fs::write(&path, format!("{whole}{{\"n\":4,\"at\":1,\"do\":{{\"pl")).expect("the session file");
    desk.reopen();
    assert_eq!(desk.shown().0["game"]["view"]["moves"], json!(["e5", "c3"]));
    desk.play("g7");
    desk.process.kill();
    assert_eq!(desk.lines().iter().filter(|line| line["do"].get("play").is_some()).count(), 3);
    // A line that is bad elsewhere is refused by its number, and the file stays.
    let bad = fs::read_to_string(&path).expect("the session file").replacen("c3", "e5", 1);
    fs::write(&path, &bad).expect("the session file");
    let errors = refusal(&path, &arguments);
    assert!(errors.contains("line 4: "), "{errors}");
    assert_eq!(fs::read_to_string(&path).expect("the session file"), bad);
}
