//! Tests of the pages of logs over HTTP.

use super::super::http::Client;
use super::{Logs, routes};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A log of a match with four games of which `games` are finished; the last one is lost by a crash.
fn write(path: &Path, games: usize) {
    let engine = |name: &str| json!({ "name": name, "command": [name], "dialect": "ugi", "options": [], "limit": { "depth": 1 }, "sha256": "0" });
    let header = json!({
        "agon_match_log": 1, "referee": "x", "game": "nogo", "rules": [],
        "engines": [engine("a"), engine("b\u{1b}[2J")], "seed": 7,
        "schedule": { "form": "pairs", "pairings": [{ "engines": [0, 1], "games": [2, 2] }] },
    });
    let mut text = format!("{header}\n");
    for game in 0..games {
        let crash = game == 3;
        let line = json!({
            "game": game, "pair": game / 2, "players": if game % 2 == 0 { [0, 1] } else { [1, 0] },
            "opening": "startpos", "moves": "a1 b2", "by": "12", "result": "first",
            "reason": if crash { "crash" } else { "resignation" }, "detail": crash.then_some("gone"),
            "fen": "9/9/9/9/9/9/9/1O7/X8 x",
            "stats": { "us": [5, 6], "depth": [1, null], "nodes": [9, 9], "score": [10, null] },
            "stderr": crash.then_some("output tail"),
        });
        text.push_str(&format!("{line}\n"));
    }
    std::fs::File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

fn client(path: PathBuf) -> Client {
    Client::start(routes(Logs::open(&[path]).unwrap()))
}

#[test]
fn a_log_shows_score_schedule_and_failures_with_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    write(&path, 2);
    let client = client(path.clone());
    assert_eq!(
        client.get("api/logs").ok(),
        json!([{ "number": 1, "name": "match", "live": null, "found": null }])
    );
    let summary = client.get("api/log/1").ok();
    assert_eq!((&summary["played"], &summary["total"]), (&json!(2), &json!(4)));
    let numbers = |list: &Value| -> Vec<u64> {
        list.as_array().unwrap().iter().map(|g| g["number"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&summary["schedule"]), [3, 4]);
    assert_eq!(summary["score"]["engines"][0]["wins"], 1);
    assert_eq!(summary["failures"], json!([]));
    write(&path, 4);
    let summary = client.get("api/log/1").ok();
    assert_eq!(numbers(&summary["failures"]), [4]);
    let failure = &summary["failures"][0];
    assert_eq!((&failure["engine"], &failure["detail"]), (&json!("a"), &json!("gone")));
    assert!(failure["said"].as_str().unwrap().contains("output tail"));
    assert!(!summary.to_string().contains("\\u001b"), "{summary}");
    let game = client.get("api/log/1/game/4").ok();
    assert_eq!((&game["number"], &game["players"][0]), (&json!(4), &json!("b\\u{1b}[2J")));
    assert_eq!(game["moves"].as_array().unwrap().len(), 2);
    assert_eq!(client.get("api/log/1/game/5").status, 404);
    assert_eq!(client.get("api/log/1/game/0").status, 404, "games count from 1");
    let games = client.get("api/log/1/games?from=1&count=2").ok();
    assert_eq!((numbers(&games["games"]), &games["total"]), (vec![2, 3], &json!(4)));
}

#[test]
fn listeners_see_a_log_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    write(&path, 1);
    let client = client(path.clone());
    client.until("api/log/1/events", |topic, data| {
        assert_eq!(topic, "summary");
        if data["played"] == 1 {
            write(&path, 4);
        }
        data["played"] == 4
    });
}

#[test]
fn what_is_no_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    assert!(Logs::open(std::slice::from_ref(&path)).is_err(), "it does not exist");
    std::fs::write(&path, "hello\n").unwrap();
    assert!(Logs::open(std::slice::from_ref(&path)).is_err(), "it is no log");
    write(&path, 1);
    assert!(Logs::open(&[path.clone(), path.clone()]).is_err(), "twice");
    let client = client(path.clone());
    for wrong in ["api/log/0", "api/log/2", "api/log/2/games", "api/log/7/events"] {
        assert_eq!(client.get(wrong).status, 404, "{wrong}");
    }
    assert_eq!(client.get("api/log/x").status, 400);
    // A match that another program plays is not ended from here.
    assert_eq!(client.post("api/log/1/finish", &json!({})).status, 409);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(client.get("api/log/1").status, 404);
}

#[test]
fn the_log_and_its_games_as_pgn_can_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a match.jsonl");
    write(&path, 4);
    let client = client(path.clone());
    let log = client.get("api/log/1/file");
    assert_eq!((log.status, log.body.as_bytes()), (200, &*std::fs::read(&path).unwrap()));
    let place = "attachment; filename*=utf-8''a%20match";
    assert!(log.head.contains(&format!("{place}.jsonl")), "{}", log.head);
    let pgn = client.get("api/log/1/pgn");
    assert!(pgn.head.contains(&format!("{place}.pgn")), "{}", pgn.head);
    assert_eq!(pgn.body.matches("[Result \"1-0\"]").count(), 4, "{}", pgn.body);
    assert_eq!(client.get("api/log/2/pgn").status, 404);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(client.get("api/log/1/file").status, 404);
}
