//! Cycles with published rulings, and what must not change a ruling: colours, left and right, the
//! move at which the cycle is entered.

use crate::game::{Game, Outcome, Player};
use crate::xiangqi::{Repetition, Xiangqi, XiangqiRules, cycle_outcome};

const RULINGS: &str = include_str!("rulings.txt");

/// Source, position, cycle and ruling of each line.
fn rulings() -> Vec<(&'static str, &'static str, Vec<&'static str>, Outcome)> {
    let lines = RULINGS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(" | ").collect();
            let &[source, fen, cycle, ruling] = &fields[..] else { panic!("fields of {line}") };
            let ruling = match ruling {
                "draw" => Outcome::Draw,
                "red" => Outcome::Win(Player::First),
                "black" => Outcome::Win(Player::Second),
                _ => panic!("ruling of {line}"),
            };
            (source, fen, cycle.split(' ').collect(), ruling)
        })
        .collect()
}

/// The outcome of a cycle by Asian rules; its moves are legal and lead back to its start.
fn outcome<S: AsRef<str>>(fen: &str, cycle: &[S]) -> Outcome {
    let start = Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap();
    let mut game = start.clone();
    let moves: Vec<_> = cycle
        .iter()
        .map(|text| {
            let m = game.parse_move(text.as_ref()).unwrap();
            game.play(m);
            m
        })
        .collect();
    assert_eq!((game.board(), game.side_to_move()), (start.board(), start.side_to_move()), "{fen}");
    cycle_outcome(start.board(), start.side_to_move(), &moves, Repetition::Asian)
}

#[test]
fn published_rulings_are_ours() {
    let rulings = rulings();
    assert_eq!(rulings.len(), 153);
    let differing: Vec<_> = rulings
        .iter()
        .map(|(source, fen, cycle, ruling)| (source, fen, outcome(fen, cycle), ruling))
        .filter(|(_, _, ours, ruling)| ours != *ruling)
        .collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn a_ruling_does_not_depend_on_where_the_cycle_is_entered() {
    for (source, fen, mut cycle, ruling) in rulings() {
        let mut game = Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap();
        for _ in 1..cycle.len() {
            game.play(game.parse_move(cycle[0]).unwrap());
            cycle.rotate_left(1);
            assert_eq!(outcome(&game.fen(), &cycle), ruling, "{source}: {fen}");
        }
    }
}

#[test]
fn a_ruling_does_not_depend_on_left_and_right_or_on_colours() {
    for (source, fen, cycle, ruling) in rulings() {
        let (placement, side) = fen.split_once(' ').unwrap();
        let ranks: Vec<String> = placement.split('/').map(|r| r.chars().rev().collect()).collect();
        let mirrored = format!("{} {side}", ranks.join("/"));
        let moves: Vec<String> =
            cycle.iter().map(|m| turned(m, |f| b'a' + b'i' - f, |r| r)).collect();
        assert_eq!(outcome(&mirrored, &moves), ruling, "{source}: {fen}");

        let ranks: Vec<&str> = placement.rsplit('/').collect();
        let swapped: String = ranks.join("/").chars().map(swap_case).collect();
        let swapped = format!("{swapped} {}", if side == "w" { "b" } else { "w" });
        let moves: Vec<String> =
            cycle.iter().map(|m| turned(m, |f| f, |r| b'0' + b'9' - r)).collect();
        let theirs = match ruling {
            Outcome::Win(player) => Outcome::Win(player.opponent()),
            Outcome::Draw => Outcome::Draw,
        };
        assert_eq!(outcome(&swapped, &moves), theirs, "{source}: {fen}");
    }
}

/// A move with other files and ranks.
fn turned(m: &str, file: impl Fn(u8) -> u8, rank: impl Fn(u8) -> u8) -> String {
    let turn = |c: u8| if c.is_ascii_digit() { rank(c) } else { file(c) };
    m.bytes().map(|c| char::from(turn(c))).collect()
}

fn swap_case(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

const DRAW: Outcome = Outcome::Draw;
const BLACK: Outcome = Outcome::Win(Player::Second);

#[test]
fn a_pinned_piece_offers_no_exchange() {
    // Cannons attack each other over a pawn; the black one may leave its file or not.
    let cycle = ["a5a6", "e6e5", "a6a5", "e5e6"];
    let cannons = "4k4/9/9/2P1c4/C1P6/9/9/9/9";
    assert_eq!(outcome(&format!("{cannons}/3K5 w"), &cycle), DRAW);
    assert_eq!(outcome(&format!("{cannons}/3KR4 w"), &cycle), BLACK, "pinned by a rook");
    assert_eq!(outcome(&format!("{cannons}/4K4 w"), &cycle), BLACK, "pinned by the king");
    // A cannon pins if a second piece stands on the file.
    assert_eq!(outcome("4k4/4a4/9/2P1c4/C1P6/9/9/9/9/3KC4 w", &cycle), BLACK, "pinned by a cannon");
    // A horse pins the rook on its leg (AXF 39); without the horse the rooks offer an exchange.
    let cycle = ["e8f9", "b8b9", "f9e8", "b9b8"];
    let rooks = |horse| format!("2bak4/RC2ar{horse}2/4b4/9/9/9/9/4B4/4A4/4KAB2 b");
    assert_eq!(outcome(&rooks("N"), &cycle), BLACK, "pinned by a horse");
    assert_eq!(outcome(&rooks("1"), &cycle), DRAW);
}

#[test]
fn only_a_protection_by_others_can_be_taken_away() {
    // The rook d1 has attacked the horse all the time; the pawn takes away its protection by the
    // cannon b4, first as a screen and then as none (AXF 105).
    let chase = "2ca1k3/4a4/b3b4/2P5P/6p2/1c7/9/B7N/2nR5/2BAK4 w";
    assert_eq!(outcome(chase, &["c6b6", "e7c5", "b6c6", "c5e7"]), BLACK);
    // The rook c2 has attacked the cannon b2 all the time. The cannon h2 protects that only
    // through the rook, which it attacks, and the horse does no more than take the attack off.
    let shield = "3akab2/9/4b4/9/9/9/9/1Cr1B1nC1/9/4K1B2 w";
    assert_eq!(outcome(shield, &["e2g4", "g2h4", "g4e2", "h4g2"]), BLACK);
}

#[test]
fn a_check_that_attacks_a_piece_anew_is_part_of_a_chase() {
    // Rook and cannon check on one move; the rook attacks the red cannon on both.
    let cycle = ["d1d3", "b1b3", "d3d1", "b3b1"];
    let red = Outcome::Win(Player::First);
    assert_eq!(outcome("3k5/9/9/9/9/9/9/9/cr1CAK3/9 w", &cycle), red);
    // A horse protects the cannon on one of its squares.
    assert_eq!(outcome("3k5/9/9/9/2N6/9/9/9/cr1CAK3/9 w", &cycle), DRAW);
}
