//! Perft: the number of leaves of the game tree at a depth, the standard test of move generation.

use crate::game::{Game, Turn, legal_moves};
use std::ops::ControlFlow;

/// The number of move sequences of exactly `depth` plies. A finished game has none of length 1 or
/// more; a chance outcome counts as one unweighted ply. The last ply of decisions is counted in
/// bulk.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.turn() {
        Turn::Over(_) => 0,
        Turn::Player(_) if depth == 1 => game.count_moves(),
        turn => children(game, turn).into_iter().map(|m| descend(game, m, depth)).sum(),
    }
}

/// [`perft`] for each move of the position, in visiting order, to find the move on which two
/// programs differ.
pub fn divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let turn = game.turn();
    children(game, turn).into_iter().map(|m| (m, descend(game, m, depth))).collect()
}

fn descend<G: Game>(game: &mut G, m: G::Move, depth: u32) -> u64 {
    let undo = game.play(m);
    let n = perft(game, depth - 1);
    game.undo(m, undo);
    n
}

/// The moves or chance outcomes of a position that is not over.
pub fn children<G: Game>(game: &G, turn: Turn) -> Vec<G::Move> {
    if turn != Turn::Chance {
        return legal_moves(game);
    }
    let mut outcomes = Vec::new();
    let _ = game.visit_chance::<()>(&mut |m, _| {
        outcomes.push(m);
        ControlFlow::Continue(())
    });
    outcomes
}
