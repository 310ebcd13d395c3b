//! A manager that sends a whole script without waiting, and then `quit` or nothing, gets every
//! answer, in every dialect.

use crate::support::Process;
use std::time::{Duration, Instant};

/// The time of each move of engines without another limit.
const MOVE_TIME: Duration = Duration::from_millis(40);

/// All lines that a program answers to a script, by the end of which it has ended in good order.
fn answers(engine: &str, script: &str) -> Vec<String> {
    let flag = format!("MoveTime={}", MOVE_TIME.as_millis());
    let mut process = Process::start(engine, &["--option", &flag]);
    process.send(script);
    process.close();
    let (status, lines, errors) = process.end();
    assert!(status.success(), "{engine}: {errors}");
    lines
}

/// The answers that begin with one of these words, to the script with and without its last line.
fn both(engine: &str, script: &[&str], quit: &str, wanted: &[&str]) -> Vec<Vec<String>> {
    let script = script.join("\n");
    [format!("{script}\n{quit}"), script]
        .map(|text| {
            let mut lines = answers(engine, &text);
            lines.retain(|l| wanted.iter().any(|w| l.starts_with(w)));
            lines
        })
        .into()
}

#[test]
fn go_before_quit_is_answered_in_the_uci_family() {
    for (engine, hello, done) in [
        ("amazons", "ugi", "ugiok"),
        ("amazons", "uci", "uciok"),
        ("xiangqi", "ucci", "ucciok"),
        ("xiangqi", "ucicyclone\nuci", "uciok"),
    ] {
        let script =
            [hello, "isready", "position startpos", "go depth 2", "isready", "go infinite"];
        let wanted = [done, "readyok", "bestmove"];
        for lines in both(engine, &script, "quit", &wanted) {
            let words: Vec<&str> = lines.iter().filter_map(|l| l.split(' ').next()).collect();
            let (head, tail) = words.split_at(2);
            assert_eq!(head, [done, "readyok"], "{hello}: {lines:?}");
            assert_eq!(tail.iter().filter(|w| **w == "bestmove").count(), 2, "{lines:?}");
            assert_eq!(tail.iter().filter(|w| **w == "readyok").count(), 1, "{lines:?}");
        }
    }
}

#[test]
fn readiness_before_quit_is_answered() {
    for hello in ["ugi", "uci", "ucci"] {
        let script = format!("{hello}\nsetoption name Hash value 64\nisready\nquit");
        let lines = answers("xiangqi", &script);
        assert!(lines.contains(&"readyok".into()), "{hello}: {lines:?}");
    }
}

/// Every line of GTP is answered in turn; a search before `quit` uses its time.
#[test]
fn every_line_of_gtp_is_answered_in_turn() {
    for (engine, first) in [("connect6", "J10"), ("nogo", "E5")] {
        let play = format!("4 play B {first}");
        let script = ["1 name", "2 boardsize 19", "3 clear_board", &play, "5 genmove W"];
        let size = if engine == "nogo" { "2 boardsize 9" } else { script[1] };
        let script = [script[0], size, script[2], script[3], script[4], "6 genmove B", "7 version"];
        let from = Instant::now();
        for lines in both(engine, &script, "8 quit", &["=", "?"]) {
            let ids: Vec<&str> = lines.iter().map(|l| l.split(' ').next().unwrap()).collect();
            assert_eq!(ids[..7], ["=1", "=2", "=3", "=4", "=5", "=6", "=7"], "{lines:?}");
            assert!(lines[4].len() > 4 && lines[5].len() > 4, "a turn: {lines:?}");
        }
        assert!(from.elapsed() >= 2 * MOVE_TIME, "the searches were cut short");
    }
}

#[test]
fn every_line_of_mgtp_is_answered_in_turn() {
    let script = [
        "1 name",
        "7 reset_board",
        "15 time_setting 4000",
        "14 ready",
        "12 genmove unknown",
        "11 flip b3 K",
        "16 time_left red 900",
        "12 genmove black",
    ];
    for lines in both("darkchess", &script, "5 quit", &["=", "?"]) {
        let ids: Vec<&str> = lines.iter().map(|l| l.split(' ').next().unwrap()).collect();
        assert_eq!(ids[..8], ["=1", "=7", "=15", "=14", "=12", "=11", "=16", "=12"], "{lines:?}");
        assert!(lines[4].len() > 4 && lines[7].len() > 4, "a move: {lines:?}");
    }
}

#[test]
fn every_line_of_ntu_is_answered_in_turn() {
    let script = [
        "name",
        "version",
        "time_setting 2",
        "board_setting 5 6",
        "ini R",
        "get R 6 E3 E5 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2",
        "get B 1 E3 E5 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2",
    ];
    for lines in both("einstein", &script, "exit", &[""]) {
        assert_eq!(lines.len(), script.len(), "{lines:?}");
        assert_eq!(lines[2..4], ["1", "1"]);
        let words: Vec<usize> = lines[4..].iter().map(|l| l.split(' ').count()).collect();
        assert_eq!(words, [6, 2, 2], "{lines:?}");
    }
}

#[test]
fn every_line_of_the_sau_platform_is_answered_in_turn() {
    for (engine, reply) in [("amazons", "move DADFFF"), ("connect6", "move KKJK")] {
        let script = ["name?", "new black", "error", "new white", reply];
        let (script, moves) = match engine {
            "amazons" => ([script[0], script[1], "name?", script[3], "move AGIGEG"], 2),
            _ => ([script[0], script[1], "name?", script[3], "move JJ@@"], 2),
        };
        for lines in both(engine, &script, "quit", &["name ", "move "]) {
            assert_eq!(lines.len(), 2 + moves, "{engine}: {lines:?}");
            assert!(lines[0].starts_with("name ") && lines[2].starts_with("name "), "{lines:?}");
        }
    }
    // The end of a game cancels its move, which the platform would take for one of the next game.
    let lines = answers("amazons", "name?\nnew black\nend\nnew white\nmove AGIGEG\nquit");
    let moves = lines.iter().filter(|l| l.starts_with("move ")).count();
    assert_eq!(moves, 1, "{lines:?}");
}

#[test]
fn every_line_of_cloudict_and_botzone_is_answered_in_turn() {
    let script = ["name", "new black", "move KKJK", "new white", "move JJ", "next"];
    for lines in both("connect6", &script, "exit", &["name ", "move "]) {
        assert_eq!(lines.len(), 5, "{lines:?}");
    }
    let turn = "{\"requests\":[\"-1 -1 -1 -1 -1 -1\"],\"responses\":[]}";
    for lines in both("amazons", &[turn, turn], turn, &["{"]).iter().rev().take(1) {
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
}

/// With the variant of Fairy-Stockfish, ranks are 1 to 10 wherever a square is named.
#[test]
fn the_ranks_of_the_variant_hold_for_perft_for_the_board_and_for_errors() {
    let script = |hello: &str| {
        format!(
            "{hello}\nsetoption name UCI_Variant value xiangqi\nposition startpos moves h3e3 h10g8\n\
             perft 1\nd\nposition startpos moves e1e3\nposition startpos moves e0e1\n\
             position startpos moves x\nh3e3\nquit"
        )
    };
    let text = answers("xiangqi", &script("uci")).join("\n");
    for wanted in [
        "\na1a2: 1\n",
        "\nb1c3: 1\n",
        "\n10 r n b a k a b . r\n",
        "\n1  R N B A K A B N R\n",
        "\nfen: rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w",
        "error: position: move 1 of the list: illegal move `e1e3`",
        "error: `e0e1`: with UCI_Variant ranks are 1 to 10",
        "two squares a1 to i10 as in `h3e3`",
        "unknown command `h3e3`",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("a0"), "{text}");
    let cyclone = answers("xiangqi", &script("ucicyclone\nuci")).join("\n");
    assert!(cyclone.contains("\na0a1: 1\n") && cyclone.contains("`h3e3`"), "{cyclone}");
}

/// A manager that cannot roll dice gets an error for `go`, not a text that it takes for a move.
#[test]
fn go_in_a_chance_position_is_an_error() {
    for (engine, hello, place) in [
        ("einstein", "ugi", "fen ABC2/DE3/F3f/3ed/2cba u -"),
        ("einstein", "uci", "fen ABC2/DE3/F3f/3ed/2cba u -"),
        ("darkchess", "ugi", "startpos moves b3"),
        ("darkchess", "uci", "startpos moves b3"),
    ] {
        let script = format!("{hello}\nposition {place}\ngo depth 1\nisready\n");
        let lines = answers(engine, &script);
        assert!(!lines.iter().any(|l| l.starts_with("bestmove")), "{lines:?}");
        let error = lines.iter().find(|l| l.starts_with("info string error: go:"));
        assert!(error.is_some_and(|e| e.contains("chance's turn")), "{engine}: {lines:?}");
    }
}
