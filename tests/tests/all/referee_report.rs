//! `referee report` and `referee diagram` on real logs.

use crate::support::matches::{MATCH, Match};
use crate::support::{run, texts};
use std::fs;
use std::path::Path;

/// Success, standard output, standard error.
fn referee(arguments: &[&str]) -> (bool, String, String) {
    let output = run("referee", arguments, MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out, err)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_match_with_faults_is_reported_with_its_reasons_and_replays() {
    let played = Match::between("honest", "crash --at 2 --side second", 4);
    assert_eq!(played.games().len(), 4);
    let log = text(&played.log());
    let (good, out, err) = referee(&["report", &log]);
    assert!(good, "{err}");
    assert!(out.contains("all 4 games of the schedule"), "{out}");
    assert!(out.contains("! b lost 2 of 4 games by faults"), "{out}");
    let page = fs::read_to_string(played.log().with_extension("html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    let (_, data) = page.split_once("id=\"replays\">").expect("the replays");
    let data = data.split_once("</script>").expect("their end").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let games = data["games"].as_array().expect("a list");
    assert_eq!(games.len(), 4);
    for game in games {
        let plies = game["by"].as_str().map_or(0, str::len);
        assert!(plies > 0);
        assert_eq!(game["changes"].as_array().map(Vec::len), Some(plies));
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(plies));
        assert_eq!(game["numbers"].as_array().map(Vec::len), Some(plies));
    }
}

#[test]
fn the_same_log_gives_the_same_page_and_the_log_stays_as_it_is() {
    let played = Match::between("honest", "honest", 2);
    played.games();
    let log = text(&played.log());
    let before = fs::read(played.log()).expect("the log");
    let page = |name: &str| {
        let out = played.log().with_file_name(name);
        let (good, _, err) = referee(&["report", &log, "--out", &text(&out)]);
        assert!(good, "{err}");
        fs::read(out).expect("the page")
    };
    assert_eq!(page("one.html"), page("two.html"));
    let (good, _, err) = referee(&["report", &log, "--out", &log]);
    assert!(!good && err.contains("would overwrite the log"), "{err}");
    assert_eq!(fs::read(played.log()).expect("the log"), before);
}

#[test]
fn what_is_no_log_gets_an_error_that_names_the_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.jsonl");
    let error = |contents: &[u8]| {
        fs::write(&file, contents).expect("a file");
        let (good, out, err) = referee(&["report", &text(&file)]);
        assert!(!good && out.is_empty(), "{out}");
        assert!(!folder.path().join("x.html").exists());
        err
    };
    assert!(error(b"").contains("no complete first line"));
    assert!(error(b"hello\n").contains("no match header"));
    assert!(error(b"\xff\xfe\n").contains("not UTF-8"));
    let played = Match::between("honest", "honest", 2);
    played.games();
    let log = fs::read_to_string(played.log()).expect("the log");
    // The header, two games, the end.
    let mut twice: Vec<&str> = log.lines().collect();
    twice.insert(3, twice[2]);
    let twice = twice.join("\n") + "\n";
    let message = error(twice.as_bytes());
    assert!(message.contains("line 4: game 2 stands in the log twice"), "{message}");
    let (good, _, err) = referee(&["report", &text(&folder.path().join("no-such-log"))]);
    assert!(!good && err.matches("No such file").count() == 1, "{err}");
}

#[test]
fn a_position_is_shown_or_refused() {
    let xiangqi = ["diagram", "--game", "xiangqi", "startpos moves h2e2"];
    let (good, out, _) = referee(&xiangqi);
    let rank = out.lines().find(|l| l.starts_with("2 ")).expect("the rank that moves count as 2");
    assert!(good && rank.contains("─[炮]─") && rank.contains("─[┼]─"), "{out}");
    let (good, out, _) = referee(&[&xiangqi[..], &["--letters"]].concat());
    assert!(good && out.contains("[C]") && !out.contains('炮'), "{out}");
    let (good, out, _) = referee(&["diagram", "--game", "amazons"]);
    assert!(good && out.contains("White (Q) to move"), "{out}");
    let (good, _, err) = referee(&["diagram", "--game", "amazons", "startpos moves d1e3,e3e4"]);
    assert!(!good && err.contains("move 1 of the list"), "{err}");
}

/// A Xiangqi log of one game: the cannon to the middle file, and Black's answer.
const XIANGQI: &str = r#"{"agon_match_log":1,"referee":"0","game":"xiangqi","rules":[],"engines":[{"name":"a","command":["x"],"sha256":"","dialect":"ugi","options":[],"limit":{"move_ms":10}},{"name":"b","command":["y"],"sha256":"","dialect":"ugi","options":[],"limit":{"move_ms":10}}],"seed":1,"schedule":{"form":"match","pairings":[{"engines":[0,1],"games":[1,0]}]}}
{"game":0,"pair":0,"players":[0,1],"opening":"startpos","moves":"h2e2 h9g7","by":"12","result":"draw","reason":"length","fen":"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w","stats":{"us":[10,20],"depth":[1,null],"nodes":[5,6],"score":[3,null]}}
"#;

#[test]
fn a_xiangqi_game_is_replayed_on_the_board_that_its_players_know() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("x.jsonl");
    fs::write(&log, XIANGQI).expect("a log");
    let (good, out, err) = referee(&["replay", &text(&log), "--game", "1"]);
    assert!(good, "{err}");
    let boards: Vec<&str> = out.split("game 1, a - b, ply ").collect();
    assert!(boards[1].contains("楚 河") && !boards[1].contains('['), "{out}");
    assert!(boards[2].contains("─[炮]─") && boards[3].contains("─[馬]─"), "{out}");
    assert!(boards[3].lines().any(|l| l.starts_with("9 ") && l.contains("[┬]")), "{out}");
    let (good, out, _) = referee(&["replay", &text(&log), "--game", "1", "--letters"]);
    assert!(good && out.contains("[C]") && out.contains("[n]") && !out.contains('炮'), "{out}");
    let (good, _, err) = referee(&["replay", &text(&log), "--game", "0"]);
    assert!(!good && err.contains("games are counted from 1"), "{err}");

    let (good, _, err) = referee(&["report", &text(&log)]);
    assert!(good, "{err}");
    let page = fs::read_to_string(folder.path().join("x.html")).expect("the page");
    assert!(page.contains("楚河") && page.contains('帥') && page.contains("href=\"#game-1\""));
    let data = page.split_once("id=\"replays\">").expect("the replays").1;
    let data = data.split_once("</script>").expect("their end").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["board"]["grid"], "xiangqi");
    let game = &data["games"][0];
    assert_eq!(game["last"], serde_json::json!([["h2", "e2"], ["h9", "g7"]]));
    assert_eq!(game["changes"][0], serde_json::json!([["e2", "rC"], ["h2"]]));
    assert!(
        game["pieces"].as_array().is_some_and(|p| p.contains(&serde_json::json!(["e0", "rK"])))
    );
}
