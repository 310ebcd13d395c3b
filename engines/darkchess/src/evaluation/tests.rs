//! Properties of the evaluation that must hold for any network.

use super::features::HIDDEN;
use super::*;
use agon_games::darkchess::DarkRules;
use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_games::rng;

/// Positions of random games.
fn positions() -> Vec<DarkChess> {
    let mut all = Vec::new();
    for index in 0..20 {
        let mut rng = rng::stream(8, index, "evaluation");
        let mut game = DarkChess::start(&DarkRules::default());
        loop {
            let moves = match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => chance_outcomes(&game).iter().map(|outcome| outcome.0).collect(),
                Turn::Player(_) => {
                    all.push(game);
                    legal_moves(&game)
                }
            };
            game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }
    all
}

/// The value of a position that was not reached by way of others.
fn value(game: &DarkChess) -> i32 {
    DarkChessNetworkEvaluator::new(built_in()).evaluate(game)
}

#[test]
fn the_value_does_not_depend_on_what_was_evaluated_before() {
    let mut evaluator = DarkChessNetworkEvaluator::new(built_in());
    for game in positions() {
        assert_eq!(evaluator.evaluate(&game), value(&game), "{}", game.fen());
    }
}

#[test]
fn exchanged_colours_have_the_same_value() {
    for game in positions() {
        let swap = |text: &str| -> String {
            let other = |c: char| match c {
                'A'..='Z' => c.to_ascii_lowercase(),
                _ => c.to_ascii_uppercase(),
            };
            text.chars().map(other).collect()
        };
        let fen = game.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let [board, mover, first, hidden, captured, quiet] = fields[..] else { panic!("{fen}") };
        if first == "-" {
            continue;
        }
        let exchange = |colour: &str| if colour == "r" { "b" } else { "r" };
        let (mover, first) = (exchange(mover), exchange(first));
        let (board, hidden, captured) = (swap(board), swap(hidden), swap(captured));
        let other = format!("{board} {mover} {first} {hidden} {captured} {quiet}");
        let other = DarkChess::parse_fen(&other, &DarkRules::default()).unwrap();
        assert_eq!(value(&game), value(&other), "{fen}");
    }
}

#[test]
fn an_expected_outcome_grows_with_the_advantage_and_stays_within_the_limit() {
    let values: Vec<i32> = (-3000..=3000).map(expected).collect();
    assert!(values.is_sorted());
    assert_eq!(expected(0), 0);
    assert!(values.iter().all(|value| value.abs() < STATIC_LIMIT));
    assert!(expected(2000) > STATIC_LIMIT / 100 * 99);
}

#[test]
fn a_file_that_is_no_network_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.network");
    let bytes = include_bytes!("darkchess.network");
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let error = file::open::<HIDDEN>(&file, &SHAPE).unwrap_err();
    assert!(error.contains("some.network") && error.contains("damaged"), "{error}");
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(file::open(&file, &SHAPE).unwrap(), *built_in());
}
