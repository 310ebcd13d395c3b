//! Tests of games over HTTP, without engines.

use super::super::engines::EngineList;
use super::super::http::Client;
use super::{MAX_GAMES, routes};
use agon_engine::driver::Timeouts;
use serde_json::{Value, json};

fn client() -> Client {
    Client::start(routes(EngineList::default(), Timeouts::default()))
}

/// Begins a game by hand; returns its path.
fn begin(client: &Client, position: &Value) -> String {
    let new = json!({ "position": position, "chance": "hand" });
    let id = client.post("api/play", &new).ok()["id"].as_str().unwrap().to_string();
    format!("api/play/{id}")
}

#[test]
fn an_illegal_move_is_refused_with_the_legal_ones() {
    let client = client();
    let game = begin(&client, &json!({ "game": "xiangqi" }));
    let reply = client.post(&game, &json!({ "do": "move", "token": "e0e9" }));
    assert_eq!(reply.status, 400);
    assert!(reply.error().contains("illegal move `e0e9`"), "{}", reply.body);
    let legal = reply.json()["legal"].clone();
    assert_eq!(legal.as_array().unwrap().len(), 44);
    let expected =
        json!({ "token": "h2e2", "text": "h2-e2", "wxf": "C2.5", "chinese": "炮二平五" });
    assert!(legal.as_array().unwrap().contains(&expected), "{legal}");
    let state = client.post(&game, &json!({ "do": "move", "token": "h2-e2", "ply": 0 })).ok();
    assert_eq!((&state["view"]["ply"], &state["view"]["turn"]), (&json!(1), &json!(1)));
    let late = client.post(&game, &json!({ "do": "move", "token": "h9g7", "ply": 0 }));
    assert_eq!(late.status, 409);
    assert_eq!(client.post(&game, &json!({ "do": "undo" })).ok()["view"]["ply"], 0);
    assert_eq!(client.post(&game, &json!({ "do": "undo" })).status, 409);
}

#[test]
fn chance_is_entered_by_hand_or_drawn() {
    let client = client();
    let game = begin(&client, &json!({ "game": "einstein" }));
    let send = |command: Value| client.post(&game, &command);
    send(json!({ "do": "move", "token": "123456" })).ok();
    let state = send(json!({ "do": "move", "token": "654321" })).ok();
    assert_eq!(state["view"]["turn"], "chance");
    assert_eq!(send(json!({ "do": "move", "token": "a5b4" })).status, 409);
    let wrong = send(json!({ "do": "chance", "token": "7" }));
    assert_eq!((wrong.status, &wrong.json()["legal"][5]["token"]), (400, &json!("6")));
    let state = send(json!({ "do": "chance", "token": "4" })).ok();
    assert_eq!(state["view"]["state"]["die"], 4);
    assert_eq!(send(json!({ "do": "roll" })).status, 409);
    // Taking back the die leads to chance again; drawing it needs no token.
    assert_eq!(send(json!({ "do": "undo" })).ok()["view"]["turn"], "chance");
    assert!(send(json!({ "do": "roll" })).ok()["view"]["state"]["die"].is_number());
    let state = send(json!({ "do": "resign" })).ok();
    assert_eq!(state["view"]["result"], json!({ "winner": 1, "text": "resignation" }));
    assert_eq!(send(json!({ "do": "move", "token": "a5b4" })).status, 409);
}

#[test]
fn what_is_not_there_is_refused() {
    let client = client();
    let refused = |path: &str, body: Value| {
        let reply = client.post(path, &body);
        (reply.status, reply.error())
    };
    assert_eq!(refused("api/play/0123", json!({ "do": "undo" })).0, 404);
    assert_eq!(client.get("api/play/0123/events").status, 404);
    let new = |more: Value| {
        let mut new = json!({ "position": { "game": "nogo" } });
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        refused("api/play", new)
    };
    let (status, text) = new(json!({ "engine": "/bin/sh" }));
    assert_eq!(status, 404);
    assert!(text.contains("no engine `/bin/sh` for nogo; there are: none"), "{text}");
    assert_eq!(new(json!({ "sides": ["hand", "engine"] })).0, 400);
    assert!(new(json!({ "level": { "movetime": 3_600_000 } })).1.contains("60000"));
    assert!(new(json!({ "level": { "fast": 1 } })).1.contains("movetime"));
    let game = begin(&client, &json!({ "game": "nogo" }));
    assert_eq!(refused(&game, json!({ "do": "hint" })).0, 409);
    assert_eq!(refused(&game, json!({ "do": "shell", "token": "x" })).0, 400);
    client.post(&game, &json!({ "do": "close" })).ok();
    assert_eq!(refused(&game, json!({ "do": "undo" })).0, 404);
}

#[test]
fn too_many_games_are_refused_until_one_is_closed() {
    let client = client();
    let games: Vec<String> =
        (0..MAX_GAMES).map(|_| begin(&client, &json!({ "game": "nogo" }))).collect();
    let mut pages: Vec<_> =
        games.iter().map(|game| client.open(&format!("{game}/events"))).collect();
    let new = json!({ "position": { "game": "nogo" } });
    let reply = client.post("api/play", &new);
    assert_eq!(reply.status, 409);
    assert!(reply.error().contains("close one"), "{}", reply.body);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let begin_again = || {
        while client.post("api/play", &new).status != 200 {
            assert!(std::time::Instant::now() < deadline);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    client.post(&games[3], &json!({ "do": "close" })).ok();
    begin_again();
    // A game that no page shows makes room for a new one.
    drop(pages.remove(5));
    begin_again();
    begin_again();
    assert_eq!(client.post(&games[5], &json!({ "do": "undo" })).status, 404);
    assert_eq!(client.post(&games[6], &json!({ "do": "undo" })).status, 409, "it is shown");
}

#[test]
fn a_page_that_connects_gets_the_position() {
    let client = client();
    let game = begin(&client, &json!({ "game": "connect6", "moves": ["j10"] }));
    let state = client.until(&format!("{game}/events"), |topic, _| topic == "state");
    assert_eq!(state["view"]["legal"]["count"], 2);
    assert_eq!(
        state["view"]["pieces"],
        json!([{
            "at": "j10", "kind": "bS", "side": 0, "text": "", "name": "black stone", "down": false,
        }])
    );
}

#[test]
fn clocks_run_and_a_flag_that_falls_ends_the_game() {
    let client = client();
    let new = |clock: &str| {
        let position = json!({ "game": "nogo" });
        json!({ "position": position, "clock": clock, "names": ["Anna", ""] })
    };
    let refused = client.post("api/play", &new("40/5:00"));
    assert!(refused.error().contains("clock `40/5:00`: expected TIME"), "{}", refused.body);
    let mut by_clock = new("5:00");
    by_clock["level"] = json!("clock");
    client.post("api/play", &by_clock).ok();
    by_clock["clock"] = Value::Null;
    assert!(client.post("api/play", &by_clock).error().contains("no clock"));
    let id = client.post("api/play", &new("0.5")).ok()["id"].as_str().unwrap().to_string();
    let game = format!("api/play/{id}");
    let state = client.post(&game, &json!({ "do": "move", "token": "e5" })).ok();
    assert_eq!(state["names"], json!(["Anna", ""]));
    assert_eq!(
        (&state["clock"]["running"], &state["clock"]["left_ms"][0]),
        (&json!(1), &json!(500))
    );
    let over = client.until(&format!("{game}/events"), |topic, state| {
        topic == "state" && !state["view"]["result"].is_null()
    });
    assert_eq!(over["view"]["result"], json!({ "winner": 0, "text": "time" }));
    assert_eq!(over["clock"]["left_ms"], json!([500, 0]));
    assert_eq!(client.post(&game, &json!({ "do": "move", "token": "a1" })).status, 409);
    let back = client.post(&game, &json!({ "do": "undo" })).ok();
    assert_eq!((&back["view"]["ply"], &back["view"]["result"]), (&json!(0), &Value::Null));
    assert_eq!(back["clock"]["left_ms"], json!([500, 500]));
}

#[test]
fn a_saved_game_goes_on_with_its_clocks_and_names() {
    let client = client();
    let new = json!({
        "position": { "game": "einstein" }, "clock": "5:00+3", "names": ["", "博特"], "chance": "hand",
    });
    let begin = |new: &Value| {
        let id = client.post("api/play", new).ok()["id"].as_str().unwrap().to_string();
        format!("api/play/{id}")
    };
    let game = begin(&new);
    for token in ["123456", "654321"] {
        client.post(&game, &json!({ "do": "move", "token": token })).ok();
    }
    client.post(&game, &json!({ "do": "chance", "token": "4" })).ok();
    let mut saved = client.post(&game, &json!({ "do": "save" })).ok();
    assert_eq!((&saved["agon_game"], &saved["game"]["clock"]), (&json!(1), &json!("300+3")));
    assert_eq!(saved["game"]["position"]["moves"], json!(["123456", "654321", "4"]));
    client.post(&game, &json!({ "do": "close" })).ok();
    saved["game"]["left"] = json!([200_000, 100_000]);
    let open = |saved: &Value| client.post("api/play/open", saved);
    let again = open(&saved).ok()["id"].as_str().unwrap().to_string();
    let again = format!("api/play/{again}");
    let state = client.until(&format!("{again}/events"), |topic, _| topic == "state");
    assert_eq!((&state["view"]["ply"], &state["view"]["state"]["die"]), (&json!(3), &json!(4)));
    assert_eq!((&state["names"], &state["chance"]), (&json!(["", "博特"]), &json!("hand")));
    assert_eq!(state["clock"]["left_ms"], json!([200_000, 100_000]));
    // A game that was given up stays so, also when it is saved again.
    client.post(&again, &json!({ "do": "resign" })).ok();
    let given_up = client.post(&again, &json!({ "do": "save" })).ok();
    let last = open(&given_up).ok()["id"].as_str().unwrap().to_string();
    let state = client.until(&format!("api/play/{last}/events"), |topic, _| topic == "state");
    assert_eq!(state["view"]["result"], json!({ "winner": 1, "text": "resignation" }));
}

#[test]
fn what_is_no_saved_game_is_refused_in_a_sentence() {
    let client = client();
    let refused = |saved: Value| {
        let reply = client.post("api/play/open", &saved);
        assert_eq!(reply.status, 400, "{}", reply.body);
        reply.error()
    };
    assert!(refused(json!([1])).contains("no saved game"));
    assert!(refused(json!({ "agon_match_log": 1 })).contains("no saved game"));
    let error = refused(json!({ "agon_game": 2, "game": {} }));
    assert_eq!(error, "this game was saved in format 2; this program reads format 1");
    let with = |game: Value| refused(json!({ "agon_game": 1, "game": game }));
    assert!(with(json!({ "positon": 1 })).contains("positon"));
    assert!(with(json!({ "position": { "game": "chess" } })).contains("no game `chess`"));
    let other = json!({ "position": { "game": "nogo", "moves": ["h2e2"] } });
    assert!(with(other).contains("move 1:"));
    assert!(
        with(json!({ "position": { "game": "nogo" }, "names": ["\u{1b}[2J", ""] }))
            .contains("name")
    );
    let loser = json!({ "position": { "game": "nogo" }, "ended": { "loser": 2, "why": "time" } });
    assert!(with(loser).contains("0 or 1"));
}

#[test]
fn events_have_their_clocks() {
    let clocks = client().get("api/clocks").ok();
    let ccgc = |game: &str| {
        let mut clocks = clocks.as_array().unwrap().iter();
        clocks.find(|c| c["game"] == game && c["title"].as_str().unwrap().contains("CCGC")).cloned()
    };
    assert_eq!(ccgc("xiangqi").unwrap()["clock"], "45:00");
    assert_eq!(ccgc("einstein").unwrap()["clock"], "4:00");
}
