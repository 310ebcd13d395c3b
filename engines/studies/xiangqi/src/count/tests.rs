//! The count in four independent ways, and its parts against enumeration.

use super::by_squares::Free;
use super::half_boards::{Half, Tally, by_pieces, facing_by_pieces, join, sum};
use super::paper::{Formula, Paper};
use super::*;
use agon_games::Player;
use agon_games::xiangqi::{Board, Kind, Piece, Square, Squares};

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
fn the_count_square_by_square_agrees_from_a_description_alone() {
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

/// Both kings and one rook, by trying every square.
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

/// The kings and up to two more pieces, by trying every pair of squares.
#[test]
fn own_images_of_up_to_four_pieces_are_those_found_by_trying() {
    let kinds: Vec<(Player, Kind)> = Player::BOTH
        .into_iter()
        .flat_map(|side| Kind::ALL[1..].iter().map(move |&kind| (side, kind)))
        .collect();
    let (mut three, mut four) = (0u64, 0u64);
    for kings in symmetric_kings() {
        for (i, &a) in kinds.iter().enumerate() {
            for s in Squares(a.1.domain(a.0) & !kings) {
                three += u64::from(s.mirrored() == s);
                for &b in &kinds[i..] {
                    let others = b.1.domain(b.0) & !kings & !s.bit();
                    let found = Squares(others).filter(|&t| {
                        let ordered = a != b || s < t;
                        let fixed = s.mirrored() == s && t.mirrored() == t;
                        let swapped = a == b && s.mirrored() == t;
                        ordered && (fixed || swapped) && !crowded(a, s, b, t)
                    });
                    four += found.count() as u64;
                }
            }
        }
    }
    let counted = symmetry::own_images_by_pieces();
    assert_eq!(counted[2], Number::from(9));
    assert_eq!(counted[3], Number::from(three));
    assert_eq!(counted[4], Number::from(four));
    let all = sum(&by_pieces());
    assert!(((all + symmetry::own_images()) & Number::from(1)).is_zero());
}

fn symmetric_kings() -> Vec<u128> {
    let middle = |side| Squares(Kind::King.domain(side)).filter(|s| s.mirrored() == *s);
    let pairs =
        middle(Player::First).flat_map(|r| middle(Player::Second).map(move |b| r.bit() | b.bit()));
    pairs.collect()
}

/// Two pawns of one side on one file before the river.
fn crowded(a: (Player, Kind), s: Square, b: (Player, Kind), t: Square) -> bool {
    let home = agon_games::xiangqi::home_half(a.0);
    a == b
        && a.1 == Kind::Pawn
        && s.file() == t.file()
        && home & s.bit() != 0
        && home & t.bit() != 0
}

/// Published figures: `chesshub.com`, Facts about Chinese Chess, 8.73 x 10^39, which states that an
/// elephant and a pawn may share a point; and W. Entriken's bound of 2014, all digits.
#[test]
fn the_estimates_of_others_come_out_under_their_own_assumptions() {
    let sharing = Paper::count(Formula::Sharing).0.to_string();
    assert_eq!((&sharing[..3], sharing.len()), ("873", 40));
    let anywhere = "71415518081535297586850424458320988966669113375477110";
    assert_eq!(spaces::xiangqi_anywhere().count().to_string(), anywhere);
}

#[test]
fn the_rough_bound_is_the_paper_s() {
    let (factors, bound) = report::rough_bound();
    assert_eq!(factors, [333, 29, 3_723_822, 4096]);
    assert_eq!((bound * 100.0).floor(), 4278.0);
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
    let one = by_squares::Space {
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
