//! Positions for tests.

use crate::tree::Proof;
use agon_games::Game;
use agon_games::nogo::{NoGo, NoGoPoint, Points};
use agon_games::option::NoRules;
use agon_games::rng::{self, below};
use std::collections::HashMap;

/// The moves of a random game.
pub fn random_game(index: u64) -> Vec<NoGoPoint> {
    let (mut game, mut moves) = (NoGo::start(&NoRules), Vec::new());
    let mut stream = rng::stream(1, index, "example");
    while game.legal() != 0 {
        let n = below(&mut stream, game.count_moves()) as usize;
        moves.extend(Points(game.legal()).nth(n));
        game.play(moves[moves.len() - 1]);
    }
    moves
}

/// The position after all but `left` moves of a random game.
pub fn late_position(index: u64, left: usize) -> NoGo {
    let (mut game, moves) = (NoGo::start(&NoRules), random_game(index));
    moves[..moves.len().saturating_sub(left)].iter().for_each(|&m| _ = game.play(m));
    game
}

/// Whether the side to move wins, by trying all moves; `None` after too many positions.
pub fn solve(game: &NoGo, known: &mut HashMap<u64, bool>) -> Option<bool> {
    if let Some(&wins) = known.get(&game.hash()) {
        return Some(wins);
    }
    if known.len() > 100_000 {
        return None;
    }
    let mut wins = false;
    for m in Points(game.legal()) {
        let mut next = *game;
        next.play(m);
        if !solve(&next, known)? {
            wins = true;
            break;
        }
    }
    known.insert(game.hash(), wins);
    Some(wins)
}

/// Compares what a search proves of the move before late positions with trying all moves. It must prove many of them.
pub fn assert_proofs(search: impl Fn(&NoGo) -> Proof) {
    let (mut proved, mut won) = (0, 0);
    for index in 0..120 {
        let game = late_position(index, 6 + index as usize % 8);
        let Some(wins) = solve(&game, &mut HashMap::new()) else { continue };
        match search(&game) {
            Proof::Open => {}
            proof => {
                assert_eq!(wins, proof == Proof::Lost, "{}", game.fen());
                proved += 1;
                won += u32::from(wins);
            }
        }
    }
    assert!(proved > 40 && won > 10 && won + 10 < proved, "{proved} {won}");
}
