//! Tests of the server over HTTP.

use super::http::Client;
use super::{Feed, position};
use agon_games::arbiter::GAMES;
use agon_games::{Turn, rng};
use axum::Router;
use axum::routing::get;
use rand_core::Rng;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn client() -> Client {
    Client::start(position::routes())
}

#[test]
fn only_the_printed_address_is_answered() {
    let client = client();
    let host = format!("Host: {}\r\n", client.host);
    let page = client.get("");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<!doctype html>"));
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
    ] {
        assert!(page.head.contains(header), "{}", page.head);
    }
    for path in ["/", "/assets/app.js", "/0123456789abcdef0123456789abcdef/", "/api/games"] {
        assert_eq!(client.raw("GET", path, &host, "").status, 404, "{path}");
    }
    assert!(client.get("assets/app.js").head.contains("text/javascript"));
    assert_eq!(client.get("assets/..%2fserver.rs").status, 404);
    for host in ["Host: evil.example\r\n", "Host: localhost\r\n", "Host: 127.0.0.1\r\n"] {
        let reply = client.raw("GET", &client.root, host, "");
        assert_eq!(reply.status, 403, "{host}");
        assert!(reply.error().contains(&client.host));
    }
}

#[test]
fn a_command_from_a_page_of_another_origin_is_refused() {
    let client = client();
    let path = format!("{}api/view", client.root);
    let body = json!({ "game": "nogo" }).to_string();
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"] {
        let headers = format!("Host: {}\r\nOrigin: {origin}\r\n", client.host);
        assert_eq!(client.raw("POST", &path, &headers, &body).status, 403, "{origin}");
    }
    assert_eq!(client.raw("POST", &path, &client.own(), &body).status, 200);
}

#[test]
fn bad_bodies_are_refused_with_the_reason() {
    let client = client();
    let path = format!("{}api/view", client.root);
    let send = |body: &str| client.raw("POST", &path, &client.own(), body);
    let reply = send(&format!("{{\"game\":\"{}\"}}", "x".repeat(70_000)));
    assert_eq!(reply.status, 413, "{}", reply.body);
    assert!(send("{").error().contains("EOF"));
    assert!(send("{\"gmae\":1}").error().contains("gmae"));
    assert!(send("{\"game\":\"chess\"}").error().contains("amazons"));
    assert!(send("{\"game\":\"nogo\",\"fen\":\"7 x\"}").error().contains("bad FEN"));
    let illegal = send("{\"game\":\"xiangqi\",\"moves\":[\"h2e2\",\"h2e2\"]}");
    assert_eq!(illegal.status, 400);
    assert!(illegal.error().starts_with("move 2:"), "{}", illegal.body);
    assert!(send("{\"game\":\"nogo\",\"fen\":\"\\u001b[2J\"}").error().contains("\\u{1b}"));
}

#[test]
fn a_page_gets_messages_by_key_and_the_chinese_of_all_keys() {
    let client = client();
    let reply = client.post("api/view", &json!({ "game": "nogo", "moves": ["a1", "a1"] }));
    assert_eq!(reply.error(), "move 2: illegal move `a1`: there is a stone");
    let key = |key: &str, args: Value| json!({ "key": key, "args": args });
    let reason = key("there is a stone", json!({}));
    let cause = key("illegal move `{text}`: {reason}", json!({ "text": "a1", "reason": reason }));
    let told = key("move {n}: {cause}", json!({ "n": "2", "cause": cause }));
    assert_eq!(reply.json()["message"], told);
    let texts = client.get("assets/messages.js");
    assert!(texts.head.contains("text/javascript"), "{}", texts.head);
    let texts = texts.body.trim_start_matches("export default ").trim_end_matches(";\n");
    let texts: Value = serde_json::from_str(texts).unwrap();
    assert_eq!(texts["there is a stone"], "那里已有棋子");
}

#[test]
fn odd_paths_methods_and_heads_get_nothing() {
    let client = client();
    for path in [
        "assets/..%2f..%2fCargo.toml",
        "assets/../server.rs",
        "assets/%2e%2e/answer.rs",
        "assets/%00",
        "assets/app.js%00.css",
        "assets//app.js",
        "assets/%2fetc%2fpasswd",
        "assets/C:%5Cwindows%5Cwin.ini",
        "../../etc/passwd",
        "api/play/../../x",
    ] {
        let reply = client.get(path);
        assert!([400, 404, 405].contains(&reply.status), "{path}: {} {}", reply.status, reply.body);
    }
    let view = format!("{}api/view", client.root);
    for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"] {
        assert_eq!(client.raw(method, &view, &client.own(), "{}").status, 405, "{method}");
    }
    let own = &client.host;
    for head in [
        String::new(),
        format!("Host: {own}.\r\n"),
        format!("Host: {own}@evil.example\r\n"),
        format!("Host: {own}\r\nHost: evil.example\r\n"),
        format!("Host: evil.example\r\nX-Forwarded-Host: {own}\r\n"),
    ] {
        let reply = client.raw("GET", &client.root, &head, "");
        assert!([400, 403].contains(&reply.status), "{head}: {}", reply.status);
    }
    let long = client.raw("GET", &format!("/{}", "x".repeat(200_000)), &client.own(), "");
    assert!(long.status == 0 || long.status >= 400, "{}", long.status);
    let large = format!("{}X: {}\r\n", client.own(), "x".repeat(2_000_000));
    let large = client.raw("GET", &client.root, &large, "");
    assert!(large.status == 0 || large.status >= 400, "{}", large.status);
    assert_eq!(client.get("").status, 200, "the server still answers");
}

#[test]
fn bodies_in_chunks_and_deep_ones_are_refused() {
    let client = client();
    let mut stream = TcpStream::connect(&client.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let head = format!(
        "POST {}api/view HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        client.root,
        client.own()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("2000\r\n{}\r\n", " ".repeat(0x2000));
    // The server may stop reading before the end.
    let _ = (0..20).try_for_each(|_| stream.write_all(chunk.as_bytes()));
    let _ = stream.write_all(b"0\r\n\r\n");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 413"), "{text}");
    let path = format!("{}api/view", client.root);
    let deep = format!("{{\"game\":{}", "[".repeat(60_000));
    assert_eq!(client.raw("POST", &path, &client.own(), &deep).status, 400);
    let many = json!({ "game": "nogo", "moves": vec!["a1"; 5000] });
    assert!(client.post("api/view", &many).error().contains("more than"));
    let markup = json!({ "game": "<script>alert(1)</script>\u{202e}\u{0}" });
    let error = client.post("api/view", &markup).error();
    assert!(!error.contains(['\u{202e}', '\u{0}']), "{error:?}");
}

#[test]
fn too_many_listeners_are_refused_until_one_has_gone() {
    let feed = Feed::default();
    let stream = feed.clone();
    let client = Client::start(Router::new().route("/events", get(async move || stream.stream())));
    feed.send("state", &1);
    let listen = || {
        let mut stream = TcpStream::connect(&client.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = format!("GET {}events HTTP/1.1\r\n{}\r\n", client.root, client.own());
        stream.write_all(request.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8_lossy(&status[9..]).into_owned())
    };
    let mut open = Vec::new();
    let refused = loop {
        let (stream, status) = listen();
        if status != "200" {
            break status;
        }
        open.push(stream);
        assert!(open.len() <= 100, "no limit");
    };
    assert_eq!((refused.as_str(), open.len()), ("409", 64));
    open.pop();
    // Without any event, the server notices that the page has gone.
    let deadline = Instant::now() + Duration::from_secs(60);
    while listen().1 != "200" {
        assert!(Instant::now() < deadline, "a page that has gone is still counted");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(open);
    while feed.has_listeners() {
        assert!(Instant::now() < deadline, "pages that have gone are still counted");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn listeners_get_the_latest_state_at_once_and_then_every_change() {
    let feed = Feed::default();
    let stream = feed.clone();
    let client = Client::start(Router::new().route("/events", get(async move || stream.stream())));
    feed.send("state", &1);
    feed.send("state", &2);
    feed.send("other", &"x");
    let mut got = Vec::new();
    client.until("events", |topic, data| {
        got.push((topic.to_string(), data.clone()));
        match got.len() {
            1 => feed.send("gone", &"text"),
            2 => feed.end("state"),
            _ => {}
        }
        topic == "state" && data.is_null()
    });
    assert_eq!(got[0], ("state".into(), json!(2)));
    assert_eq!(got[1], ("other".into(), json!("x")));
}

/// Every view must be enough to play a game: its moves are clicks on squares or points.
#[test]
fn a_game_of_each_game_can_be_played_from_its_views() {
    let client = client();
    for kind in GAMES {
        let mut rng = rng::stream(7, 0, "clicks");
        let mut game = kind.open(None, &[]).unwrap();
        for ply in 0..40 {
            if matches!(game.turn(), Turn::Over(_)) {
                break;
            }
            let request = json!({ "game": kind.name, "moves": game.tokens() });
            let view = client.post("api/view", &request).ok();
            let squares: Vec<&str> = strings(&view["squares"]);
            assert_eq!(
                squares.len(),
                (view["files"].as_u64().unwrap() * view["ranks"].as_u64().unwrap()) as usize
            );
            assert_eq!(view["ply"], ply);
            assert_eq!(view["fen"], game.fen());
            for piece in view["pieces"].as_array().unwrap() {
                assert!(squares.contains(&piece["at"].as_str().unwrap()));
                assert!(!piece["name"].as_str().unwrap().is_empty());
            }
            let token = choose(&view, rng.next_u32() as usize);
            game.push(&token).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        }
    }
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

/// A move or chance outcome as a page would enter it.
fn choose(view: &Value, n: usize) -> String {
    if let Some(outcomes) = view["chance"]["outcomes"].as_array() {
        return outcomes[n % outcomes.len()]["token"].as_str().unwrap().into();
    }
    let legal = &view["legal"];
    match legal["kind"].as_str().unwrap() {
        "list" => {
            let moves = legal["moves"].as_array().unwrap();
            moves[n % moves.len()][0].as_str().unwrap().into()
        }
        "points" => {
            let points = strings(&legal["points"]);
            let count = legal["count"].as_u64().unwrap() as usize;
            let start = n % (points.len() + 1 - count);
            points[start..start + count].concat()
        }
        "setup" => {
            assert_eq!(strings(&legal["squares"]).len(), 6);
            strings(&legal["pieces"]).concat()
        }
        other => panic!("{other}"),
    }
}

#[test]
fn the_state_of_einstein_names_die_stones_and_two_candidates() {
    let client = client();
    let view = |fen: &str| client.post("api/view", &json!({ "game": "einstein", "fen": fen })).ok();
    // The number 3 is gone: 2 and 4 may move.
    let state = &view("AB3/D4/5/4f/3ed u 3")["state"];
    assert_eq!(state["die"], 3);
    assert_eq!(state["alive"], json!([[1, 2, 4], [4, 5, 6]]));
    assert_eq!(state["movable"], json!(["b5", "a4"]));
    let view = view("AB3/D4/5/4f/3ed u -");
    assert_eq!(view["chance"]["kind"], "die");
    assert_eq!(view["chance"]["outcomes"].as_array().unwrap().len(), 6);
    let setup = client.post("api/view", &json!({ "game": "einstein" })).ok();
    let squares = strings(&setup["legal"]["squares"]);
    let after = client.post("api/view", &json!({ "game": "einstein", "moves": ["635241"] })).ok();
    for (square, number) in squares.into_iter().zip("635241".chars()) {
        let kind = format!("r{number}");
        let on = after["pieces"].as_array().unwrap().iter().find(|p| p["at"] == square).unwrap();
        assert_eq!(on["kind"], kind, "{square}");
    }
}

#[test]
fn the_squares_that_have_won_are_named() {
    let client = client();
    let won = |game: &str, fen: Value, moves: &[&str]| {
        let position = json!({ "game": game, "fen": fen, "moves": moves });
        let view = client.post("api/view", &position).ok();
        assert_eq!(view["won"] != json!([]), !view["result"].is_null(), "{view}");
        view["won"].clone()
    };
    let moves = ["a1", "a3c3", "b1c1", "e3g3", "d1e1", "i3k3"];
    assert_eq!(won("connect6", Value::Null, &moves), json!([]));
    let six = won("connect6", Value::Null, &[&moves[..], &["f1"]].concat());
    assert_eq!(six, json!(["a1", "b1", "c1", "d1", "e1", "f1"]));
    // The corner, the last capture, the king that is mated or cannot move.
    assert_eq!(won("einstein", json!("5/1a3/5/3A1/5 u 1"), &["d2e1"]), json!(["e1"]));
    assert_eq!(won("einstein", json!("A4/1a3/5/5/5 u 1"), &["a5b4"]), json!(["b4"]));
    let rooks = json!("4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1");
    assert_eq!(won("xiangqi", rooks, &["b0b9"]), json!(["e9"]));
    let bare = json!("3k5/9/R8/9/9/9/9/9/4R4/4K4 w - - 0 1");
    assert_eq!(won("xiangqi", bare, &["a7a8"]), json!(["d9"]), "nothing of Black can move");
}

#[test]
fn a_turned_piece_of_dark_chess_waits_on_its_square_and_decides_the_colours() {
    let client = client();
    let view = |moves: &[&str]| {
        client.post("api/view", &json!({ "game": "darkchess", "moves": moves })).ok()
    };
    let turned = view(&["b3"]);
    assert_eq!(
        (&turned["chance"]["kind"], &turned["chance"]["at"]),
        (&json!("reveal"), &json!("b3"))
    );
    let outcomes = turned["chance"]["outcomes"].as_array().unwrap();
    let king = outcomes.iter().find(|o| o["token"] == "=k").unwrap();
    assert_eq!(
        (&king["piece"]["name"], &king["piece"]["kind"], &king["weight"]),
        (&json!("black king"), &json!("bK"), &json!(1))
    );
    let after = view(&["b3", "=k"]);
    assert_eq!(after["state"]["red"], 1);
    assert_eq!(turned["state"]["red"], json!(null), "not known before");
    let shown = after["shown"].as_array().unwrap();
    let numbers: Vec<_> = shown.iter().map(|ply| (&ply["number"], &ply["by"])).collect();
    assert_eq!(numbers, [(&json!(1), &json!(0)), (&json!(1), &json!(null))]);
    let piece = after["pieces"].as_array().unwrap().iter().find(|p| p["at"] == "b3").unwrap();
    assert_eq!((&piece["side"], &piece["kind"]), (&json!(0), &json!("bK")));
    assert_eq!(after["state"]["hidden"]["K"], 1);
    assert_eq!(after["state"]["hidden"].get("k"), None);
}
