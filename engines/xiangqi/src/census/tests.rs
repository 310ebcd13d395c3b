//! The count by four independent ways, and its parts against enumeration.

use super::halves::{Half, Tally, by_pieces, facing_by_pieces, join, sum};
use super::machine::Free;
use super::paper::{Formula, Paper};
use super::*;
use agon_protocol::Player;
use agon_protocol::xiangqi::{Board, Kind, Piece, Square, Squares};

#[test]
fn the_printed_formula_gives_the_printed_total() {
    assert_eq!(Paper::count(Formula::Printed).0.to_string(), PRINTED_TOTAL);
}

#[test]
fn enumerating_half_a_board_decides_for_the_corrected_formula() {
    let counted = Tally::by_enumeration(Half::any());
    assert_eq!(counted, Tally::by_products(Half::any()));
    let joined = sum(&join(&counted, &counted, [0, 0]));
    assert_eq!(joined, Paper::count(Formula::Corrected).0);
    assert!(joined > Paper::count(Formula::Printed).0);
}

#[test]
fn two_elephants_on_pawn_points_and_a_pawn_have_eight_placements() {
    assert_eq!(Formula::Corrected.home_pawns(2, 1), 8);
    assert_eq!(Formula::Printed.home_pawns(2, 1), 7);
    assert_eq!((0..=5).map(|p| Formula::Corrected.home_pawns(0, p)).sum::<u64>(), 243);
}

#[test]
fn the_machine_agrees_from_a_description_alone() {
    assert_eq!(spaces::xiangqi().count(), Paper::count(Formula::Corrected).0);
}

#[test]
fn every_file_of_facing_kings_is_tallied_like_an_enumeration() {
    for (file, rank) in [(3, 0), (4, 0), (4, 1), (5, 2)] {
        let square = |rank| Square::new(file, rank).unwrap().bit();
        let closed = (rank + 1..5).fold(0, |set, r| set | square(r));
        let half = Half { king: square(rank), closed };
        assert_eq!(Tally::by_enumeration(half), Tally::by_products(half));
    }
}

/// Both kings and one rook of a side, by trying every square.
#[test]
fn facing_kings_with_three_pieces_are_those_found_by_trying() {
    let (mut all, mut facing) = (0u64, 0u64);
    let place = |square, side, kind| {
        let mut board = Board::default();
        board.put(square, Piece::new(side, kind));
        board
    };
    for red in Squares(Kind::King.domain(Player::First)) {
        for black in Squares(Kind::King.domain(Player::Second)) {
            for side in Player::BOTH {
                for kind in Kind::ALL.into_iter().filter(|k| *k != Kind::King) {
                    for s in Squares(kind.domain(side) & !(red.bit() | black.bit())) {
                        let mut board = place(s, side, kind);
                        board.put(red, Piece::new(Player::First, Kind::King));
                        board.put(black, Piece::new(Player::Second, Kind::King));
                        assert_eq!(board.check(), Ok(()));
                        all += 1;
                        facing += u64::from(board.kings_face());
                    }
                }
            }
        }
    }
    assert_eq!(by_pieces()[3], Number::from(all));
    assert_eq!(facing_by_pieces()[3], Number::from(facing));
}

/// Placements of few pieces that are their own mirror image, by trying.
#[test]
fn own_images_are_fewer_than_all_by_the_right_number_on_a_small_set() {
    // Kings and any pair of red rooks: on file e both kings, rooks both on file e or mirrored.
    let kings = 3 * 3;
    let empty_mid = 10 - 2;
    let rooks = 1 + empty_mid + empty_mid * (empty_mid - 1) / 2 + 40;
    let mut found = 0;
    for red in Squares(Kind::King.domain(Player::First)).filter(|s| s.mirrored() == *s) {
        for black in Squares(Kind::King.domain(Player::Second)).filter(|s| s.mirrored() == *s) {
            let free: Vec<Square> =
                (0..90).map(Square::from_index).filter(|s| *s != red && *s != black).collect();
            found += 1 + free.iter().filter(|s| s.mirrored() == **s).count();
            for (i, a) in free.iter().enumerate() {
                found += free[..i]
                    .iter()
                    .filter(|b| {
                        let pair = a.bit() | b.bit();
                        pair == a.mirrored().bit() | b.mirrored().bit()
                    })
                    .count();
            }
        }
    }
    assert_eq!(found, kings * rooks);
    // The same space with its symmetric part worked out by the module has an even remainder.
    let all = sum(&by_pieces());
    assert!(((all + symmetry::own_images()) & Number::from(1)).is_zero());
    assert!(symmetry::classes() > all >> 1);
}

#[test]
fn amazons_and_einstein_have_their_closed_formulas() {
    let power = Number::from(1) << 92;
    let amazons = Number::from(binomial(100, 4)) * Number::from(binomial(96, 4)) * power;
    assert_eq!(spaces::amazons().count(), amazons);
    let einstein: u128 = (0..=12u64)
        .map(|n| u128::from(binomial(12, n)) * (0..n).map(|i| u128::from(25 - i)).product::<u128>())
        .sum();
    assert_eq!(spaces::einstein().count(), Number::from(12 * einstein));
}

#[test]
fn face_down_pieces_look_alike() {
    // Two squares, one king that may lie face down: absent, up on two squares, down on two.
    let one = machine::Space {
        name: "test",
        note: "",
        squares: 2,
        confined: Vec::new(),
        free: vec![Free { name: "K".into(), least: 0, most: 1, face_down: true }],
        factor: 1,
    };
    assert_eq!(one.count(), Number::from(5));
    // A second kind: with both down on two squares there is one position, not two.
    let mut two = one.clone();
    two.free.push(Free { name: "G".into(), least: 1, most: 1, face_down: true });
    // G up (2) x K absent, up, down (1, 1, 1), and G down the same, less nothing: K down with G
    // down fills both squares alike.
    assert_eq!(two.count(), Number::from(2 * 3 + 2 * 2 + 1));
}
