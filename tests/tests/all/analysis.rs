//! Analyses over HTTP: trees that the server keeps, files in and out, bad files told in one sentence, engines that die.

use crate::serve::Served;
use crate::support::program;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Begins an analysis; returns its path.
fn begin(served: &Served, position: &Value) -> String {
    let id = served.post("api/study", &json!({ "position": position }))["id"].clone();
    format!("api/study/{}", id.as_str().expect("its number"))
}

fn get(served: &Served, path: &str) -> Value {
    let answer = served.answer("GET", path, "");
    assert!(answer.get("ok").is_some(), "{path}: {answer}");
    answer["ok"].clone()
}

/// Sends a file; the whole answer.
fn send(served: &Served, name: &str, text: &str) -> Value {
    served.answer("POST", &format!("api/files?name={name}"), text)
}

/// Opens the first game of a file; the answer.
fn open(served: &Served, name: &str, text: &str) -> Value {
    let sent = send(served, name, text);
    let number = sent["ok"]["number"].as_u64().unwrap_or_else(|| panic!("{name}: {sent}"));
    served.post(&format!("api/file/{number}/open/1"), &json!({}))
}

#[test]
fn a_move_in_an_earlier_position_begins_a_variation_and_the_rest_stays() {
    let served = Served::start(&["serve"]);
    let study = begin(&served, &json!({ "game": "xiangqi", "moves": ["h2e2", "h9g7"] }));
    let send = |command: Value| served.answer("POST", &study, &command.to_string());
    let play =
        |at: usize, tokens: &[&str]| send(json!({ "do": "play", "at": at, "tokens": tokens }));
    assert_eq!(play(1, &["b9c7"])["ok"]["at"], 3);
    assert_eq!(play(1, &["马2进3"])["ok"]["at"], 3, "the same move");
    let wrong = play(2, &["h0g2", "e9e0"]);
    assert_eq!(wrong["at"], 4, "what is legal before is kept: {wrong}");
    assert!(wrong["error"].as_str().unwrap().contains("illegal move `e9e0`"), "{wrong}");
    let comment = |text: &str| send(json!({ "do": "comment", "at": 3, "text": text, "was": "" }));
    assert!(comment("b").get("ok").is_some());
    assert_eq!(comment("c")["now"], "b", "another page was first");
    let arrow = json!({ "shape": "arrow", "at": "b9", "to": "c7" });
    let circle = json!({ "shape": "circle", "at": "b9" });
    for mark in [&arrow, &circle, &circle] {
        send(json!({ "do": "mark", "at": 3, "mark": mark }));
    }
    let bad = send(json!({ "do": "mark", "at": 3, "mark": { "shape": "arrow", "at": "b9" } }));
    assert!(bad["error"].as_str().unwrap().contains("an arrow on two"), "{bad}");
    let tree = get(&served, &study);
    let node = |id: usize| tree["nodes"][id][1].clone();
    assert_eq!(node(1)["children"], json!([2, 3]));
    assert_eq!((&node(3)["comment"], &node(3)["marks"]), (&json!("b"), &json!([arrow])));
    assert_eq!(node(3)["ply"]["wxf"], "H2+3");
    send(json!({ "do": "remove", "at": 2 }));
    let news = get(&served, &format!("{study}?since={}", tree["version"]));
    let changed: Vec<&Value> = news["nodes"].as_array().unwrap().iter().map(|n| &n[0]).collect();
    assert_eq!(changed, [1, 2, 4]);
    assert_eq!(get(&served, &format!("{study}/view/3"))["ply"], 2);
    let gone = served.answer("GET", &format!("{study}/view/2"), "");
    assert!(gone["error"].as_str().unwrap().contains("no longer part of the game"), "{gone}");
    send(json!({ "do": "close" }));
    let closed = served.answer("GET", &study, "");
    assert!(closed["error"].as_str().unwrap().contains("no analysis"), "{closed}");
}

#[test]
fn an_analysis_goes_out_and_in_as_every_form_of_its_game() {
    let served = Served::start(&["serve"]);
    let study = begin(&served, &json!({ "game": "nogo", "moves": ["e5", "a1"] }));
    served.post(&study, &json!({ "do": "play", "at": 1, "tokens": ["b2", "c3"] }));
    served.post(&study, &json!({ "do": "comment", "at": 3, "text": "better ]", "was": "" }));
    for form in ["pgn", "sgf"] {
        let file = served.post(&format!("{study}/export"), &json!({ "form": form }));
        let opened = open(&served, file["name"].as_str().unwrap(), file["text"].as_str().unwrap());
        assert_eq!(opened["problems"], json!([]), "{file}");
        let tree = get(&served, &format!("api/study/{}", opened["id"].as_str().unwrap()));
        let nodes = tree["nodes"].as_array().unwrap();
        assert_eq!((nodes.len(), tree["game"].as_str()), (5, Some("nogo")), "{tree}");
        assert!(nodes.iter().any(|node| node[1]["comment"] == "better ]"), "{tree}");
    }
    let file = served.post(&format!("{study}/export"), &json!({ "form": "ccgc" }));
    assert!(file["remark"]["key"].as_str().unwrap().contains("only the main line"), "{file}");
    let none =
        served.answer("POST", &format!("{study}/export"), &json!({ "form": "wxf" }).to_string());
    assert!(none["error"].as_str().unwrap().contains("it has pgn, sgf, ccgc"), "{none}");
}

#[test]
fn bad_files_are_told_in_one_sentence_and_the_legal_part_is_kept() {
    let served = Served::start(&["serve"]);
    for (name, text, expected) in [
        (
            "chess.pgn",
            "[Event \"x\"]\n[Variant \"Chess960\"]\n\n1. e4 e5 *\n",
            "it is a game of Chess960",
        ),
        (
            "chess.pgn",
            "[White \"x\"]\n\n1. e4 e5 2. Nf3 *\n",
            "no game known here has the moves `e4 e5 Nf3`",
        ),
        ("hex.sgf", "(;GM[11]SZ[11];B[hh])", "it is a game of Hex"),
        ("a.sgf", "(;GM[18];B[djddgd]", "never closed"),
        ("a.pgn", "1. h2e2 {open", "`{` is never closed"),
        ("a.txt", "", "there is no game in it"),
        ("a.xqf", "XQ\u{12}\0\0", "XQStudio"),
    ] {
        let answer = send(&served, name, text);
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{name}: {answer}"));
        assert!(
            error.contains(expected) && error.starts_with(name) && !error.contains('\n'),
            "{error}"
        );
    }
    let variation =
        "[Game \"xiangqi\"]\n\n1. h2e2 (1. b2e2 {good} b9c7 2. e9e0 {lost} c3c4)\nh9g7 2. h0g2 *\n";
    let opened = open(&served, "v.pgn", variation);
    let problems = opened["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{opened}");
    assert_eq!(problems[0]["args"]["place"], "line 3, column 33", "{opened}");
    let tree = get(&served, &format!("api/study/{}", opened["id"].as_str().unwrap()));
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 6, "{tree}");
}

#[test]
fn a_record_of_ten_thousand_moves_opens_or_is_refused_by_a_sentence() {
    let served = Served::start(&["serve"]);
    // A main line that no rules accept so far: the legal part is kept.
    let mut long = String::from("[Game \"xiangqi\"]\n\n");
    for n in 0..2500 {
        let _ = writeln!(long, "{}. h0g2 h9g7 {}. g2h0 g7h9", 2 * n + 1, 2 * n + 2);
    }
    let opened = open(&served, "long.pgn", &long);
    assert!(opened["problems"].as_array().unwrap().len() <= 1, "{opened}");
    // Ten thousand moves in variations of one position are all kept.
    let mut wide = String::from("[Game \"nogo\"]\n\n1. e5");
    let squares: Vec<String> =
        ('a'..='h').flat_map(|f| (1..=9).map(move |r| format!("{f}{r}"))).collect();
    let mut count = 1;
    for first in squares.iter().filter(|s| *s != "e5") {
        for second in squares.iter().filter(|s| *s != "e5" && *s != first) {
            let _ = write!(
                wide,
                "{}",
                if count == 1 { String::new() } else { format!("\n(1. {first} {second})") }
            );
            count += 2;
        }
    }
    let opened = open(&served, "wide.pgn", &wide);
    assert_eq!(opened["problems"], json!([]));
    let tree = get(&served, &format!("api/study/{}", opened["id"].as_str().unwrap()));
    assert!(tree["nodes"].as_array().unwrap().len() > 4900);
}

#[test]
fn an_engine_that_dies_is_told_and_the_tree_stays() {
    let rogue = program("rogue");
    let engine = format!("name=dies,cmd={},arg=crash-after-output,arg=--at,arg=1", rogue.display());
    let served = Served::start(&["serve", "--engine", &engine]);
    let study = begin(&served, &json!({ "game": "amazons", "moves": ["d1d7,d7g7"] }));
    served.post(&study, &json!({ "do": "analyse", "at": 1, "lines": 2, "engine": "dies" }));
    served.until(&format!("{study}/events"), |topic, data| {
        topic == "state" && !data["engine"]["error"].is_null()
    });
    assert_eq!(get(&served, &study)["nodes"].as_array().unwrap().len(), 2);
}
