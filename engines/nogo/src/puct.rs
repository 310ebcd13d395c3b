//! Tree search guided by a network (PUCT as in Silver et al. 2017): the network's probabilities say which moves to try,
//! and its value of a new position takes the place of a playout.
//!
//! A new position gets its value and its moves from one evaluation. Proofs are as in [`crate::search`].

use crate::board::Board;
use crate::ending::decided;
use crate::network::Guide;
use crate::params;
use crate::search::{Shared, settle};
use crate::tree::{Edge, Proof, Tree};
use agon_network::convolution::network::BoardNetwork;

/// One thread of the search.
pub struct Worker<'a> {
    shared: Shared<'a>,
    guide: Guide<'a>,
    /// The moves from the root, which is the first.
    path: Vec<&'a Edge>,
    exploration: f32,
    /// How much lower than its position's the value of an unvisited move is.
    reduction: f32,
}

impl<'a> Worker<'a> {
    /// A thread with this exploration constant.
    pub fn new(shared: Shared<'a>, network: &'a BoardNetwork, exploration: f32) -> Worker<'a> {
        let reduction = params::puct_reduction() as f32 / 100.0;
        Worker {
            shared,
            guide: Guide::new(network),
            path: Vec::with_capacity(82),
            exploration,
            reduction,
        }
    }

    /// One iteration; returns the number of its moves in the tree.
    pub fn iterate(&mut self) -> u64 {
        let mut board = self.shared.board.clone();
        self.path.clear();
        let root = &self.shared.tree.root;
        root.enter();
        self.path.push(root);
        let (mut value, proof) = self.select(&mut board);
        // The value is for the player of the last move, and changes sides from move to move.
        for edge in self.path.iter().rev() {
            edge.add_value(value);
            value = 1.0 - value;
        }
        let depth = self.path.len() - 1;
        self.shared.tree.deepest.fetch_max(depth, std::sync::atomic::Ordering::Relaxed);
        if proof != Proof::Open {
            settle(self.shared.tree, &self.path);
        }
        depth as u64
    }

    /// Goes from the root to a move that is proved or new. Returns its value for its player and what is known of it.
    fn select(&mut self, board: &mut Board) -> (f32, Proof) {
        let tree = self.shared.tree;
        let (mut mover, mut at) = (self.shared.mover, &tree.root);
        loop {
            match at.link().proof() {
                Proof::Won => return (1.0, Proof::Won),
                Proof::Lost => return (0.0, Proof::Lost),
                Proof::Open => {}
            }
            if !at.link().is_expanded() {
                let legal = board.legal();
                if let Some(wins) = decided([board.stones(0), board.stones(1)], legal, mover) {
                    at.prove(!wins);
                    continue;
                }
                let (value, moves) = self.guide.evaluate(board, legal, mover, legal[mover]);
                // Without memory, or if another thread adds the moves, the position is only valued.
                let _ = at.claim() && add_moves(tree, at, &moves);
                return (1.0 - value, Proof::Open);
            }
            let Some(next) = self.best(at) else { return (0.5, Proof::Open) };
            next.enter();
            board.place(mover, next.link().site());
            self.path.push(next);
            at = next;
            mover ^= 1;
        }
    }

    /// The move to try after a move; `None` if all lose.
    #[inline]
    fn best(&self, parent: &Edge) -> Option<&'a Edge> {
        let moves = self.shared.tree.children(parent.link());
        let visits = parent.guide().0.max(1);
        let explore = self.exploration * (visits as f32).sqrt();
        // The last of the visits is under way and has no value yet.
        let valued = f64::from((visits - 1).max(1));
        let unvisited = 1.0 - (parent.values() / valued) as f32 - self.reduction;
        let mut best = (f32::NEG_INFINITY, None);
        for edge in moves {
            match edge.link().proof() {
                Proof::Won => return Some(edge),
                Proof::Lost => continue,
                Proof::Open => {}
            }
            let (games, prior) = edge.guide();
            let n = games as f32;
            let value = if games == 0 { unvisited } else { edge.values() as f32 / n };
            let urgency = value + explore * prior / (1.0 + n);
            if urgency > best.0 {
                best = (urgency, Some(edge));
            }
        }
        best.1
    }
}

/// Adds these moves with their probabilities after a move; false if there is no memory.
pub fn add_moves(tree: &Tree, edge: &Edge, moves: &[(u8, f32)]) -> bool {
    tree.expand(edge, moves.len(), moves.iter().map(|&(site, prior)| Edge::guided(site, prior)))
}

/// The value of a guided move for its player, 0 to 1.
pub fn rate(edge: &Edge) -> Option<f64> {
    let visits = edge.guide().0;
    (visits > 0).then(|| (edge.values() / f64::from(visits)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_proofs;
    use crate::network::SHAPE;
    use agon_games::nogo::NoGo;
    use agon_games::option::NoRules;
    use agon_games::{Game, rng};

    /// Searches a position with a random network, with a number of iterations or to a proof.
    fn search(game: &NoGo, iterations: u64) -> Tree {
        let network = BoardNetwork::random(&SHAPE, 0.1, &mut rng::stream(8, 0, "network"));
        let tree = Tree::new(1 << 22);
        let board = Board::new(game);
        let (legal, mover) = (board.legal(), game.side_to_move().index());
        let (_, moves) = Guide::new(&network).evaluate(&board, legal, mover, legal[mover]);
        add_moves(&tree, &tree.root, &moves);
        let mut worker = Worker::new(Shared { tree: &tree, board: &board, mover }, &network, 1.0);
        for _ in 0..iterations {
            worker.iterate();
            if tree.root.link().proof() != Proof::Open {
                break;
            }
        }
        tree
    }

    #[test]
    fn every_iteration_is_counted_once_on_each_ply_with_the_value_of_its_side() {
        let tree = search(&NoGo::start(&NoRules), 2000);
        let children = tree.children(tree.root.link());
        let visits: u32 = children.iter().map(|edge| edge.guide().0).sum();
        let values: f64 = children.iter().map(Edge::values).sum();
        assert_eq!((visits, tree.root.guide().0), (2000, 2000));
        // Each value is rounded once on each ply.
        assert!((tree.root.values() + values - 2000.0).abs() < 0.1, "{values}");
        let priors: f32 = children.iter().map(|edge| edge.guide().1).sum();
        assert!((priors - 1.0).abs() < 1e-3, "{priors}");
    }

    #[test]
    fn the_tree_proves_late_positions_as_trying_all_moves_does() {
        assert_proofs(|game| search(game, 1_500).root.link().proof());
    }
}
