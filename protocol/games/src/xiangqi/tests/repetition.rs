//! Tests of the three repetition rules on cycles with a known result.

use crate::game::{Game, Outcome, Player, Turn};
use crate::record::Record;
use crate::xiangqi::{Repetition, Xiangqi, XiangqiRules};

/// Plays the cycle until the third occurrence of the start position and adjudicates it by each
/// rule: draw, check, asian.
fn judged(fen: &str, cycle: &str) -> [Outcome; 3] {
    [Repetition::Draw, Repetition::Check, Repetition::Asian].map(|repetition| {
        let rules = XiangqiRules { repetition, ..XiangqiRules::default() };
        let mut record = Record::new(Xiangqi::parse_fen(fen, &rules).unwrap());
        let moves: Vec<&str> = cycle.split(' ').collect();
        for (i, text) in moves.iter().cycle().take(2 * moves.len()).enumerate() {
            assert_eq!(record.turn().outcome(), None, "before move {i} of {cycle}");
            record.push_text(text).unwrap();
        }
        match record.turn() {
            Turn::Over(outcome) => outcome,
            turn => panic!("after the third occurrence it is {turn:?}"),
        }
    })
}

const DRAW: Outcome = Outcome::Draw;
const RED: Outcome = Outcome::Win(Player::First);
const BLACK: Outcome = Outcome::Win(Player::Second);

#[test]
fn perpetual_check_loses_except_under_the_plain_rule() {
    let rook = judged("3k5/R8/9/9/9/9/9/9/9/4K4 w", "a8a9 d9d8 a9a8 d8d9");
    assert_eq!(rook, [DRAW, BLACK, BLACK]);
    let black = judged("4k4/9/9/9/9/9/9/9/r8/3K5 b", "a1a0 d0d1 a0a1 d1d0");
    assert_eq!(black, [DRAW, RED, RED]);
}

#[test]
fn perpetual_chase_of_an_unprotected_piece_loses_under_asian_rules_only() {
    let cannon = judged("4k4/9/9/9/c8/1R7/9/9/9/3K5 w", "b4a4 a5b5 a4b4 b5a5");
    assert_eq!(cannon, [DRAW, DRAW, BLACK]);
}

#[test]
fn chasing_a_protected_piece_is_allowed() {
    let guarded = judged("4k4/9/9/9/c7r/1R7/9/9/9/3K5 w", "b4a4 a5b5 a4b4 b5a5");
    assert_eq!(guarded, [DRAW, DRAW, DRAW]);
}

#[test]
fn a_rook_is_chased_by_a_cannon_even_if_it_is_protected() {
    // The cannon attacks the rook over a pawn on either file; the other rook guards both squares.
    let fen = "4k4/r7r/9/9/P1P6/9/9/9/9/2CK5 w";
    let chase = judged(fen, "c0a0 a8c8 a0c0 c8a8");
    assert_eq!(chase, [DRAW, DRAW, BLACK]);
}

#[test]
fn pawns_and_kings_may_chase() {
    let pawn = judged("4k4/9/9/c8/1P7/9/9/9/9/3K5 w", "b5a5 a6b6 a5b5 b6a6");
    assert_eq!(pawn, [DRAW, DRAW, DRAW]);
    let king = judged("4k4/9/9/9/9/9/9/2n6/3K5/9 w", "d1d2 c2b4 d2d1 b4c2");
    assert_eq!(king, [DRAW, DRAW, DRAW]);
}

#[test]
fn offering_an_exchange_is_no_chase() {
    let rooks = judged("4k4/9/9/9/r8/1R7/9/9/9/3K5 w", "b4a4 a5b5 a4b4 b5a5");
    assert_eq!(rooks, [DRAW, DRAW, DRAW]);
}

#[test]
fn chasing_two_pieces_in_turn_is_allowed() {
    let turns = judged("4k4/9/9/9/n7c/9/8R/9/9/3K5 w", "i3a3 e9f9 a3i3 f9e9");
    assert_eq!(turns[2], DRAW);
}

#[test]
fn a_standing_attack_is_no_chase() {
    // The rook has attacked the cannon all the time; only the kings move.
    let kings = judged("4k4/9/9/9/c8/R8/9/9/9/3K5 w", "d0d1 e9e8 d1d0 e8e9");
    assert_eq!(kings, [DRAW, DRAW, DRAW]);
}

#[test]
fn a_checker_loses_to_a_chaser() {
    // Each step of the black king out of check uncovers a cannon's attack on the rook.
    let both = judged("3k1a2c/R3a3c/9/9/9/9/9/9/9/4K4 w", "a8a9 d9d8 a9a8 d8d9");
    assert_eq!(both, [DRAW, BLACK, BLACK]);
}

#[test]
fn the_number_of_occurrences_is_a_rule_and_captures_start_anew() {
    for occurrences in 2..6u8 {
        let rules = XiangqiRules { occurrences, ..XiangqiRules::default() };
        let mut record = Record::new(Xiangqi::start(&rules));
        // The cannons first capture a horse each: positions from before cannot recur.
        let mut plies = 0;
        for text in ["b2b9", "h7h0", "a0a1", "a9a8"]
            .into_iter()
            .chain(["a1a0", "a8a9", "a0a1", "a9a8"].into_iter().cycle().take(40))
        {
            if record.turn().outcome().is_some() {
                break;
            }
            record.push_text(text).unwrap();
            plies += 1;
        }
        assert_eq!(record.turn(), Turn::Over(DRAW));
        // After the captures, the position recurs every four plies.
        assert_eq!(plies, 2 + 4 * (usize::from(occurrences) - 1), "{occurrences}");
    }
}
