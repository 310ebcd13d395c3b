//! Perft tables, conformance, and the errors for invalid input.

mod repetition;
mod rulings;
mod text;

use super::*;
use crate::conformance;
use crate::perft::perft;

fn game(fen: &str) -> Xiangqi {
    Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap()
}

fn check_perft(fen: &str, leaves: &[u64]) {
    let mut game = game(fen);
    for (i, &expected) in leaves.iter().enumerate() {
        assert_eq!(perft(&mut game, i as u32 + 1), expected, "depth {} of {fen}", i + 1);
    }
}

#[test]
fn perft_from_the_start_is_known_to_depth_4() {
    check_perft(START_FEN, &[44, 1_920, 79_666, 3_290_240]);
}

/// `cargo test --release -p agon-games xiangqi::tests::deep -- --ignored`
#[test]
#[ignore = "5.5 thousand million leaves"]
fn deep_perft_from_the_start_is_known_to_depth_6() {
    let mut start = Xiangqi::start(&XiangqiRules::default());
    assert_eq!(perft(&mut start, 5), 133_312_995);
    assert_eq!(perft(&mut start, 6), 5_392_831_844);
}

#[test]
fn perft_of_middle_games_is_known() {
    check_perft(
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
        &[38, 1_128, 43_929, 1_339_047],
    );
    check_perft(
        "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
        &[7, 281, 8_620, 326_201],
    );
}

#[test]
fn perft_of_endgames_is_known() {
    check_perft(
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w",
        &[25, 424, 9_850, 202_884, 4_739_553],
    );
    check_perft("C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w", &[28, 222, 6_241, 64_971, 1_914_306]);
}

#[test]
fn the_start_position_is_read_from_its_text() {
    let start = Xiangqi::start(&XiangqiRules::default());
    assert_eq!(start.fen(), START_FEN);
    assert_eq!(start.board().occupied().count_ones(), 32);
    assert_eq!(start.turn(), Turn::Player(Player::First));
}

#[test]
fn a_side_without_a_move_has_lost_in_check_or_not() {
    let over = |fen| game(fen).turn();
    let red_lost = Turn::Over(Outcome::Win(Player::Second));
    // The rook on the file and the adjacent pawn leave no move; no check.
    assert!(!game("3k5/9/9/9/9/9/9/9/3p5/5K3 w").in_check());
    assert_eq!(over("9/3k5/9/9/9/9/9/9/3p1r3/4K4 w"), red_lost);
    assert_eq!(over("3k5/9/9/9/9/9/9/9/4p4/4RK3 w"), Turn::Player(Player::First));
    // Checkmate by two rooks.
    assert_eq!(over("3k5/9/9/9/9/9/9/9/r8/r3K4 w"), red_lost);
}

#[test]
fn a_game_without_captures_is_drawn_unless_it_was_mate() {
    let rules = XiangqiRules { draw_plies: 10, ..XiangqiRules::default() };
    let drawn = |fen| Xiangqi::parse_fen(fen, &rules).unwrap();
    let over = drawn("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 10 60");
    assert_eq!(over.turn(), Turn::Over(Outcome::Draw));
    assert_eq!((crate::game::legal_moves(&over).len(), over.count_moves()), (0, 0));
    let more = drawn("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 9 60");
    assert_eq!(more.turn(), Turn::Player(Player::Second));
    let mate = drawn("3k5/9/9/9/9/9/9/9/r8/r3K4 w - - 10 60");
    assert_eq!(mate.turn(), Turn::Over(Outcome::Win(Player::Second)));
    let for_ever = XiangqiRules { draw_plies: 0, ..rules };
    let on = Xiangqi::parse_fen("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 500 300", &for_ever).unwrap();
    assert_eq!(on.turn(), Turn::Player(Player::Second));
}

/// Counting by sets and visiting use different code; testing every pair of squares is a third way.
#[test]
fn legal_moves_are_those_that_leave_the_king_safe_when_tried() {
    let mut rng = crate::rng::stream(6, 0, "xiangqi legality");
    let rules = XiangqiRules { repetition: Repetition::Draw, ..XiangqiRules::default() };
    for _ in 0..10 {
        let mut state = Xiangqi::start(&rules);
        while let Turn::Player(us) = state.turn() {
            let moves = crate::game::legal_moves(&state);
            let mut tried = Vec::new();
            for from in Squares(state.board().side(us)) {
                for to in Squares(BOARD & !state.board().side(us)) {
                    let m = XiangqiMove { from, to };
                    let kind = state.board().piece_at(from).kind().unwrap();
                    let mut after = state.board().clone();
                    if after.destinations(us, kind, from.index()) & to.bit() != 0 {
                        after.make_move(m);
                        if !after.in_check(us) && !after.kings_face() {
                            tried.push(m);
                        }
                    }
                }
            }
            let mut sorted = moves.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, tried, "{}", state.fen());
            state.play(moves[crate::rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }
}

#[test]
fn the_contracts_hold_in_random_games() {
    let rules = XiangqiRules::default();
    let start = Xiangqi::start(&rules);
    assert!(conformance::check(&start, 40, 300, &rules).unwrap() > 4000);
}

/// Pieces of both sides on random squares where they may stand, edges and corners included.
fn random_board(rng: &mut crate::rng::Stream) -> Board {
    let mut board = Board::default();
    for side in Player::BOTH {
        for kind in Kind::ALL {
            let most = u64::from(kind.initial_count());
            let count = if kind == Kind::King { 1 } else { crate::rng::below(rng, most + 1) };
            for _ in 0..count {
                let squares: Vec<_> = Squares(kind.domain(side) & !board.occupied()).collect();
                if let Some(n) = (squares.len() as u64).checked_sub(1) {
                    let square = squares[crate::rng::below(rng, n + 1) as usize];
                    board.put(square, Piece::new(side, kind));
                }
            }
        }
    }
    board
}

#[test]
fn origins_and_targets_are_those_of_the_legal_moves_on_random_boards() {
    let mut rng = crate::rng::stream(7, 0, "xiangqi origins");
    for _ in 0..20_000 {
        let board = random_board(&mut rng);
        for us in Player::BOTH {
            let mut expected = [0; SQUARES];
            let _ = movegen::visit::<()>(&board, us, &mut |m| {
                expected[m.from.index()] |= m.to.bit();
                ControlFlow::Continue(())
            });
            let mut origins = 0;
            for from in Squares(board.side(us)) {
                assert_eq!(movegen::targets(&board, us, from), expected[from.index()], "{from}");
                origins |= if expected[from.index()] == 0 { 0 } else { from.bit() };
            }
            let place = print_placement(&board);
            assert_eq!(movegen::origins(&board, us), origins, "{us:?} in {place}");
            assert_eq!(movegen::can_move(&board, us), origins != 0, "{us:?} in {place}");
        }
    }
}
