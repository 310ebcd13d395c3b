//! Every algorithm plays and reports only turns that the manager allows.

use agon_connect6::engine::Connect6Engine;
use agon_connect6::play::LineValues;
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::option::OptionValue;
use agon_search::host::conformance::check_root_moves;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Limits, Score};

fn record(fen: &str) -> Record<Connect6> {
    Record::from_text::<&str>(Some(fen), &[], &Connect6Rules::default()).unwrap()
}

/// A quiet position, and one whose only candidate is a winning turn.
const POSITIONS: [&str; 2] = ["9/9/3O5/4X4/4X4/5O3/9/9/9 x", "9/9/9/O8/O1XXXX3/O8/9/9/8O x"];

#[test]
fn banned_turns_are_not_played_and_only_named_ones_are() {
    for fen in POSITIONS {
        check_root_moves(Connect6Engine::new, &record(fen), &Limits::with_nodes(300)).unwrap();
    }
}

#[test]
fn multi_pv_reports_as_many_different_turns_as_it_is_told() {
    for algorithm in ["best", "pvs", "alphabeta"] {
        for fen in POSITIONS {
            let mut engine = Connect6Engine::new();
            engine.set_option("Algorithm", &OptionValue::Text(algorithm.into())).unwrap();
            engine.set_option("MultiPV", &OptionValue::Spin(3)).unwrap();
            let mut turns = Vec::new();
            let m =
                engine.search(&record(fen), &Limits::with_depth(2), &Control::new(), &mut |i| {
                    let rank = i.multipv.unwrap() as usize;
                    turns.resize(turns.len().max(rank), String::new());
                    turns[rank - 1].clone_from(&i.pv[0]);
                });
            assert_eq!(turns.len(), 3, "{algorithm} `{fen}`: {turns:?}");
            assert_eq!(m.to_string(), turns[0], "{algorithm} `{fen}`");
            assert!(turns[0] != turns[1] && turns[0] != turns[2] && turns[1] != turns[2]);
        }
    }
}

#[test]
fn best_evaluates_with_the_line_values_of_a_file_and_refuses_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        OptionValue::Text(path.display().to_string())
    };
    let value = |file: Option<&OptionValue>| {
        let mut engine = Connect6Engine::new();
        if let Some(file) = file {
            engine.set_option("LineValues", file).unwrap();
        }
        let mut score = None;
        let limits = Limits::with_depth(1);
        engine.search(&record(POSITIONS[0]), &limits, &Control::new(), &mut |i| score = i.score);
        score.unwrap()
    };
    let built_in = LineValues::built_in().to_text("");
    let none = LineValues::default().to_text("");
    assert_eq!(value(Some(&file("same.txt", &built_in))), value(None));
    assert_ne!(value(Some(&file("none.txt", &none))), value(None));

    let mut engine = Connect6Engine::new();
    let half = &built_in[..built_in.len() / 2];
    for (name, text, part) in [
        ("README.md", "# Agon", "not a file of line values"),
        ("torn.txt", half, "torn"),
        ("version.txt", &built_in.replace("version 1", "version 2"), "not a file of line values"),
        ("letters.txt", &built_in.replace("end", "x_y 1 2\nend"), "`x_y 1 2`"),
    ] {
        let error = engine.set_option("LineValues", &file(name, text)).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(name), "{error}");
    }
}

/// The first lines of games are games from which somebody wins.
#[test]
fn a_forced_result_is_an_exact_mate_if_it_is_verified_and_else_a_mate_that_is_a_bound() {
    let (mut exact, mut claims) = (0, 0);
    for line in include_str!("games.txt").lines().skip(4).take(2) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        for end in 3..tokens.len() {
            let rules = Connect6Rules::default();
            let record = Record::from_text(None, &tokens[..end], &rules).unwrap();
            for algorithm in ["best", "pvs", "alphabeta"] {
                let mut engine = Connect6Engine::new();
                engine.set_option("Algorithm", &OptionValue::Text(algorithm.into())).unwrap();
                let limits = Limits::with_nodes(300);
                engine.search(&record, &limits, &Control::new(), &mut |info| {
                    let place = format!("{algorithm} after {end} turns: {info:?}");
                    match (info.score, info.bound) {
                        (Some(Score::Cp(cp)), _) => assert!(cp.abs() < 10_000, "{place}"),
                        (Some(Score::Mate(plies)), bound) => {
                            // Whoever wins makes the last turn.
                            assert_eq!(plies.rem_euclid(2), i32::from(plies > 0), "{place}");
                            assert!(plies != 0 && plies.abs() < 100, "{place}");
                            assert!(algorithm == "best" || bound.is_some(), "{place}");
                            *if bound.is_some() { &mut claims } else { &mut exact } += 1;
                        }
                        (None, _) => {}
                    }
                });
            }
        }
    }
    assert!(exact > 5 && claims > 5, "{exact} exact, {claims} claims");
}
