//! Expectimax agrees with the plain reference on EinStein positions.

use super::*;
use crate::clock::Clock;
use crate::root::Root;
use crate::searcher::Searcher;
use crate::transposition::TranspositionTable;
use agon_games::einstein::{EinStein, EinSteinMove, Stage, movable_stones};
use agon_games::game::{chance_outcomes, legal_moves};
use agon_games::{Record, hash, rng};
use agon_wire::message::Limits;

/// Pseudo-random values, so that agreement cannot be accidental; `solve` knows some.
#[derive(Clone)]
struct NoisyValues {
    solves: bool,
}

fn noise(game: &EinStein, player: Player) -> i32 {
    let unit = UNIT as u64;
    let value = (hash::mix(game.hash()) % (2 * unit + 1)) as i32 - UNIT;
    if player == Player::First { value } else { -value }
}

impl ExpectimaxEvaluator<EinStein> for NoisyValues {
    fn evaluate(&mut self, game: &EinStein, player: Player) -> i32 {
        noise(game, player) / 2
    }
    fn solve(&mut self, game: &EinStein, player: Player) -> Option<i32> {
        let known = self.solves && game.turn() == Turn::Chance && game.hash().is_multiple_of(8);
        known.then(|| noise(game, player))
    }
    fn outcome_class(&self, game: &EinStein, outcome: EinSteinMove) -> u32 {
        match (game.stage(), outcome) {
            (Stage::Roll(p), EinSteinMove::Roll(die)) => {
                movable_stones(game.missing_die(), game.alive(p), die).into()
            }
            _ => 0,
        }
    }
    fn ordering_score(&mut self, game: &EinStein, decision: EinSteinMove) -> i32 {
        // Any order works; this one differs from generation order.
        (hash::mix(u64::from(Self::pack(decision)) ^ game.hash()) % 100) as i32
    }
    fn pack(decision: EinSteinMove) -> u32 {
        match decision {
            EinSteinMove::Step { from, to } => u32::from(from) * 32 + u32::from(to),
            _ => 0,
        }
    }
}

/// Positions with a decision to make, from random games.
fn decisions(games: u64) -> Vec<EinStein> {
    let mut found = Vec::new();
    for index in 0..games {
        let mut stream = rng::stream(11, index, "expectimax tests");
        let fen = "BFA2/CD3/E3e/3dc/2afb u -";
        let mut record =
            Record::<EinStein>::from_text::<&str>(Some(fen), &[], &Default::default()).unwrap();
        for ply in 0.. {
            let moves = match record.turn() {
                Turn::Over(_) => break,
                Turn::Player(_) => legal_moves(record.current()),
                Turn::Chance => {
                    chance_outcomes(record.current()).into_iter().map(|o| o.0).collect()
                }
            };
            if ply % 7 == 1 && matches!(record.turn(), Turn::Player(_)) {
                found.push(*record.current());
            }
            record.push(moves[rng::below(&mut stream, moves.len() as u64) as usize]);
        }
    }
    found
}

fn searched(game: &EinStein, depth: u32, solves: bool, table: bool) -> (i32, EinSteinMove, u64) {
    searched_by(1, game, depth, solves, table)
}

fn searched_by(
    threads: usize,
    game: &EinStein,
    depth: u32,
    solves: bool,
    table: bool,
) -> (i32, EinSteinMove, u64) {
    let mut search = Expectimax {
        evaluator: NoisyValues { solves },
        table: table.then(|| TranspositionTable::new(1).unwrap()),
        max_depth: depth,
        seed: 1,
        threads,
    };
    let clock = Clock::unmanaged(&Limits::default());
    let line = search.run(&Root::new(&Record::new(*game)), &clock, &mut |_| {});
    (line.value, line.best(), line.nodes)
}

#[test]
fn pruning_and_the_table_change_no_value() {
    let mut checked = 0;
    for game in decisions(12) {
        let mover = game.turn().player().unwrap();
        if legal_moves(&game).len() == 1 {
            continue;
        }
        for depth in 1..=3 {
            for (solves, table) in [(false, false), (false, true), (true, false), (true, true)] {
                let (expected, _) = plain(&game, mover, depth, &mut NoisyValues { solves });
                let (value, best, _) = searched(&game, depth, solves, table);
                assert_eq!(value, expected, "depth {depth} {solves} {table} {}", game.fen());
                let mut next = game;
                next.play(best);
                let (after, _) = plain(&next, mover, depth - 1, &mut NoisyValues { solves });
                assert_eq!(after, expected, "the move does not have the value it is said to have");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn any_number_of_threads_finds_the_exact_value() {
    // A single legal move is not searched to the full depth.
    for game in decisions(6).into_iter().filter(|game| legal_moves(game).len() > 1) {
        let mover = game.turn().player().unwrap();
        let (expected, _) = plain(&game, mover, 3, &mut NoisyValues { solves: false });
        for (threads, table) in [(2, true), (5, true), (3, false)] {
            let (value, best, nodes) = searched_by(threads, &game, 3, false, table);
            assert_eq!(value, expected, "{threads} threads in {}", game.fen());
            assert!(game.is_legal(best) && nodes > 0);
        }
    }
}

#[test]
fn pruning_saves_most_nodes_even_with_values_that_are_noise() {
    let (mut all, mut visited) = (0, 0);
    for game in decisions(4) {
        let mover = game.turn().player().unwrap();
        all += plain(&game, mover, 4, &mut NoisyValues { solves: false }).1;
        visited += searched(&game, 4, false, true).2;
    }
    assert!(visited * 2 < all, "{visited} of {all}");
}

#[test]
fn averages_round_half_up_on_both_sides_of_zero() {
    assert_eq!(average(7, 2), 4);
    assert_eq!(average(-7, 2), -3);
    assert_eq!(average(-8, 3), -3);
}
