//! What a forger can do who makes the chain anew: every way is tried, and `referee/CHANCE.md` has the
//! outcomes.
#![cfg(unix)]

use crate::support::logs::{edited, random_match};
use crate::support::matches::{MATCH, lines};
use crate::support::{Process, run, texts};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A log that is forged from another one.
type Forgery = fn(&mut Vec<Value>);

/// Every way: what is done, and the page's words for it.
const FORGERIES: [(&str, Forgery); 21] = [
    ("a die or a deal is changed", |l| {
        let moves = l[2]["moves"].as_str().unwrap_or_default().to_string();
        let at = l[2]["by"].as_str().and_then(|by| by.rfind('c')).expect("a roll");
        let mut tokens: Vec<&str> = moves.split(' ').collect();
        tokens[at] = if tokens[at] == "1" { "6" } else { "1" };
        l[2]["moves"] = tokens.join(" ").into();
    }),
    ("the same, and the secret is left out", |l| {
        lose_a_game_by_other_dice(l);
        let end = last(l);
        end["end"].as_object_mut().expect("the end").remove("secret");
    }),
    ("the same, as a part of a match (`\"shard\": 1/1`)", |l| {
        lose_a_game_by_other_dice(l);
        l[0]["shard"] = json!({ "part": 1, "of": 1 });
        last(l)["end"].as_object_mut().expect("the end").remove("secret");
    }),
    ("the same, without the end line (`verify --partial`)", |l| {
        lose_a_game_by_other_dice(l);
        l.pop();
    }),
    ("the same, with a commitment to another secret, which is revealed", |l| {
        lose_a_game_by_other_dice(l);
        let (secret, commitment) = other_secret();
        l[0]["chance"]["commitment"] = commitment.into();
        last(l)["end"]["secret"] = secret.into();
    }),
    ("the same, with a seed instead of the secret", |l| {
        lose_a_game_by_other_dice(l);
        l[0]["chance"] = json!({ "foreseeable": true, "shared": true });
        l[0]["seed"] = 1.into();
        last(l)["end"].as_object_mut().expect("the end").remove("secret");
    }),
    ("the same, and the header says format 1", |l| {
        lose_a_game_by_other_dice(l);
        l[0]["agon_match_log"] = 1.into();
    }),
    ("the same, and nothing newer than format 1 is left", |l| {
        lose_a_game_by_other_dice(l);
        to_format_1(l);
    }),
    ("the header says format 2, with the lines of resumptions", |l| {
        l[0]["agon_match_log"] = 2.into();
    }),
    ("the header says format 2, without the lines of resumptions", |l| {
        l[0]["agon_match_log"] = 2.into();
        l.retain(|line| line.get("resume").is_none());
    }),
    ("a result is changed", |l| {
        let first = l[2]["result"] == "first";
        l[2]["result"] = if first { "second" } else { "first" }.into();
    }),
    ("a game is left out", |l| {
        l.remove(3);
        let n = last(l)["end"]["games"].as_u64().unwrap_or(0);
        last(l)["end"]["games"] = (n - 1).into();
    }),
    ("a resumption says another number of games", |l| {
        let resume = l.iter_mut().find(|line| line.get("resume").is_some()).expect("it");
        resume["resume"]["games"] = 1.into();
    }),
    ("the lines of resumptions are left out", |l| {
        l.retain(|line| line.get("resume").is_none());
    }),
    ("the last pair is left out, and the schedule is shortened", |l| {
        let games: Vec<usize> =
            (0..l.len()).filter(|&i| l[i]["game"].as_u64().is_some_and(|n| n >= 4)).collect();
        games.iter().rev().for_each(|&i| drop(l.remove(i)));
        l[0]["schedule"]["pairings"][0]["games"] = json!([2, 2]);
        last(l)["end"]["games"] = 4.into();
    }),
    ("the order of the lines is changed", |l| l.swap(1, 2)),
    ("a lost game becomes one that the winner lost by a crash", |l| {
        cut_short(l, "crash");
    }),
    ("a lost game becomes one that the winner resigned", |l| {
        cut_short(l, "resignation");
    }),
    ("times, scores and dates are changed, a game is dated long before its match", |l| {
        l[1]["stats"]["us"][0] = 1.into();
        l[1]["stats"]["score"][0] = 999.into();
        // Long before its match.
        for field in ["start", "end"] {
            let date = l[2][field].as_str().expect("a date").to_string();
            l[2][field] = format!("2001{}", &date[4..]).into();
        }
    }),
    ("the names and hashes of the engines are exchanged", |l| {
        let (a, b) = (l[0]["engines"][0].clone(), l[0]["engines"][1].clone());
        for field in ["name", "sha256", "command"] {
            l[0]["engines"][0][field] = b[field].clone();
            l[0]["engines"][1][field] = a[field].clone();
        }
    }),
    ("the whole match is played again until its result pleases", |_| {}),
];

fn last(lines: &mut [Value]) -> &mut Value {
    lines.last_mut().expect("a line")
}

/// Another secret and its commitment: those of the test vector.
fn other_secret() -> (String, &'static str) {
    let secret = (0..32).map(|byte| format!("{byte:02x}")).collect();
    (secret, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd")
}

/// Game 2 ends after a loaded die, with which its player crashes: without the secret nothing else
/// contradicts it.
fn lose_a_game_by_other_dice(lines: &mut [Value]) {
    let at = (1..lines.len()).find(|&i| lines[i]["game"] == 1).expect("game 2");
    shorten(&mut lines[at], true, "crash");
}

/// The first game is cut after its first roll; the player to move loses.
fn cut_short(lines: &mut [Value], reason: &str) {
    shorten(&mut lines[1], false, reason);
}

/// Keeps the two set-ups and the first roll of a game, perhaps with another number.
fn shorten(game: &mut Value, loaded: bool, reason: &str) {
    let moves = game["moves"].as_str().unwrap_or_default().to_string();
    let mut moves: Vec<&str> = moves.split(' ').take(3).collect();
    if loaded {
        moves[2] = if moves[2] == "1" { "6" } else { "1" };
    }
    let kind = agon_games::arbiter::game("einstein").expect("the game");
    let mut board = kind.open(None, &[]).expect("a board");
    for token in &moves {
        board.push(token).expect("a legal token");
    }
    game["fen"] = board.fen().into();
    game["moves"] = moves.join(" ").into();
    game["by"] = "12c".into();
    (game["reason"], game["result"]) = (reason.into(), "second".into());
    game["detail"] = "as the log says".into();
    game.as_object_mut().expect("a game").remove("ending");
    for column in game["stats"].as_object_mut().expect("columns").values_mut() {
        column.as_array_mut().expect("a column").truncate(2);
    }
}

fn to_format_1(lines: &mut Vec<Value>) {
    lines[0]["agon_match_log"] = 1.into();
    lines[0]["seed"] = 1.into();
    lines.retain(|line| line.get("end").is_none_or(|end| end.is_string()));
    lines.retain(|line| line.get("resume").is_none());
    for line in lines.iter_mut() {
        let fields = line.as_object_mut().expect("an object");
        fields.retain(|name, _| !["prev", "chance", "ending"].contains(&name.as_str()));
    }
}

/// A finished log of a match that was killed and resumed.
fn resumed() -> (crate::support::matches::Match, String) {
    let path = crate::support::program("einstein").display().to_string();
    let engine = |name: &str| format!("name={name},cmd={path},movetime=20ms");
    let m = crate::support::matches::Match::of([engine("a"), engine("b")], 6)
        .with("--game", "einstein")
        .with("--margin", "5000")
        .with_a_secret();
    let mut referee = Process::start("referee", &m.arguments);
    let from = Instant::now();
    while !m.log().exists() || lines(&m.log()).len() < 3 {
        assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
        sleep(Duration::from_millis(5));
    }
    referee.kill();
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    assert!(text.contains("\"resume\":"), "{text}");
    (m, text)
}

/// What `verify` says in a few words.
fn verdict(log: &Path, more: &[&str]) -> String {
    let log = log.display().to_string();
    let output = run("referee", &[&["verify", &log], more].concat(), MATCH);
    let (out, err) = texts(&output);
    match output.status.code() {
        Some(0) => "no defect".into(),
        Some(3) => "cannot be checked".into(),
        _ => {
            assert!(out.contains("defect") || err.contains("referee: "), "{out}{err}");
            "defect".into()
        }
    }
}

#[test]
fn the_page_says_what_verify_finds_of_each_forgery() {
    let (m, text) = resumed();
    let head = {
        let all: Vec<&str> = text.lines().collect();
        let hash = <sha2::Sha256 as sha2::Digest>::digest(all[all.len() - 1]);
        hash[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    assert_eq!(verdict(&m.log(), &["--head", &head]), "no defect");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let forged = folder.path().join("log.jsonl");
    let mut table = String::new();
    for (what, forgery) in FORGERIES {
        let first = what.contains("format 1") && what.contains("nothing newer");
        let log = edited(&text, !first, forgery);
        fs::write(&forged, &log).expect("a file of ours");
        if what.contains("played again") {
            let again = random_match("einstein", 6).with("--log", &forged.display().to_string());
            fs::remove_file(&forged).expect("a file of ours");
            assert!(again.play().success);
        }
        let partial: &[&str] = if what.contains("--partial") { &["--partial"] } else { &[] };
        let alone = verdict(&forged, partial);
        let headed = verdict(&forged, &[partial, &["--head", &head]].concat());
        assert_eq!(headed, "defect", "{what}: any change shows in the last hash");
        table.push_str(&format!("| {what} | {alone} | {headed} |\n"));
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee/CHANCE.md");
    let page = fs::read_to_string(page).expect("the page");
    for row in table.lines() {
        let found = page.lines().any(|line| line.starts_with(row));
        assert!(found, "CHANCE.md does not have the row\n{row}\nof this table:\n{table}");
    }
}
