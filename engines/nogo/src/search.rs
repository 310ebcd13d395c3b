//! Tree search with rapid action value estimation: selection, expansion, playout and counting.
//!
//! A move's value is a weighted mean of its own playouts and of those in which the same player made it later
//! (Gelly and Silver 2011); an unvisited move has the second only, which is its first-play urgency. Nodes whose
//! result is certain are noted in the tree (Winands et al. 2008) and not searched again.

use crate::board::{Board, SITES, sites};
use crate::ending::decided;
use crate::params;
use crate::playout::{Candidates, Played, below, play_out};
use crate::tree::{Edge, Proof, Tree};
use agon_games::nogo::BOARD;
use agon_games::rng::Stream;

/// The number of moves that a game can have, with the root.
const LONGEST: usize = BOARD.count_ones() as usize + 1;

/// What all threads share.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a> {
    /// The tree; its root is expanded.
    pub tree: &'a Tree,
    /// The position at the root.
    pub board: &'a Board,
    /// The side to move there, 0 or 1.
    pub mover: usize,
}

/// One thread of the search.
pub struct Worker<'a> {
    shared: Shared<'a>,
    candidates: Candidates,
    stream: Stream,
    /// The moves from the root, which is the first.
    path: Vec<&'a Edge>,
    played: Played,
    weights: Weights,
}

/// The parameters of selection.
#[derive(Clone, Copy, Debug)]
struct Weights {
    exploration: f32,
    /// How fast the weight of later moves falls: 4 b^2 of Gelly and Silver.
    bias: f32,
}

impl<'a> Worker<'a> {
    /// A thread with its random numbers.
    pub fn new(shared: Shared<'a>, stream: Stream) -> Worker<'a> {
        let b = params::rave_bias() as f32 / 1000.0;
        let exploration = params::rave_exploration() as f32 / 100.0;
        Worker {
            shared,
            candidates: Candidates::new(shared.board),
            stream,
            path: Vec::with_capacity(LONGEST),
            played: [[0; SITES]; 2],
            weights: Weights { exploration, bias: 4.0 * b * b },
        }
    }

    /// One iteration; returns the number of its moves in the tree.
    pub fn iterate(&mut self) -> u64 {
        let mut board = self.shared.board.clone();
        self.played = [[0; SITES]; 2];
        self.path.clear();
        let root = &self.shared.tree.root;
        root.enter();
        self.path.push(root);
        let (mover, proof) = self.select(&mut board);
        let other = mover ^ 1;
        let winner = match proof {
            // The proof is of the last move, which the other side made.
            Proof::Won => other,
            Proof::Lost => mover,
            Proof::Open => {
                let candidates = self.candidates.clone();
                play_out(&mut board, mover, candidates, &mut self.stream, &mut self.played)
            }
        };
        self.count(winner);
        if proof != Proof::Open {
            settle(self.shared.tree, &self.path);
        }
        self.path.len() as u64 - 1
    }

    /// Goes from the root to a move that is proved or whose position is to be played out. Returns the side to move
    /// there and what is known of the move.
    fn select(&mut self, board: &mut Board) -> (usize, Proof) {
        let mut mover = self.shared.mover;
        let mut at = &self.shared.tree.root;
        loop {
            if !at.link().is_expanded() && at.link().proof() == Proof::Open {
                let is_new = at.direct().0 <= params::expansion_visits();
                if is_new || !expand(self.shared.tree, at, board, mover, &mut self.stream) {
                    return (mover, Proof::Open);
                }
            }
            let link = at.link();
            if link.proof() != Proof::Open {
                return (mover, link.proof());
            }
            let Some(next) = best(self.shared.tree.children(link), at.direct().0, self.weights)
            else {
                return (mover, Proof::Open);
            };
            next.enter();
            let site = next.link().site();
            board.place(mover, site);
            self.played[mover][usize::from(site)] = 1;
            self.path.push(next);
            at = next;
            mover ^= 1;
        }
    }

    /// Adds the result to the moves of the path, and to the moves beside them that were played later.
    fn count(&mut self, winner: usize) {
        let tree = self.shared.tree;
        let mut mover = self.shared.mover;
        for edge in &self.path {
            if mover != winner {
                edge.win();
            }
            let (played, is_won) = (&self.played[mover], mover == winner);
            for later in tree.children(edge.link()) {
                later.note(played[usize::from(later.link().site())], is_won);
            }
            mover ^= 1;
        }
        let depth = self.path.len() - 1;
        tree.deepest.fetch_max(depth, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Backs up the proof of the last move of a path as far as it decides.
pub fn settle(tree: &Tree, path: &[&Edge]) {
    for edge in path.iter().rev().skip(1) {
        if edge.link().proof() != Proof::Open {
            continue;
        }
        let Some(wins) = refuted(tree.children(edge.link())) else { return };
        edge.prove(wins);
    }
}

/// Whether a move wins, by its answers: if all of them lose, and not if one wins.
fn refuted(answers: &[Edge]) -> Option<bool> {
    let mut all_lose = true;
    for answer in answers {
        match answer.link().proof() {
            Proof::Won => return Some(false),
            Proof::Lost => {}
            Proof::Open => all_lose = false,
        }
    }
    all_lose.then_some(true)
}

/// The move to try: the greatest value and exploration. `None` if all lose.
#[inline]
fn best(moves: &[Edge], visits: u32, weights: Weights) -> Option<&Edge> {
    let log = libm::logf(visits.max(1) as f32) * weights.exploration * weights.exploration;
    let mut best = (f32::NEG_INFINITY, None);
    for edge in moves {
        let proof = edge.link().proof();
        if proof == Proof::Lost {
            continue;
        }
        let urgency = urgency(edge, log, weights.bias);
        if urgency > best.0 {
            best = (urgency, Some(edge));
        }
        if proof == Proof::Won {
            return Some(edge);
        }
    }
    best.1
}

/// The weighted mean of a move's own playouts, explored as in UCB1, and those in which it was played later.
/// `log`: the logarithm of the visits to the position, times the square of the exploration constant.
#[inline]
fn urgency(edge: &Edge, log: f32, bias: f32) -> f32 {
    let ((games, wins), (later, later_wins)) = (edge.direct(), edge.amaf());
    let [games, wins, later, later_wins] = [games, wins, later, later_wins].map(|n| n as f32);
    let weight = 1.0 + bias * later;
    let own = wins + (log * games).sqrt();
    (own * weight + later_wins) / (games * weight + later)
}

/// Adds the moves after a move, or proves it; false if it is to be played out instead, because there is no memory
/// or another thread expands it.
fn expand(tree: &Tree, edge: &Edge, board: &Board, mover: usize, stream: &mut Stream) -> bool {
    if !edge.claim() {
        return false;
    }
    let legal = board.legal();
    if let Some(wins) = decided([board.stones(0), board.stones(1)], legal, mover) {
        edge.prove(!wins);
        return true;
    }
    add_moves(tree, edge, legal[mover], legal[mover ^ 1], stream)
}

/// Adds these moves after a move, in an order that begins anywhere. Moves that the opponent cannot make too are
/// better kept: nobody takes them away.
pub fn add_moves(
    tree: &Tree,
    edge: &Edge,
    moves: u128,
    opponents: u128,
    stream: &mut Stream,
) -> bool {
    let count = moves.count_ones() as usize;
    let mut order = [0; LONGEST];
    order.iter_mut().zip(sites(moves)).for_each(|(place, site)| *place = site);
    order[..count].rotate_left(below(stream, count));
    let prior = |site: u8| {
        let is_shared = opponents & crate::board::point(site).bit() != 0;
        let wins = if is_shared { params::prior_games() / 2 } else { params::reserve_wins() };
        Edge::new(site, params::prior_games(), wins)
    };
    tree.expand(edge, count, order[..count].iter().map(|&site| prior(site)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_proofs;
    use agon_games::nogo::NoGo;
    use agon_games::option::NoRules;
    use agon_games::{Game, rng};

    /// Searches a position with a number of iterations, or to a proof, and shows the last worker.
    fn search(game: &NoGo, iterations: u64, look: impl FnOnce(&Worker)) -> Tree {
        let tree = Tree::new(1 << 22);
        let board = Board::new(game);
        let (legal, mover) = (board.legal(), game.side_to_move().index());
        let mut stream = rng::stream(3, 0, "test");
        add_moves(&tree, &tree.root, legal[mover], legal[mover ^ 1], &mut stream);
        let mut worker = Worker::new(Shared { tree: &tree, board: &board, mover }, stream);
        for _ in 0..iterations {
            worker.iterate();
            if tree.root.link().proof() != Proof::Open {
                break;
            }
        }
        look(&worker);
        tree
    }

    #[test]
    fn the_moves_of_the_mover_count_as_played_later_and_no_others() {
        let game = NoGo::start(&NoRules);
        for side in 0..2 {
            let mut game = game;
            (0..side).for_each(|_| _ = game.play(crate::board::point(61)));
            search(&game, 1, |worker| {
                let children = worker.shared.tree.children(worker.shared.tree.root.link());
                // The root is the opponent's move: its win is the mover's loss.
                let is_won = worker.shared.tree.root.direct() == (1, 0);
                let mut noted = 0;
                for edge in children {
                    let played = worker.played[side][usize::from(edge.link().site())];
                    let (games, wins) = edge.amaf();
                    assert_eq!(games, params::prior_games() + u32::from(played));
                    let prior = params::prior_games() / 2;
                    assert_eq!(wins, prior + u32::from(played == 1 && is_won));
                    noted += u32::from(played);
                }
                assert!(noted > 10 && noted < 40, "{noted}");
            });
        }
    }

    #[test]
    fn every_iteration_is_counted_once_on_each_ply() {
        let tree = search(&NoGo::start(&NoRules), 3000, |_| {});
        let children = tree.children(tree.root.link());
        let games: u32 = children.iter().map(|edge| edge.direct().0).sum();
        let wins: u32 = children.iter().map(|edge| edge.direct().1).sum();
        assert_eq!((games, tree.root.direct()), (3000, (3000, 3000 - wins)));
        for edge in children {
            // A move on the path is also played later than the root.
            assert!(edge.amaf().0 - params::prior_games() >= edge.direct().0);
            assert!(edge.direct().1 <= edge.direct().0 && edge.amaf().1 <= edge.amaf().0);
        }
    }

    #[test]
    fn the_tree_proves_late_positions_as_trying_all_moves_does() {
        assert_proofs(|game| search(game, 20_000, |_| {}).root.link().proof());
    }
}
