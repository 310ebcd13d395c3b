//! Monte Carlo tree search with chance nodes.
//!
//! Selection uses UCB1 at decision nodes (Kocsis and Szepesvari 2006) and samples chance outcomes
//! by weight. Expanding a decision node creates all its children and plays each out
//! [`MctsSettings::simulations`] times. Nodes are stored in one arena; the subtree of the position
//! reached is reused from move to move.

mod batch;
mod room;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use settings::{MctsEvaluator, MctsSettings, ParallelPlayouts, upper_confidence_bound};

use crate::clock::{Clock, NodeCounter};
use crate::expectimax::UNIT;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::Scale;
use crate::searcher::{Searcher, side_to_move};
use agon_games::hash::mix;
use agon_games::rng::Stream;
use agon_games::{Game, Player, Record, rng};
use batch::Batch;
use tree::SearchTree;

/// The search with its tree.
pub struct Mcts<G: Game, E> {
    /// The settings.
    pub settings: MctsSettings,
    evaluator: E,
    tree: SearchTree<G>,
    known: Option<Record<G>>,
    /// The number of root moves that are reported.
    lines: usize,
}

impl<G: Game, E: MctsEvaluator<G>> Mcts<G, E> {
    /// An empty tree.
    pub fn new(settings: MctsSettings, evaluator: E) -> Mcts<G, E> {
        Mcts { settings, evaluator, tree: SearchTree::new(), known: None, lines: 1 }
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
            self.tree.clear();
        }
        self.known = (!root.is_restricted()).then(|| record.clone());
    }

    /// Reports the best root moves, and returns the best of them.
    fn report(
        &self,
        mover: Player,
        iterations: u64,
        counter: &NodeCounter,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> Option<SearchResult<G::Move>> {
        let line = |(rank, (moves, rate)): (u32, (Vec<G::Move>, f64))| SearchResult {
            rank: (self.lines > 1).then_some(rank),
            depth: (iterations.max(1)).ilog2() + 1,
            seldepth: self.tree.deepest,
            value: ((rate * 2.0 - 1.0) * f64::from(UNIT)) as i32,
            bound: None,
            hashfull: Some(self.tree.permille()),
            nodes: counter.nodes(),
            moves,
        };
        let lines: Vec<_> = (1..).zip(self.tree.ranked(mover, self.lines)).map(line).collect();
        lines.iter().for_each(report);
        lines.into_iter().next()
    }
}

impl<G: Game, E: MctsEvaluator<G>> Mcts<G, E> {
    /// The result of the whole search. Of several lines it reports all once more; the host does so
    /// for one.
    fn end(
        &self,
        mover: Player,
        counter: &NodeCounter,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> Option<SearchResult<G::Move>> {
        let iterations = self.tree.iterations();
        if self.lines > 1 {
            return self.report(mover, iterations, counter, report);
        }
        self.report(mover, iterations, counter, &mut |_| {})
    }
}

/// A search in batches.
struct Batches<'a, G: Game> {
    position: &'a Root<'a, G>,
    /// Selections in a batch.
    size: u64,
    /// The total number of iterations.
    last: u64,
}

impl<G: Game, E: MctsEvaluator<G>> Mcts<G, E> {
    /// Selects one batch while the playouts of the batch before it run.
    fn run_batches(
        &mut self,
        batches: &Batches<G>,
        stream: &mut Stream,
        counter: &mut NodeCounter,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> Option<SearchResult<G::Move>> {
        let mover = side_to_move(batches.position.game());
        let (mut before, mut half_points): (Option<Batch<G>>, _) = (None, Vec::new());
        let (mut selected, mut next_report) = (0, 1024);
        loop {
            let size = batches.size.min(batches.last - selected);
            let (settings, evaluator) = (&self.settings, &mut self.evaluator);
            let batch = (size > 0 && !before.as_ref().is_some_and(|b| b.is_last)).then(|| {
                let root = batches.position;
                self.tree.select_batch(size, root, settings, evaluator, stream, counter)
            });
            let playouts = self.evaluator.parallel()?;
            if let Some(batch) = &batch {
                playouts.submit(&batch.leaves, self.settings.simulations);
            }
            if let Some(before) = &before {
                playouts.collect(&mut half_points);
                self.tree.correct(before, &half_points);
            }
            let Some(mut batch) = batch else { break };
            selected += size;
            batch.is_last |= counter.clock().past_soft_limit(100);
            before = Some(batch);
            if selected >= next_report {
                next_report *= 2;
                self.report(mover, selected, counter, report);
            }
        }
        self.end(mover, counter, report)
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
        self.tree.capacity = (self.settings.memory / SearchTree::<G>::NODE_BYTES).max(10_000);
        self.tree.salt = mix(mix(self.settings.seed) ^ ply);
        let depth_limit = (clock.depth() < crate::score::MAX_DEPTH)
            .then(|| u64::from(clock.depth()).saturating_mul(1000));
        let last = self.settings.iterations.or(depth_limit).unwrap_or(u64::MAX);
        let mut counter = NodeCounter::new(clock);
        let mut line = SearchResult::unknown(position.first_move());
        let size = batch::selections(self.settings.simulations).into();
        if size > 1 && self.evaluator.parallel().is_some() {
            let batches = Batches { position, size, last };
            let found = self.run_batches(&batches, &mut stream, &mut counter, report);
            return found.unwrap_or(line);
        }
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
                && let Some(found) = self.report(mover, iteration, &counter, report)
            {
                line = found;
            }
        }
        self.end(mover, &counter, report).unwrap_or(line)
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.known = None;
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.lines = lines;
        true
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.tree.permille())
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}
