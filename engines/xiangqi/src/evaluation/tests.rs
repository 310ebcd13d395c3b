//! Properties of the evaluation that must hold for any network.

use super::*;
use crate::position::Move;
use agon_games::game::{Turn, legal_moves};
use agon_games::xiangqi::{SQUARES, Square, Xiangqi, XiangqiRules};
use agon_games::{Game, rng};

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
    let red = (game.side_to_move() == agon_games::Player::First) != exchange;
    let fen = format!("{} {} - - 0 1", text.join("/"), if red { 'w' } else { 'b' });
    Xiangqi::parse_fen(&fen, game.rules()).unwrap()
}

/// The value of a position without a line that led to it.
fn value(game: &Xiangqi) -> i32 {
    XiangqiNetworkEvaluator::new(built_in()).evaluate(&Position::from_game(game))
}

#[test]
fn a_position_turned_round_with_colours_exchanged_has_the_same_value() {
    for game in positions() {
        let turned = changed(&game, |s| SQUARES - 1 - s, true);
        let mirrored = changed(&turned, |s| s / 9 * 9 + 8 - s % 9, false);
        assert_eq!(value(&game), value(&mirrored), "{}", game.fen());
    }
}

#[test]
fn a_mirrored_position_has_the_same_value_unless_a_king_is_on_the_middle_file() {
    let mut compared = 0;
    for game in positions() {
        let position = Position::from_game(&game);
        if (0..2).all(|side| position.king(side) % 9 != 4) {
            let mirrored = changed(&game, |s| s / 9 * 9 + 8 - s % 9, false);
            assert_eq!(value(&game), value(&mirrored), "{}", game.fen());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn updating_along_a_line_gives_what_computing_anew_gives() {
    let mut evaluator = XiangqiNetworkEvaluator::new(built_in());
    let mut rng = rng::stream(9, 0, "accumulators");
    for _ in 0..20 {
        let mut position = Position::from_game(&Xiangqi::start(&XiangqiRules::default()));
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Back and forth, with null moves, and with positions that are not evaluated.
            match rng::below(&mut rng, 8) {
                0..2 if !position.past().is_empty() && position.last() != Move::NONE => {
                    position.undo()
                }
                2 if !position.in_check() && position.last() != Move::NONE => {
                    position.play_null_move()
                }
                _ => position.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]),
            }
            if rng::below(&mut rng, 2) == 0 {
                let anew = XiangqiNetworkEvaluator::new(built_in()).evaluate(&position);
                assert_eq!(evaluator.evaluate(&position), anew);
            }
        }
    }
}

#[test]
fn who_has_no_piece_that_crosses_the_river_is_not_ahead() {
    let fen = "3k5/4a4/4b4/9/9/9/9/9/4K4/9 b";
    let game = Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap();
    assert_eq!(value(&game), 0);
}

#[test]
fn a_rook_more_is_worth_at_least_six_pawns() {
    let value = |fen: &str| value(&Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap());
    let up = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    assert!(value(up) > 600);
    assert!(value(&up.replace('w', "b")) < -600);
}
