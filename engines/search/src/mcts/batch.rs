//! Batches of selections whose playouts run on other threads while the next batch is selected.
//!
//! A selection adds the visits of its playouts at once, with the mean result of its leaf so far, so
//! that the selections after it take other paths (compare Liu et al. 2020, "watch the unobserved").
//! The true results replace these when they are known. Batches are collected in the order in which
//! they were selected, so the search does not depend on the timing of the threads.

use super::settings::{MctsEvaluator, MctsSettings};
use super::tree::{At, SearchTree, SelectionEnd, first_points};
use crate::clock::{NodeCounter, Stopped};
use crate::params;
use crate::root::Root;
use agon_games::Game;
use agon_games::rng::Stream;

/// The number of selections in a batch; 1 if a single one has enough playouts to share.
pub(super) fn selections(playouts: u32) -> u32 {
    let selections = params::batch_playouts().checked_div(playouts);
    selections.map_or(1, |n| n.clamp(1, params::batch_selections()))
}

/// A selection whose playouts are not known yet.
struct Pending {
    path: Vec<u32>,
    /// The new nodes that are played out; none if the leaf itself is.
    nodes: Vec<u32>,
    /// The points assumed for each position that is played out.
    assumed: f64,
}

/// Selections whose playouts run together.
#[derive(Default)]
pub(super) struct Batch<G> {
    pending: Vec<Pending>,
    /// The positions to play out, and the keys of their random streams.
    pub leaves: Vec<(G, u64)>,
    /// Whether the search must end after this batch.
    pub is_last: bool,
}

impl<G: Game> SearchTree<G> {
    /// Selects `size` leaves, fewer if the search is stopped.
    pub(super) fn select_batch<E: MctsEvaluator<G>>(
        &mut self,
        size: u64,
        root: &Root<G>,
        settings: &MctsSettings,
        evaluator: &mut E,
        stream: &mut Stream,
        counter: &mut NodeCounter,
    ) -> Batch<G> {
        let mut batch = Batch { pending: Vec::new(), leaves: Vec::new(), is_last: false };
        for _ in 0..size {
            match self.reach_leaf(root, settings, evaluator, stream, counter) {
                Ok(leaf) => {
                    let visits = self.assume(leaf, settings, &mut batch);
                    batch.is_last = (0..visits as u32).any(|_| counter.visit().is_err());
                }
                Err(Stopped) => batch.is_last = true,
            }
            if batch.is_last {
                break;
            }
        }
        batch
    }

    /// Adds the visits of a selection with assumed results; returns their number.
    fn assume(
        &mut self,
        leaf: SelectionEnd<G>,
        settings: &MctsSettings,
        batch: &mut Batch<G>,
    ) -> f64 {
        let playouts = f64::from(settings.simulations);
        let at = match leaf {
            SelectionEnd::Over(points, visits) => {
                self.back_up(points, visits);
                return visits;
            }
            SelectionEnd::Full(game) => {
                let assumed = self.assumed_points(self.path.last(), playouts);
                batch.leaves.push((game, self.leaf_key()));
                let (path, nodes) = (self.path.clone(), Vec::new());
                batch.pending.push(Pending { path, nodes, assumed });
                self.back_up(assumed, playouts);
                return playouts;
            }
            SelectionEnd::New(at) => at,
        };
        let leaf = match at {
            At::Root => None,
            At::Node(n) => Some(n),
        };
        let assumed = self.assumed_points(leaf.as_ref(), playouts);
        let (mut points, mut nodes) = (0.0, Vec::new());
        let leaves = std::mem::take(&mut self.leaves);
        let children = self.children(at);
        for (n, (game, key)) in children.clone().zip(leaves) {
            let won = match game.turn().outcome() {
                Some(outcome) => first_points(outcome) * playouts,
                None => {
                    nodes.push(n as u32);
                    batch.leaves.push((game, key));
                    assumed
                }
            };
            self.nodes[n].points += won;
            self.nodes[n].visits += playouts;
            points += won;
        }
        let visits = playouts * children.len() as f64;
        if !nodes.is_empty() {
            batch.pending.push(Pending { path: self.path.clone(), nodes, assumed });
        }
        self.back_up(points, visits);
        visits
    }

    /// The first player's points in `playouts` playouts at the mean of a node, or one half of them if
    /// it is not known. A multiple of one half, so that sums stay exact.
    fn assumed_points(&self, node: Option<&u32>, playouts: f64) -> f64 {
        let node = node.map(|&n| &self.nodes[n as usize]).filter(|n| n.visits > 0.0);
        let mean = node.map_or(0.5, |n| n.points / n.visits);
        (mean * playouts * 2.0).round() / 2.0
    }

    /// Replaces the assumed results of a batch by those of its playouts, in the order of
    /// [`Batch::leaves`], twice the first player's points each.
    pub(super) fn correct(&mut self, batch: &Batch<G>, half_points: &[u32]) {
        let mut played = half_points.iter();
        for pending in &batch.pending {
            let mut change = 0.0;
            let mut next = || f64::from(*played.next().unwrap_or(&0)) / 2.0 - pending.assumed;
            for &n in &pending.nodes {
                let difference = next();
                self.nodes[n as usize].points += difference;
                change += difference;
            }
            if pending.nodes.is_empty() {
                change = next();
            }
            for &n in &pending.path {
                self.nodes[n as usize].points += change;
            }
        }
    }
}
