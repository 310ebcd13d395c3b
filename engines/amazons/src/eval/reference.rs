//! A slow reference implementation of the terms: mailbox breadth-first searches and floating point,
//! written from Lieberum's definitions alone, with tests that the fast terms agree.

use super::terms::{ONE, Terms, reachable};
use agon_games::amazons::{Amazons, AmazonsSquare, Squares};
use agon_games::game::{Game, Player, legal_moves};
use agon_games::option::NoRules;
use agon_games::rng;

const FAR: usize = 1000;

/// A 12x12 board with a border; `None` is unreachable.
type Distances = Vec<Option<usize>>;

fn cell(square: AmazonsSquare) -> usize {
    (square.row() + 1) * 12 + square.column() + 1
}

fn empties(game: &Amazons) -> Vec<usize> {
    Squares(game.empty()).map(cell).collect()
}

const DIRECTIONS: [isize; 8] = [1, 11, 12, 13, -1, -11, -12, -13];

/// Distances from a set of amazons; a queen slides up to 10 squares, a king 1.
fn distances(game: &Amazons, from: u128, slide: usize) -> Distances {
    let mut free = [false; 144];
    for c in empties(game) {
        free[c] = true;
    }
    let mut found = vec![None; 144];
    let mut frontier: Vec<usize> = Squares(from).map(cell).collect();
    for distance in 1.. {
        let mut next = Vec::new();
        for &start in &frontier {
            for direction in DIRECTIONS {
                let mut at = start;
                for _ in 0..slide {
                    at = at.wrapping_add_signed(direction);
                    if !free[at] {
                        break;
                    }
                    if found[at].is_none() {
                        found[at] = Some(distance);
                        next.push(at);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    found
}

/// Real-valued terms in the order t1, ties1, t2, ties2, c1, c2 (squares), w.
fn slow_terms(game: &Amazons) -> [f64; 7] {
    let queen = Player::BOTH.map(|p| distances(game, game.amazons(p), 10));
    let king = Player::BOTH.map(|p| distances(game, game.amazons(p), 1));
    let mut out = [0.0; 7];
    for c in empties(game) {
        for (of, at) in [(&queen, 0), (&king, 2)] {
            let [a, b] = [of[0][c].unwrap_or(FAR), of[1][c].unwrap_or(FAR)];
            out[at] += (b as f64 - a as f64).clamp(-1.0, 1.0);
            if a == b && a < FAR {
                out[at + 1] += 1.0;
            }
        }
        let power = |d: Option<usize>| d.map_or(0.0, |d| 0.5f64.powi(d as i32));
        out[4] += 2.0 * (power(queen[0][c]) - power(queen[1][c]));
        let [a, b] = [king[0][c].unwrap_or(FAR), king[1][c].unwrap_or(FAR)];
        out[5] += ((b as f64 - a as f64) / 6.0).clamp(-1.0, 1.0);
        if let (Some(a), Some(b)) = (queen[0][c], queen[1][c]) {
            out[6] += 0.5f64.powi(a.abs_diff(b) as i32);
        }
    }
    out
}

fn slow_mobility(game: &Amazons, player: Player) -> Vec<f64> {
    let theirs = distances(game, game.amazons(player.opponent()), 10);
    let empty = empties(game);
    Squares(game.amazons(player))
        .map(|amazon| {
            let one_away = distances(game, amazon.bit(), 10);
            empty
                .iter()
                .filter(|&&c| one_away[c] == Some(1) && theirs[c].is_some())
                .map(|&c| {
                    let around = DIRECTIONS.map(|d| c.wrapping_add_signed(d));
                    let neighbours = around.iter().filter(|n| empty.contains(n)).count();
                    let (dc, dr) = (
                        (c % 12).abs_diff(cell(amazon) % 12),
                        (c / 12).abs_diff(cell(amazon) / 12),
                    );
                    neighbours as f64 * 0.5f64.powi(dc.max(dr) as i32)
                })
                .sum()
        })
        .collect()
}

fn compare(game: &Amazons) {
    let fast = Terms::of(game);
    assert_eq!(fast, Terms::of_portable(game), "with and without AVX2 in {}", game.fen());
    let slow = slow_terms(game);
    let unit = f64::from(ONE);
    let pairs = [
        ("t1", f64::from(fast.t1), 0.0),
        ("ties1", f64::from(fast.ties1), 0.0),
        ("t2", f64::from(fast.t2), 0.0),
        ("ties2", f64::from(fast.ties2), 0.0),
        // Beyond a distance of 10 the fixed point has 0 where the reals have 2^-d.
        ("c1", f64::from(fast.c1) / unit, 0.1),
        ("c2", f64::from(fast.c2) / 6.0, 1e-9),
        ("w", f64::from(fast.w) / unit, 0.1),
    ];
    for ((name, fast, tolerance), slow) in pairs.into_iter().zip(slow) {
        assert!((fast - slow).abs() <= tolerance, "{name} {fast} {slow} in {}", game.fen());
    }
    for player in Player::BOTH {
        for (i, slow) in slow_mobility(game, player).into_iter().enumerate() {
            let fast = f64::from(fast.mobility[player.index()][i]) / unit;
            assert!((fast - slow).abs() < 1e-9, "mobility {fast} {slow} in {}", game.fen());
        }
    }
    let reach = Player::BOTH.map(|p| distances(game, game.amazons(p), 1));
    for (player, set) in reachable(game).into_iter().enumerate() {
        assert_eq!(set.count_ones() as usize, reach[player].iter().flatten().count());
    }
    assert_eq!(fast.separated(), reachable(game)[0] & reachable(game)[1] == 0);
}

fn random_game(fen: &str, index: u64) {
    let mut game = Amazons::parse_fen(fen, &NoRules).unwrap();
    let mut rng = rng::stream(index, 0, "evaluation");
    loop {
        compare(&game);
        let moves = legal_moves(&game);
        if moves.is_empty() {
            break;
        }
        game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
    }
}

#[test]
fn fast_terms_equal_the_slow_ones_through_random_games() {
    for index in 0..20 {
        random_game(agon_games::amazons::START_FEN, index);
        random_game("2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w", index);
        random_game("1q2/4/4/2Q1 w", index);
        random_game("2q2/5/q3Q/5/2Q2 w", index);
    }
}

#[test]
fn long_corridors_are_measured_to_their_ends() {
    // King distances up to 46 along a snake one square wide.
    compare(
        &Amazons::parse_fen(
            "qqqq6/*********1/10/1*********/10/*********1/10/1*********/6QQQQ/********** w",
            &NoRules,
        )
        .unwrap_or_else(|e| panic!("{e}")),
    );
}

#[test]
fn the_start_is_level_but_for_the_move() {
    let start = Amazons::start(&NoRules);
    let terms = Terms::of(&start);
    assert_eq!((terms.t1, terms.t2, terms.c1, terms.c2), (0, 0, 0, 0));
    assert!(super::evaluate(&start, super::paper()) > 0);
}

#[test]
fn a_value_changes_sign_with_the_colours() {
    let white = "3q2q3/10/2*7/q8q/10/4Q5/9Q/10/10/3Q2Q3 w";
    let black = "3q2q3/10/10/9q/4q5/10/Q8Q/2*7/10/3Q2Q3 b";
    let game = |fen| Amazons::parse_fen(fen, &NoRules).unwrap();
    let value = |fen| super::evaluate(&game(fen), super::paper());
    assert_eq!(value(white), value(black));
}
