//! Games that endgame tablebases adjudicate. The tablebases are small and built here.

use crate::support::matches::{MATCH, Match, games, lines};
use crate::support::{Process, program, run, texts};
use serde_json::Value;
use std::path::Path;

/// The output of a program of the workspace, which must succeed.
fn done(name: &str, words: &[&str]) -> String {
    let output = run(name, words, MATCH);
    let (stdout, stderr) = texts(&output);
    assert!(output.status.success(), "{name} {words:?}: {stderr}");
    stdout
}

/// Four games of random moves from two positions, adjudicated by tablebases if given.
fn games_from(folder: &Path, game: &str, positions: [&str; 2], tables: &[&str]) -> Match {
    games_of(folder, game, "option.Algorithm=random", positions, tables)
}

/// The same with these engine fields.
fn games_of(
    folder: &Path,
    game: &str,
    fields: &str,
    positions: [&str; 2],
    tables: &[&str],
) -> Match {
    let openings = folder.join("openings.txt");
    std::fs::write(&openings, positions.join("\n")).expect("the openings");
    let engine = |name: &str, seed: u32| {
        let path = program(game).display().to_string();
        format!("name={name},cmd={path} --option Seed={seed},{fields}")
    };
    let mut m = Match::of([engine("a", 1), engine("b", 2)], 4)
        .with("--game", game)
        .with("--openings", &openings.display().to_string());
    for tables in tables {
        m = m.with("--tables", &format!("name=judge,cmd={},{tables}", program(game).display()));
    }
    m
}

/// The result of a `probe` for the side to move in a game's last position.
fn probed(text: &str) -> &'static str {
    let line = text.lines().next().unwrap_or_default();
    let words = ["win", "loss", "draw"];
    words.into_iter().find(|word| line.contains(word)).unwrap_or("nothing")
}

/// The result for the side to move after a one-move game: the second player.
fn for_second(game: &Value) -> &'static str {
    match game["result"].as_str() {
        Some("first") => "loss",
        Some("second") => "win",
        _ => "draw",
    }
}

#[test]
fn a_xiangqi_table_ends_games_with_the_result_that_it_has_for_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path().join("tables");
    let dir = dir.display().to_string();
    std::fs::create_dir(&dir).expect("a folder");
    done("xiangqi", &["table", "build", "--dir", &dir, "--set", "KRKA"]);
    let positions =
        ["3k5/4a4/9/9/9/9/9/9/9/R3K4 w - - 0 1", "3k5/4a4/4R4/9/9/9/9/9/9/4K4 w - - 0 1"];
    let tables = format!("option.TablePath={dir}");
    let judged = games_from(folder.path(), "xiangqi", positions, &[&tables]);
    for game in judged.games() {
        assert_eq!((&game["reason"], &game["by"]), (&"table".into(), &"1".into()), "{game}");
        assert!(
            game["detail"].as_str().is_some_and(|d| d.contains("tablebase adjudication by judge")),
            "{game}"
        );
        let fen = game["fen"].as_str().unwrap_or_default();
        let said = done("xiangqi", &["table", "probe", "--dir", &dir, fen]);
        assert_eq!(for_second(&game), probed(&said), "{fen}: {said}");
    }
    // Wins beyond the quiet-move limit are not adjudicated.
    let long = [positions[0]; 2];
    let hurried =
        games_from(folder.path(), "xiangqi", long, &[&tables]).with("--rule", "DrawPlies=3");
    for game in hurried.games() {
        assert_eq!((&game["reason"], &game["result"]), (&"rules".into(), &"draw".into()), "{game}");
        assert_eq!(game["ending"], "quiet_moves", "{game}");
    }
}

#[test]
fn a_dark_chess_table_ends_games_with_the_result_that_it_has_for_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("dark.table").display().to_string();
    done("darkchess", &["table", "build", &file, "--pieces", "3"]);
    let positions = [
        "R3/4/4/4/4/1K2/4/3n r r - GGMMRNNCCPPPPPkggmmrrnccppppp 0",
        "R3/4/4/4/4/4/4/2k1 r r - KGGMMRNNCCPPPPPggmmrrnnccppppp 0",
    ];
    let judged =
        games_from(folder.path(), "darkchess", positions, &[&format!("option.TableFile={file}")]);
    let games = judged.games();
    for game in &games {
        assert_eq!((&game["reason"], &game["by"]), (&"table".into(), &"1".into()), "{game}");
        let fen = game["fen"].as_str().unwrap_or_default();
        let said = done("darkchess", &["table", "probe", &file, fen]);
        assert_eq!(for_second(game), probed(&said), "{fen}: {said}");
        let (first, last) = (said.lines().nth(1), said.lines().last());
        assert!(first.is_some_and(|l| l.ends_with("(best)")), "{said}");
        assert!(first.is_some_and(|l| l.contains(probed(&said))), "{said}");
        assert!(last.is_some_and(|l| !l.contains("unknown")), "{said}");
    }
    assert!(games.iter().any(|g| g["result"] != "draw"), "{games:?}");
}

/// An adjudicated result equals the result when the dice are rolled to the end and the engines play
/// by the tablebase.
#[test]
fn an_einstein_table_ends_games_that_the_dice_can_no_longer_turn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("einstein.table").display().to_string();
    done("einstein", &["table", "build", &file, "--stones", "3"]);
    let positions = ["C4/5/5/5/2a2 u -", "5/1C3/5/3a1/5 l -"];
    let tables = format!("option.TableFile={file}");
    let fields = format!("{tables},depth=2");
    let judged = games_of(folder.path(), "einstein", &fields, positions, &[&tables]);
    let short = judged.games();
    let long = games_of(folder.path(), "einstein", &fields, positions, &[]).games();
    let mut ended = 0;
    for (short, long) in short.iter().zip(&long) {
        assert_eq!(short["result"], long["result"]);
        let (some, all) = (short["moves"].as_str(), long["moves"].as_str());
        assert!(all.unwrap_or("").starts_with(some.unwrap_or("x")), "{short} {long}");
        ended += u32::from(short["reason"] == "table");
    }
    assert!(ended >= 2, "{short:?}");
    // The log pins these tablebases: it cannot be resumed with others.
    let head = &lines(&judged.log())[0];
    let pinned = &head["adjudication"]["tables"]["files"][0];
    assert_eq!(pinned["name"], file.as_str());
    let again = judged.play();
    assert!(again.success, "{again:?}");
    std::fs::remove_file(&file).expect("the table can be removed");
    done("einstein", &["table", "build", &file, "--stones", "2"]);
    let other = judged.play();
    assert!(!other.success && other.stderr.contains("adjudication.tables.files"), "{other:?}");
    assert_eq!(games(&judged.log()).len(), 4);
}

#[test]
fn programs_that_do_not_answer_are_refused_before_the_first_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let positions = ["3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"; 2];
    let with = |tables: String| {
        let m = games_from(folder.path(), "amazons", positions, &[]).with("--tables", &tables);
        let played = m.with("--ready-time", "1").play();
        assert!(!played.success, "{played:?}");
        played.stderr
    };
    let trivial = program("trivial").display().to_string();
    let here = folder.path().display();
    let silent = with(format!("name=mute,cmd={trivial} {here}"));
    assert!(silent.contains("mute: did not answer in time"), "{silent}");
    let none = with(format!("cmd={trivial}"));
    assert!(none.contains("--tables") && none.contains("TablePath=FOLDER"), "{none}");
    let foreign = with(format!("cmd={trivial} {here},dialect=ucci"));
    assert!(foreign.contains("only ugi has"), "{foreign}");
}

#[test]
fn a_forged_table_judges_no_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name);
    std::fs::create_dir(place("xiangqi")).expect("a folder");
    for (game, file, build, option, fen) in [
        ("einstein", "e.table", &["--stones", "3"][..], "TableFile", "C4/5/5/5/2a2 u 1"),
        (
            "darkchess",
            "d.table",
            &["--pieces", "3"],
            "TableFile",
            "R3/4/4/4/4/1K2/4/3n r r - GGMMRNNCCPPPPPkggmmrrnccppppp 0",
        ),
        (
            "xiangqi",
            "xiangqi/KRK.xqt",
            &["--set", "KRK"],
            "TablePath",
            "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1",
        ),
    ] {
        let path = place(file);
        let given = if game == "xiangqi" { place("xiangqi") } else { path.clone() };
        let given = given.display().to_string();
        let at = if game == "xiangqi" { vec!["--dir", &given] } else { vec![&*given] };
        done(game, &[&["table", "build"], &at[..], build].concat());
        agon_tablebase::conformance::forge(&path, |values| {
            values.iter_mut().for_each(|byte| *byte = !*byte);
        });
        // The engine says which file and which position, and plays without the table.
        let mut engine = Process::open(game, &[] as &[&str], "ugi");
        engine.send("setoption name TableCache value false");
        engine.send(&format!("setoption name {option} value {given}"));
        engine.send(&format!("position fen {fen}"));
        engine.send("query table");
        let said = engine.lines_until("response");
        let named = |l: &String| l.contains(&format!("option {option}: ")) && l.contains(" for `");
        assert!(said.iter().any(|l| named(l) && l.contains(" gives ")), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("response none"), "{said:?}");
        engine.send("go depth 1");
        engine.until("bestmove ");
        // The referee plays no game with it.
        let fields = if game == "darkchess" { ",option.TableCache=false" } else { "" };
        let tables = format!("option.{option}={given}{fields}");
        let m = games_from(folder.path(), game, [fen; 2], &[&tables]);
        let played = m.play();
        assert!(!played.success, "{played:?}");
        let error = played.stderr;
        assert!(error.contains(" gives ") && error.contains(" for `"), "{error}");
    }
}
