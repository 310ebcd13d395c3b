//! Perft tables, conformance, and the errors for invalid input.

use super::*;
use crate::conformance;
use crate::game::legal_moves;
use crate::perft::perft;
use proptest::prelude::*;

fn game(fen: &str) -> Amazons {
    Amazons::parse_fen(fen, &NoRules).unwrap()
}

fn check_perft(fen: &str, leaves: &[u64]) {
    let mut game = game(fen);
    for (i, &expected) in leaves.iter().enumerate() {
        assert_eq!(perft(&mut game, i as u32 + 1), expected, "depth {} of {fen}", i + 1);
    }
}

#[test]
fn perft_from_the_start_is_known_to_depth_2() {
    check_perft(START_FEN, &[2_176, 4_307_152]);
}

/// `cargo test --release -p agon-games perft_3 -- --ignored`
#[test]
#[ignore = "8.35 thousand million leaves"]
fn perft_3_from_the_start_is_known() {
    let mut start = Amazons::start(&NoRules);
    assert_eq!(perft(&mut start, 3), 8_350_439_170);
}

#[test]
fn perft_of_an_early_middle_game_is_known() {
    let fen = "2q3q3/*5*1Q1/q*5Q1*/4*3q1/7*2/7*2/Q7*1/10/1*1*6/6Q3 w";
    check_perft(fen, &[1_234, 1_053_243]);
}

#[test]
fn perft_of_a_middle_game_is_known() {
    let fen = "1*2*4*/2*7/2*5*1/1q2*2*2/4*qQ**1/*2**2q2/4*1*1*1/*2q1Q1*1Q/**1*6/1*1*3Q2 w";
    check_perft(fen, &[403, 187_038, 73_507_810]);
}

#[test]
fn perft_of_an_endgame_is_known() {
    let fen = "1***1*2Q*/1*Q1q*4/*q**1*1*2/**1**3*1/1*1*1***2/*2*1*2*1/****2*2*/4*1**1q/\
               4*1**1q/Q2*1Q2*1 w";
    check_perft(fen, &[154, 9_902, 1_352_755]);
}

#[test]
fn the_start_position_is_the_olympiads() {
    let start = Amazons::start(&NoRules);
    assert_eq!(start.fen(), START_FEN);
    let squares = |set| Squares(set).map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(squares(start.white()), "d1 g1 a4 j4");
    assert_eq!(squares(start.black()), "a7 j7 d10 g10");
    assert_eq!(start.turn(), Turn::Player(Player::First));
}

#[test]
fn the_contracts_hold_on_the_full_board() {
    let start = Amazons::start(&NoRules);
    assert!(conformance::check(&start, 6, 100, &NoRules).unwrap() > 300);
}

#[test]
fn the_contracts_hold_on_small_boards() {
    for fen in [
        "q3/4/4/3Q w",
        "1q2/4/4/2Q1 b",
        "q2q/4/4/Q2Q w",
        "2q2/5/q3Q/5/2Q2 w",
        "q4q/6/6/6/6/Q4Q b",
        "1q1q2/*5/2**2/6/Q3Q1 w",
        "2q4/7/7/q5Q/7/7/4Q2 w",
        "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w",
        "3q5/9/q8/9/9/9/8Q/9/5Q3 w",
    ] {
        conformance::check(&game(fen), 12, 100, &NoRules).unwrap();
    }
}

/// Generates moves by stepping square by square over a list of letters, from the rules alone.
fn moves_by_stepping(game: &Amazons) -> Vec<AmazonsMove> {
    let at = |empty: u128, c: i32, r: i32| {
        (c >= 0 && r >= 0)
            .then(|| AmazonsSquare::new(c as usize, r as usize))
            .flatten()
            .filter(|s| empty & s.bit() != 0)
    };
    let slides = |empty: u128, from: AmazonsSquare| {
        let mut out = Vec::new();
        for (dc, dr) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut c, mut r) = (from.column() as i32 + dc, from.row() as i32 + dr);
            while let Some(s) = at(empty, c, r) {
                out.push(s);
                (c, r) = (c + dc, r + dr);
            }
        }
        out
    };
    let mut moves = Vec::new();
    for from in Squares(game.amazons(game.side_to_move())) {
        for to in slides(game.empty(), from) {
            let arrows = slides(game.empty() | from.bit(), to);
            moves.extend(arrows.into_iter().map(|arrow| AmazonsMove { from, to, arrow }));
        }
    }
    moves.sort_unstable();
    moves
}

fn random_position() -> impl Strategy<Value = Amazons> {
    (4usize..=10, 4usize..=10, 1usize..=4, 0usize..40, any::<u64>()).prop_map(
        |(columns, rows, amazons, arrows, seed)| {
            let amazons = if (columns, rows) == (10, 10) { 4 } else { amazons };
            let mut squares: Vec<AmazonsSquare> = Squares(board_mask(columns, rows)).collect();
            let mut rng = crate::rng::stream(seed, 0, "position");
            crate::rng::shuffle(&mut rng, &mut squares);
            let mut take = |n: usize| {
                let n = n.min(squares.len());
                squares.drain(..n).fold(0, |set, s| set | s.bit())
            };
            let sets = [take(amazons), take(amazons)];
            let side = Player::BOTH[(seed & 1) as usize];
            Amazons::from_parts(sets, take(arrows), columns, rows, side)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_position_survives_its_fen_and_has_the_moves_of_the_rules(game in random_position()) {
        prop_assert_eq!(&Amazons::parse_fen(&game.fen(), &NoRules).unwrap(), &game);
        let mut moves = legal_moves(&game);
        prop_assert_eq!(game.count_moves(), moves.len() as u64);
        prop_assert_eq!(game.turn() == Turn::Player(game.side_to_move()), !moves.is_empty());
        moves.sort_unstable();
        prop_assert_eq!(moves, moves_by_stepping(&game));
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[a-kQq*0-9/,() wbx-]{0,24}|.{0,12}") {
        let _ = Amazons::parse_fen(&text, &NoRules);
        let _ = Amazons::start(&NoRules).parse_move(&text);
    }
}

#[test]
fn trailing_fields_of_chess_programs_are_ignored() {
    assert_eq!(game(&format!("{START_FEN} - - 0 1")), game(START_FEN));
}

#[test]
fn a_bad_fen_is_refused_with_the_place_of_the_fault() {
    let rest = "10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";
    for (fen, fault) in [
        (String::new(), "it is empty"),
        (format!("3q2q3/{rest} extra"), "field 3 is `extra`, expected `-`"),
        (START_FEN.replace(" w", ""), "the side to move is missing"),
        (START_FEN.replace(" w", " x"), "side to move `x`, expected `w` or `b`"),
        (format!("3q2q2/{rest}"), "rank 9 has 10 squares, the ranks above have 9"),
        (format!("3q2q4/{rest}"), "rank 10: more than 10 squares"),
        (format!("3q2q12/{rest}"), "rank 10: `12` empty squares, expected 1 to 10"),
        (format!("3q2q0q3/{rest}"), "rank 10: `0`"),
        (format!("3q2k3/{rest}"), "rank 10: `k` on square 7, expected one of Qq*"),
        (format!("3q6/{rest}"), "4 white (`Q`) and 3 black (`q`) amazons, a 10x10 board has 4"),
        ("q2/3/2Q w".into(), "3 ranks, expected 4 to 10"),
        ("q2/3/3/2Q w".into(), "rank 4 has 3 squares, expected 4 to 10"),
        ("q3/4/4/4 w".into(), "0 white (`Q`) and 1 black (`q`) amazons, a board smaller"),
        ("4/4/4/4 w".into(), "the same number of each, 1 to 4"),
        ("qqqqq/5/5/5/QQQQQ w".into(), "the same number of each, 1 to 4"),
    ] {
        let error = Amazons::parse_fen(&fen, &NoRules).unwrap_err().to_string();
        assert!(error.contains(fault), "`{fen}`: {error}");
    }
}

#[test]
fn every_way_of_writing_a_move_is_read() {
    let start = Amazons::start(&NoRules);
    let m = start.parse_move("d1d7,d7g7").unwrap();
    for text in [
        "d1-d7/g7",
        "d1d7/g7",
        "d1-d7-g7",
        "d1d7g7",
        "d1-d7(g7)",
        "(d1,d7,g7)",
        "D1-D7/G7",
        "d1-d7,d7-g7",
        "d1 d7 g7",
        " d1d7,d7g7 ",
    ] {
        assert_eq!(start.parse_move(text).as_ref(), Ok(&m), "{text}");
    }
    assert_eq!(start.move_token(m), "d1d7,d7g7");
    assert_eq!(start.display_move(m), "d1-d7/g7");
    let black = game("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b");
    let m = black.parse_move("d10d9d10").unwrap();
    assert_eq!(black.move_token(m), "d10d9,d9d10");
}

#[test]
fn an_arrow_may_fly_over_the_square_just_left() {
    let start = Amazons::start(&NoRules);
    assert!(start.parse_move("d1-d2/d1").is_ok());
    assert!(start.parse_move("d1-c1/f1").is_ok());
    assert!(start.parse_move("d1-c1/g1").is_err());
}

#[test]
fn a_bad_move_is_refused_with_the_part_that_is_wrong() {
    let start = Amazons::start(&NoRules);
    for (text, fault) in [
        ("", "0 squares given; expected from, to and arrow squares"),
        ("d1d7", "2 squares given"),
        ("d1d7,d8g8", "the arrow must be shot from d7, where the amazon went, not from d8"),
        ("d1d7,d7g7g8", "5 squares given"),
        ("d1z7g7", "`z7g` is not a square"),
        ("d1d11g7", "is not a square"),
        ("d0d7g7", "is not a square"),
        ("e1-e7/g7", "White to move has no amazon on e1, which is empty"),
        ("a7-a6/a5", "White to move has no amazon on a7, where a black amazon stands"),
        ("d1-e3/e4", "no queen line leads the amazon from d1 to e3"),
        ("d1-d1/e1", "no queen line leads the amazon from d1 to d1"),
        ("d1-h1/h2", "the amazon's path d1-h1 is blocked at g1, where a white amazon stands"),
        ("d1-d10/d2", "the amazon's path d1-d10 is blocked at d10, where a black amazon"),
        ("d1-d7/g8", "no queen line leads the arrow from d7 to g8"),
        ("d1-d7/j7", "the arrow's path d7-j7 is blocked at j7, where a black amazon stands"),
    ] {
        let error = start.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(fault), "`{text}`: {error}");
    }
    let small = game("q*2/4/4/3Q w");
    let error = small.parse_move("d1-d4/g7").unwrap_err().to_string();
    assert!(error.contains("g7 is not on this 4x4 board"), "{error}");
    let error = small.parse_move("d1-d4/b4").unwrap_err().to_string();
    assert!(error.contains("is blocked at b4, where an arrow stands"), "{error}");
    let over = game("q*2/**2/4/3Q b");
    let error = over.parse_move("a4-a3/a4").unwrap_err().to_string();
    assert!(error.contains("the game is over"), "{error}");
}

#[test]
fn who_cannot_move_has_lost() {
    assert_eq!(game("q*2/**2/4/3Q b").turn(), Turn::Over(Outcome::Win(Player::First)));
    assert_eq!(game("q*2/**2/4/3Q w").turn(), Turn::Player(Player::First));
}

#[test]
fn moves_of_foreign_values_are_refused_without_a_panic() {
    let start = Amazons::start(&NoRules);
    for bit in [109, 110, 127, 128, 255] {
        let far = AmazonsSquare::from_bit(bit);
        assert!(!start.is_legal(AmazonsMove { from: far, to: far, arrow: far }));
        let from = AmazonsSquare::from_bit(3);
        assert!(!start.is_legal(AmazonsMove { from, to: far, arrow: from }));
        assert!(!start.is_legal(AmazonsMove { from, to: AmazonsSquare::from_bit(14), arrow: far }));
    }
    assert!(!start.is_legal(AmazonsMove::NONE));
}

#[test]
fn the_diagram_shows_coordinates_and_the_side_to_move() {
    let text = game("q*2/4/4/3Q w").diagram();
    assert_eq!(
        text,
        "4  q * . .\n3  . . . .\n2  . . . .\n1  . . . Q\n   a b c d\nWhite (Q) to move\n"
    );
}

/// Whether the side to move wins, by exhaustive search.
fn wins(game: &Amazons) -> bool {
    legal_moves(game).into_iter().any(|m| {
        let mut next = game.clone();
        next.play(m);
        !wins(&next)
    })
}

#[test]
fn counted_territories_have_the_result_that_trying_everything_has() {
    use crate::rng;
    let mut counted = [0, 0];
    for seed in 0..600 {
        let mut random = rng::stream(seed, 0, "territory");
        let fen = ["q3/4/4/3Q w", "q4/5/5/4Q w", "qq3/5/5/3QQ w"][seed as usize % 3];
        let mut game = game(fen);
        while let Turn::Player(mover) = game.turn() {
            let moves = legal_moves(&game);
            let few = game.empty().count_ones() <= 9;
            if let (Some(outcome), true) = (game.certain_outcome(), few) {
                let expected = if wins(&game) { mover } else { mover.opponent() };
                assert_eq!(outcome, Outcome::Win(expected), "{}", game.fen());
                counted[mover.index()] += 1;
            }
            game.play(moves[rng::below(&mut random, moves.len() as u64) as usize]);
        }
    }
    assert!(counted.iter().all(|&n| n > 100), "{counted:?}");
}

#[test]
fn territories_that_may_still_meet_are_not_counted() {
    assert_eq!(game(START_FEN).certain_outcome(), None);
    // Only an amazon separates the two sides: when it leaves, the other side can pass through.
    assert_eq!(game("q3/****/****/3Q w").certain_outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(game("q3/*Q**/4/4 w").certain_outcome(), None);
}
