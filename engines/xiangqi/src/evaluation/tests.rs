//! Properties of the evaluation that must hold for any weights.

use super::psqt::pair;
use super::*;
use agon_protocol::game::{Turn, legal_moves};
use agon_protocol::xiangqi::{SQUARES, Square, Xiangqi, XiangqiRules};
use agon_protocol::{Game, rng};

/// Positions of random games.
fn positions() -> Vec<Xiangqi> {
    let mut all = Vec::new();
    for index in 0..20 {
        let mut rng = rng::stream(8, index, "evaluation");
        let mut game = Xiangqi::start(&XiangqiRules::default());
        while let Turn::Player(_) = game.turn() {
            all.push(game.clone());
            let moves = legal_moves(&game);
            game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }
    all
}

/// The FEN's placement with every piece's square and side replaced.
fn changed(game: &Xiangqi, square: impl Fn(usize) -> usize, exchange: bool) -> Xiangqi {
    let mut rows = vec![vec!['.'; 9]; 10];
    for s in 0..SQUARES {
        let letter = game.board().piece_at(Square::from_index(s)).letter();
        let to = square(s);
        let other = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        rows[9 - to / 9][to % 9] = if exchange { other } else { letter };
    }
    let text: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(|&c| if c == '.' { '1' } else { c }).collect())
        .collect();
    let red = (game.side_to_move() == agon_protocol::Player::First) != exchange;
    let fen = format!("{} {} - - 0 1", text.join("/"), if red { 'w' } else { 'b' });
    Xiangqi::parse_fen(&fen, game.rules()).unwrap()
}

#[test]
fn a_position_turned_round_with_colours_exchanged_has_the_same_value() {
    for game in positions() {
        let turned = changed(&game, |s| SQUARES - 1 - s, true);
        let value = evaluate(&Position::from_game(&game));
        assert_eq!(value, evaluate(&Position::from_game(&turned)), "{}", game.fen());
    }
}

#[test]
fn playing_adds_up_the_terms_that_fitting_counts() {
    for game in positions() {
        let position = Position::from_game(&game);
        let mut sum = position.psqt();
        terms(&position, &mut |index, count| sum += PAIRS[index] * count);
        let fast = sum::side(&position, 0) - sum::side(&position, 1);
        assert_eq!(position.psqt() + fast, sum, "{}", game.fen());
    }
}

#[test]
fn a_mirrored_position_has_the_same_value() {
    for game in positions() {
        let mirrored = changed(&game, |s| s / 9 * 9 + 8 - s % 9, false);
        let value = evaluate(&Position::from_game(&game));
        assert_eq!(value, evaluate(&Position::from_game(&mirrored)), "{}", game.fen());
    }
}

#[test]
fn a_null_move_changes_the_value_as_predicted() {
    let mut null_moves = 0;
    for game in positions() {
        let mut position = Position::from_game(&game);
        if position.in_check() {
            continue;
        }
        let before = evaluate(&position);
        position.play_null_move();
        let predicted = after_null_move(&position, before);
        assert_eq!(predicted, Some(evaluate(&position)), "{}", game.fen());
        assert_eq!(after_null_move(&position, EVAL_LIMIT), None);
        null_moves += 1;
    }
    assert!(null_moves > 1000, "{null_moves}");
}

/// The fit and the search use the same terms.
#[test]
fn the_value_is_the_weighted_sum_of_the_counted_terms() {
    for game in positions() {
        let position = Position::from_game(&game);
        let (mut middle, mut end) = (0, 0);
        every_term(&position, &mut |index, count| {
            let w = WEIGHTS[index];
            let tempo = index == Group::Tempo.first();
            middle += if tempo { 0 } else { i32::from(w.0) * count };
            end += if tempo { 0 } else { i32::from(w.1) * count };
        });
        let phase = position.phase();
        let mixed = (middle * phase + end * (PHASES - phase)) / PHASES;
        let scaled = mixed * scale(&position, usize::from(mixed < 0)) / 16;
        let tempo = WEIGHTS[Group::Tempo.first()];
        let tempo = (i32::from(tempo.0) * phase + i32::from(tempo.1) * (PHASES - phase)) / PHASES;
        let sign = if position.side() == 0 { 1 } else { -1 };
        assert_eq!(evaluate(&position), sign * scaled + tempo, "{}", game.fen());
    }
}

#[test]
fn pairs_add_and_multiply_half_by_half() {
    let a = pair(-300, 25) + 3 * pair(70, -40) - pair(5, 5);
    assert_eq!((middle(a), end(a)), (-95, -100));
}

#[test]
fn the_groups_fill_the_weights_without_gaps() {
    let mut next = 0;
    for group in Group::all() {
        assert_eq!(group.first(), next, "{group:?}");
        next += group.size();
    }
    assert_eq!(next, TERMS);
}

#[test]
fn a_rook_more_is_worth_at_least_six_pawns() {
    let value = |fen| {
        let game = Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap();
        evaluate(&Position::from_game(&game))
    };
    let up = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    assert!(value(up) > 600);
    assert!(value(up.replace('w', "b").as_str()) < -600);
}
