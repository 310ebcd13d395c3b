//! Plain negamax without pruning: the reference with which every other search must agree.

use crate::evaluator::{Evaluator, collect_moves};
use crate::score::INFINITE;
use crate::searcher::{Step, side_to_move, step};
use agon_protocol::Game;

/// The value of `game` at `depth` plies for its player to move, and the number of nodes visited,
/// including the root. A position at depth 0 has its static evaluation.
pub fn negamax<G: Game, E: Evaluator<G>>(game: &G, depth: u32, evaluator: &mut E) -> (i32, u64) {
    const { assert!(!G::HAS_CHANCE, "negamax cannot treat chance: use expectimax") };
    let mut search = Negamax { evaluator, nodes: 0 };
    let mut game = game.clone();
    let value = search.value(&mut game, depth, 0);
    (value, search.nodes)
}

struct Negamax<'e, E> {
    evaluator: &'e mut E,
    nodes: u64,
}

impl<E> Negamax<'_, E> {
    fn value<G: Game>(&mut self, game: &mut G, depth: u32, ply: u32) -> i32
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        if depth == 0 {
            return self.evaluator.evaluate(game);
        }
        let mover = side_to_move(game);
        let mut moves = Vec::new();
        collect_moves(game, &mut moves);
        let mut best = -INFINITE;
        for m in moves {
            let undo = game.play(m);
            let value = match step(game, mover, ply + 1) {
                Step::Over(value) => value,
                Step::Same => self.value(game, depth - 1, ply + 1),
                Step::Other => -self.value(game, depth - 1, ply + 1),
            };
            game.undo(m, undo);
            best = best.max(value);
        }
        best
    }
}
