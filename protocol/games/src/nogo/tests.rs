//! Tests of the rules against a slow second implementation, and of the notation.

use super::*;
use crate::game::legal_moves;
use crate::perft::perft;
use crate::{Record, conformance, rng};

fn game(fen: &str) -> NoGo {
    NoGo::parse_fen(fen, &NoRules).unwrap()
}

/// The slow implementation: a grid of letters; every move is tried and every group flood-filled.
#[derive(Clone)]
struct Slow {
    cells: [[char; 9]; 9],
    mover: char,
}

impl Slow {
    fn new(game: &NoGo) -> Slow {
        let mut cells = [['.'; 9]; 9];
        for (player, letter) in [(Player::First, 'X'), (Player::Second, 'O')] {
            for p in Points(game.stones(player)) {
                cells[p.index() / 10][p.index() % 10] = letter;
            }
        }
        let mover = if game.side_to_move() == Player::First { 'X' } else { 'O' };
        Slow { cells, mover }
    }

    fn beside(row: usize, column: usize) -> Vec<(usize, usize)> {
        let steps = [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)];
        let all = steps.map(|(r, c)| (row.wrapping_add(r), column.wrapping_add(c)));
        all.into_iter().filter(|&(r, c)| r < 9 && c < 9).collect()
    }

    fn has_liberty(&self, row: usize, column: usize) -> bool {
        let (mut seen, mut open) = (vec![(row, column)], vec![(row, column)]);
        while let Some((r, c)) = open.pop() {
            for (r2, c2) in Slow::beside(r, c) {
                if self.cells[r2][c2] == '.' {
                    return true;
                }
                if self.cells[r2][c2] == self.cells[row][column] && !seen.contains(&(r2, c2)) {
                    seen.push((r2, c2));
                    open.push((r2, c2));
                }
            }
        }
        false
    }

    fn after(&self, row: usize, column: usize) -> Option<Slow> {
        let mut next = self.clone();
        next.cells[row][column] = self.mover;
        next.mover = if self.mover == 'X' { 'O' } else { 'X' };
        let around = [vec![(row, column)], Slow::beside(row, column)].concat();
        let breathes = |&(r, c): &(usize, usize)| next.cells[r][c] == '.' || next.has_liberty(r, c);
        (self.cells[row][column] == '.' && around.iter().all(breathes)).then_some(next)
    }

    fn children(&self) -> impl Iterator<Item = Slow> + '_ {
        (0..81).filter_map(|i| self.after(i / 9, i % 9))
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.children().map(|next| next.perft(depth - 1)).sum() }
    }
}

#[test]
fn the_contracts_hold_in_random_games() {
    conformance::check(&NoGo::start(&NoRules), 30, 90, &NoRules).unwrap();
}

#[test]
fn random_games_have_the_moves_of_the_slow_implementation() {
    for seed in 0..60 {
        let mut random = rng::stream(seed, 0, "nogo");
        let mut record = Record::new(NoGo::start(&NoRules));
        while let Turn::Player(_) = record.turn() {
            let moves = legal_moves(record.current());
            let slow = Slow::new(record.current());
            assert_eq!(moves.len(), slow.children().count(), "{}", record.current().fen());
            for m in &moves {
                let (row, column) = (m.index() / 10, m.index() % 10);
                assert!(slow.after(row, column).is_some(), "{m}: {}", record.current().fen());
            }
            record.push(moves[rng::below(&mut random, moves.len() as u64) as usize]);
        }
        assert_eq!(Slow::new(record.current()).children().count(), 0);
    }
}

#[test]
fn perft_is_that_of_the_slow_implementation() {
    let mut random = rng::stream(1, 0, "late");
    let mut late = NoGo::start(&NoRules);
    while late.count_moves() > 12 {
        late.play(legal_moves(&late)[rng::below(&mut random, late.count_moves()) as usize]);
    }
    let late = late.fen();
    for (fen, depth) in [("9/9/9/9/9/9/9/9/9 x", 3), ("XO7/9/9/9/9/9/9/8X/8O x", 2), (&late, 5)] {
        let mut game = game(fen);
        assert_eq!(perft(&mut game, depth), Slow::new(&game).perft(depth), "{fen}");
    }
    // Black captures the white stone in a corner, from either side.
    assert_eq!(perft(&mut NoGo::start(&NoRules), 3), 81 * 80 * 79 - 4 * 2);
}

#[test]
fn a_move_that_captures_or_is_suicide_is_refused() {
    let state = game("7O1/8O/9/9/9/9/9/9/1X7 x");
    let white = game("7O1/8O/9/9/9/9/9/X8/1X7 o");
    for (state, text, why) in [
        (&state, "j9", "it is suicide"),
        (&state, "b1", "there is a stone"),
        (&white, "a1", "it is suicide"),
        (&game("9/9/9/9/9/9/9/9/OX7 x"), "a2", "it captures"),
        (&state, "i5", "is not a move"),
        (&state, "k1", "is not a move"),
        (&state, "e5e6", "is not a move"),
        (&state, "", "is not a move"),
    ] {
        let error = state.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert_eq!(state.display_move(state.parse_move("J1").unwrap()), "J1");
}

#[test]
fn a_bad_fen_is_refused_with_a_reason() {
    for (fen, why) in [
        ("9/9/9/9/9/9/9/9/OX7", "the side to move is missing"),
        ("9/9/9/9/9/9/9/9 x", "8 ranks, expected 9"),
        ("9/9/9/9/9/9/9/X8/OX7 x", "a group has no liberty"),
        ("9/9/9/9/9/9/9/9/QX7 x", "`Q` on square 1"),
        ("9/9/9/9/9/9/9/9/9 x 1", "unexpected `1`"),
    ] {
        let error = NoGo::parse_fen(fen, &NoRules).unwrap_err().to_string();
        assert!(error.contains(why), "{fen}: {error}");
    }
    assert!(
        game("9/9/9/9/9/9/9/9/OX7 o")
            .diagram()
            .ends_with("\n   a b c d e f g h j\nWhite (O) to move\n")
    );
}
