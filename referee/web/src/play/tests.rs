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
    assert!(new(json!({ "level": { "clock": 1 } })).1.contains("movetime"));
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
