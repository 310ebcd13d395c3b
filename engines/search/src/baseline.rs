//! The two simplest players: one plays random moves, the other searches one ply.

use crate::clock::{Clock, NodeCounter};
use crate::evaluator::Evaluator;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::INFINITE;
use crate::searcher::{Searcher, Step, side_to_move, step};
use agon_protocol::{Game, rng};

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
                Step::Over(value) => value,
                Step::Same => self.evaluator.evaluate(&game),
                Step::Other => -self.evaluator.evaluate(&game),
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
