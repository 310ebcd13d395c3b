//! The command line of `lab`, and what the engines say about commands that are its.

use crate::support::{run, texts};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// Exit status, standard output and standard error.
fn answer(program: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let output = run(program, words, MINUTE);
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

/// The commands that each game's engine had.
const MOVED: [(&str, &[&str]); 5] = [
    ("amazons", &["tune"]),
    ("connect6", &["problems", "games", "openings", "safety", "learn", "sgf", "book"]),
    ("darkchess", &["classes", "solve", "tune"]),
    ("einstein", &["train", "learn", "loss", "set-ups"]),
    ("xiangqi", &["count", "census", "rank", "unrank", "random", "tune", "tactics"]),
];

#[test]
fn an_engine_says_where_each_command_went_and_lab_has_it() {
    for (game, commands) in MOVED {
        let (_, help, _) = answer(game, &["--help"]);
        for command in commands {
            let (status, out, err) = answer(game, &[command, "--json"]);
            let moved = "has moved to another program: lab";
            assert_eq!(err, format!("error: the command `{command}` {moved} {game} {command}\n"));
            assert_eq!((status, out.as_str()), (Some(2), ""));
            assert!(!help.contains(&format!("\n  {command} ")), "{command} in {help}");
            let (status, out, err) = answer("lab", &[game, command, "--help"]);
            assert!(status == Some(0) && out.contains("Usage: lab"), "{err}");
        }
    }
}

#[test]
fn the_help_lists_games_and_their_commands() {
    let (_, help, _) = answer("lab", &["--help"]);
    for (game, commands) in MOVED {
        assert!(help.contains(&format!("\n  {game} ")), "{game} in {help}");
        let (status, help, err) = answer("lab", &[game, "--help"]);
        assert_eq!(status, Some(0), "{err}");
        for command in commands.iter().filter(|name| **name != "census") {
            assert!(help.contains(&format!("\n  {command} ")), "{command} in {help}");
        }
    }
    for (words, part) in [
        (&["go"][..], "unrecognized subcommand 'go'"),
        (&["xiangqi", "perft", "2"], "unrecognized subcommand 'perft'"),
        (&[], "Usage: lab <GAME>"),
    ] {
        let (status, _, err) = answer("lab", words);
        assert!(status == Some(2) && err.contains(part), "{part} in {err}");
    }
}

#[test]
fn a_command_gets_the_engine_s_options_before_and_after_its_name() {
    for words in [["--option", "Hash=0", "rank", "x"], ["rank", "x", "--option", "Hash=0"]] {
        let (status, _, err) = answer("lab", &[&["xiangqi"], &words[..]].concat());
        assert!(status == Some(1) && err.contains("Hash: bad value `0`"), "{err}");
    }
    let (_, _, err) = answer("lab", &["amazons", "--option", "Treads=2", "tune"]);
    assert!(err.contains("unknown option `Treads`; known options: "), "{err}");
    let (_, _, err) = answer("lab", &["connect6", "--option", "Threads", "sgf"]);
    assert!(err.contains("expected NAME=VALUE"), "{err}");
}

#[test]
fn positions_of_xiangqi_are_numbered_there_and_back() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let (status, number, err) = answer("lab", &["xiangqi", "rank", start]);
    assert_eq!(status, Some(0), "{err}");
    let (_, board, _) = answer("lab", &["xiangqi", "unrank", number.trim()]);
    assert_eq!(board.trim(), start);
    let (_, count, _) = answer("lab", &["xiangqi", "census", "--json"]);
    assert!(count.contains("\"printed_formula\":\"7547040878332418571694532043654081760159\""));
    let (_, value, _) = answer("lab", &["darkchess", "solve", "??/2/2/?? - - KPkp - 0"]);
    assert!(value.starts_with("-0.416667 for the side to move"), "{value}");
}
