//! The searches without pruning: random moves, one ply, and plain negamax, the reference with which
//! every other search must agree.

use crate::clock::{Clock, NodeCounter};
use crate::evaluator::{Evaluator, collect_moves};
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::INFINITE;
use crate::searcher::{Searcher, StepResult, side_to_move, step};
use agon_games::{Game, rng};

/// Plays a uniformly random legal move, determined by the seed and the position: the number of
/// plies alone would select the same fraction of the move list at the same ply of every game.
#[derive(Clone, Debug)]
pub struct Random {
    /// The seed of the random stream.
    pub seed: u64,
}

impl<G: Game> Searcher<G> for Random {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let moves = root.allowed_moves();
        let _ = NodeCounter::new(clock).visit();
        let mut stream = rng::stream(self.seed, root.game().hash(), "random move");
        let m = moves[rng::below(&mut stream, moves.len() as u64) as usize];
        SearchResult { nodes: 1, ..SearchResult::unknown(m) }
    }
}

/// Plays the move with the best static evaluation after it; ties are broken at random.
#[derive(Clone, Debug)]
pub struct Greedy<E> {
    /// The static evaluation.
    pub evaluator: E,
    /// The seed of the random stream that breaks ties.
    pub seed: u64,
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Greedy<E> {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        const { assert!(!G::HAS_CHANCE, "a 1-ply search cannot treat chance: use expectimax") };
        let mut game = root.game().clone();
        let mover = side_to_move(&game);
        let mut stream = rng::stream(self.seed, root.record().moves().len() as u64, "greedy tie");
        let moves = root.allowed_moves();
        let mut counter = NodeCounter::new(clock);
        let mut best = SearchResult { value: -INFINITE, ..SearchResult::unknown(moves[0]) };
        let mut ties = 0;
        let mut finished = true;
        for m in moves {
            if counter.visit().is_err() {
                finished = false;
                break;
            }
            let undo = game.play(m);
            let value = match step(&game, mover, 1) {
                StepResult::Over(value) => value,
                StepResult::Same => self.evaluator.evaluate(&game),
                StepResult::Other => -self.evaluator.evaluate(&game),
            };
            game.undo(m, undo);
            if value > best.value {
                (best.value, best.moves[0], ties) = (value, m, 1);
            } else if value == best.value {
                // The n-th of equally good moves replaces the others with probability 1/n.
                ties += 1;
                if rng::below(&mut stream, ties) == 0 {
                    best.moves[0] = m;
                }
            }
        }
        SearchResult { depth: u32::from(finished), seldepth: 1, nodes: counter.nodes(), ..best }
    }
}

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
                StepResult::Over(value) => value,
                StepResult::Same => self.value(game, depth - 1, ply + 1),
                StepResult::Other => -self.value(game, depth - 1, ply + 1),
            };
            game.undo(m, undo);
            best = best.max(value);
        }
        best
    }
}
