//! Monte Carlo tree search with chance nodes.
//!
//! Selection uses UCB1 at decision nodes (Kocsis and Szepesvari 2006) and samples chance outcomes
//! by weight. Expanding a decision node creates all its children and plays each out
//! [`MctsSettings::simulations`] times. Nodes are stored in one arena; the subtree of the position
//! reached is reused from move to move.

mod settings;
#[cfg(test)]
mod tests;
mod tree;
mod ucb;

pub use settings::{MctsEvaluator, MctsSettings};
pub use ucb::upper_confidence_bound;

use crate::clock::{Clock, NodeCounter};
use crate::expectimax::UNIT;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::Scale;
use crate::searcher::{Searcher, side_to_move};
use agon_protocol::hash::mix;
use agon_protocol::{Game, Player, Record, rng};
use tree::Tree;

/// The search with its tree.
pub struct Mcts<G: Game, E> {
    /// The settings.
    pub settings: MctsSettings,
    evaluator: E,
    tree: Tree<G>,
    known: Option<Record<G>>,
}

impl<G: Game, E: MctsEvaluator<G>> Mcts<G, E> {
    /// An empty tree.
    pub fn new(settings: MctsSettings, evaluator: E) -> Mcts<G, E> {
        Mcts { settings, evaluator, tree: Tree::new(), known: None }
    }

    /// Keeps the subtree of the record's position, or starts a new tree. A restricted search
    /// neither uses nor leaves a tree, because it would lack some moves.
    fn reuse_tree(&mut self, root: &Root<G>) {
        let record = root.record();
        let kept = !root.is_restricted()
            && self.known.as_ref().is_some_and(|known| {
                let (old, new) = (known.moves(), record.moves());
                known.start() == record.start()
                    && new.starts_with(old)
                    && self.tree.descend(known.current(), &new[old.len()..], &self.evaluator)
            });
        if !kept {
            self.tree = Tree::new();
        }
        self.known = (!root.is_restricted()).then(|| record.clone());
    }

    fn line(
        &self,
        mover: Player,
        iterations: u64,
        counter: &NodeCounter,
    ) -> Option<SearchResult<G::Move>> {
        let (m, rate) = self.tree.best(mover)?;
        Some(SearchResult {
            depth: (iterations.max(1)).ilog2() + 1,
            seldepth: self.tree.deepest,
            value: ((rate * 2.0 - 1.0) * f64::from(UNIT)) as i32,
            nodes: counter.nodes(),
            moves: vec![m],
        })
    }
}

impl<G: Game, E: MctsEvaluator<G>> Searcher<G> for Mcts<G, E> {
    fn run(
        &mut self,
        position: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let (root, record) = (position.game(), position.record());
        self.reuse_tree(position);
        let mover = side_to_move(root);
        let ply = record.moves().len() as u64;
        let mut stream = rng::stream(self.settings.seed, ply, "mcts");
        self.tree.capacity = (self.settings.memory / Tree::<G>::NODE_BYTES).max(10_000);
        self.tree.salt = mix(mix(self.settings.seed) ^ ply);
        let depth_limit = (clock.depth() < crate::score::MAX_DEPTH)
            .then(|| u64::from(clock.depth()).saturating_mul(1000));
        let last = self.settings.iterations.or(depth_limit).unwrap_or(u64::MAX);
        let mut counter = NodeCounter::new(clock);
        let mut line = SearchResult::unknown(position.first_move());
        for iteration in 1..=last {
            let grown = self.tree.grow(
                position,
                &self.settings,
                &mut self.evaluator,
                &mut stream,
                &mut counter,
            );
            if grown.is_err() || (iteration.is_multiple_of(64) && clock.past_soft_limit(100)) {
                break;
            }
            if iteration.is_power_of_two()
                && iteration >= 1024
                && let Some(found) = self.line(mover, iteration, &counter)
            {
                line = found;
                report(&line);
            }
        }
        let iterations = self.tree.iterations();
        self.line(mover, iterations, &counter).unwrap_or(line)
    }

    fn new_game(&mut self) {
        self.tree = Tree::new();
        self.known = None;
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.tree.permille())
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}
