//! Perft: the number of leaves of the game tree at a depth, the standard check of a rules
//! implementation.

use crate::game::{Game, Turn};
use std::ops::ControlFlow;

/// The number of move sequences of exactly `depth` plies. A finished game has none of length 1 or
/// more; a chance outcome counts as a ply and is not weighted. The last ply of decisions is
/// counted in bulk.
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

/// [`perft`] for each move of the position, in visiting order: finds the move on which two
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

fn children<G: Game>(game: &G, turn: Turn) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if turn == Turn::Chance {
        let _ = game.visit_chance::<()>(&mut |m, _| {
            moves.push(m);
            ControlFlow::Continue(())
        });
    } else {
        let _ = game.visit_moves::<()>(&mut |m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
    }
    moves
}
