//! The tree: nodes in one arena, with the children of a node adjacent.

use super::settings::{MctsEvaluator, MctsSettings, upper_confidence_bound};
use crate::clock::{NodeCounter, Stopped};
use crate::root::Root;
use agon_games::game::chance_outcomes;
use agon_games::hash::mix;
use agon_games::rng::{self, Stream};
use agon_games::{Game, Outcome, Player, Turn};
use std::ops::ControlFlow;

/// The position after a decision or an outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode<M> {
    m: M,
    /// An outcome's weight; 0 for a decision.
    weight: u32,
    /// The class shared by equally good outcomes.
    class: u32,
    /// The value for the player who decided, if progressive bias needs it.
    value: f32,
    /// The first player's points in `visits`.
    pub(super) points: f64,
    pub(super) visits: f64,
    first_child: u32,
    children: u32,
}

#[derive(Debug)]
pub(super) struct SearchTree<G: Game> {
    /// The root is node 0; it has no move, so the arena starts with its statistics.
    pub(super) nodes: Vec<TreeNode<G::Move>>,
    root: (u32, u32),
    root_visits: f64,
    /// The maximum number of nodes; beyond it nothing is expanded.
    pub(super) capacity: usize,
    /// Distinguishes the playouts of different searches.
    pub(super) salt: u64,
    /// The length of the longest path so far.
    pub(super) deepest: u32,
    grown: u64,
    pub(super) path: Vec<u32>,
    pub(super) leaves: Vec<(G, u64)>,
    half_points: Vec<u32>,
}

/// The end of a selection.
pub(super) enum SelectionEnd<G> {
    /// A finished game: the first player's points, and the visits that they count for.
    Over(f64, f64),
    /// A position that is not expanded, because the arena is full.
    Full(G),
    /// The parent of new nodes.
    New(At),
}

/// The kind of children of a node or of the root.
#[derive(Clone, Copy)]
pub(super) enum At {
    Root,
    Node(u32),
}

impl<G: Game> SearchTree<G> {
    /// The size of a node in bytes.
    pub(super) const NODE_BYTES: usize = size_of::<TreeNode<G::Move>>();

    pub(super) fn new() -> Self {
        SearchTree {
            nodes: Vec::new(),
            root: (0, 0),
            root_visits: 0.0,
            capacity: usize::MAX,
            salt: 0,
            deepest: 0,
            grown: 0,
            path: Vec::new(),
            leaves: Vec::new(),
            half_points: Vec::new(),
        }
    }

    /// Removes all nodes and keeps their memory: pages of a new arena cost more than the nodes on them.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        *self = SearchTree { nodes: std::mem::take(&mut self.nodes), ..SearchTree::new() };
    }

    pub(super) fn permille(&self) -> u32 {
        (self.nodes.len() as u64 * 1000 / self.capacity.max(1) as u64).min(1000) as u32
    }

    /// Iterations in this search.
    pub(super) fn iterations(&self) -> u64 {
        self.grown
    }

    pub(super) fn children(&self, at: At) -> std::ops::Range<usize> {
        let (first, count) = match at {
            At::Root => self.root,
            At::Node(n) => {
                let node = &self.nodes[n as usize];
                (node.first_child, node.children)
            }
        };
        first as usize..(first + count) as usize
    }

    fn set_children(&mut self, at: At, first: usize) {
        let range = (first as u32, (self.nodes.len() - first) as u32);
        match at {
            At::Root => self.root = range,
            At::Node(n) => {
                let node = &mut self.nodes[n as usize];
                (node.first_child, node.children) = range;
            }
        }
    }

    fn visits(&self, at: At) -> f64 {
        match at {
            At::Root => self.root_visits,
            At::Node(n) => self.nodes[n as usize].visits,
        }
    }

    /// One iteration: selection, expansion, playouts and backpropagation.
    pub(super) fn grow<E: MctsEvaluator<G>>(
        &mut self,
        root: &Root<G>,
        settings: &MctsSettings,
        evaluator: &mut E,
        stream: &mut Stream,
        counter: &mut NodeCounter,
    ) -> Result<(), Stopped> {
        let (points, visits) = match self.reach_leaf(root, settings, evaluator, stream, counter)? {
            SelectionEnd::Over(points, visits) => (points, visits),
            SelectionEnd::Full(game) => self.play_out_leaf(&game, settings, evaluator, counter)?,
            SelectionEnd::New(at) => match self.play_out(at, settings, evaluator, counter) {
                Ok(sums) => sums,
                Err(stopped) => {
                    // Without playouts the children would count as evaluated.
                    self.fold(at);
                    return Err(stopped);
                }
            },
        };
        self.back_up(points, visits);
        Ok(())
    }

    /// Selects from the root to a leaf and expands it: then `path` leads there, and `leaves` holds
    /// the new positions.
    pub(super) fn reach_leaf<E: MctsEvaluator<G>>(
        &mut self,
        root: &Root<G>,
        settings: &MctsSettings,
        evaluator: &mut E,
        stream: &mut Stream,
        counter: &mut NodeCounter,
    ) -> Result<SelectionEnd<G>, Stopped> {
        counter.visit()?;
        let mut game = root.game().clone();
        let mut at = At::Root;
        self.path.clear();
        loop {
            match game.turn() {
                Turn::Over(outcome) => {
                    let weight = f64::from(settings.simulations.max(1));
                    return Ok(SelectionEnd::Over(first_points(outcome) * weight, weight));
                }
                Turn::Chance => {
                    if self.children(at).is_empty() {
                        self.list_outcomes(&game, at, evaluator);
                    }
                    at = self.draw(at, stream);
                }
                Turn::Player(mover) => {
                    if self.children(at).is_empty() {
                        if !self.make_room(counter.clock()) {
                            return Ok(SelectionEnd::Full(game));
                        }
                        self.expand(&game, mover, at, root, settings, evaluator);
                        return Ok(SelectionEnd::New(at));
                    }
                    at = self.select(at, mover, settings);
                }
            }
            if let At::Node(n) = at {
                game.play(self.nodes[n as usize].m);
                self.path.push(n);
            }
        }
    }

    /// Adds the sums of an iteration to the nodes of `path`.
    pub(super) fn back_up(&mut self, points: f64, visits: f64) {
        self.root_visits += visits;
        for &n in &self.path {
            let node = &mut self.nodes[n as usize];
            node.points += points;
            node.visits += visits;
        }
        self.deepest = self.deepest.max(self.path.len() as u32);
        self.grown += 1;
    }

    /// The decision with the highest upper confidence bound for its mover.
    fn select(&self, at: At, mover: Player, settings: &MctsSettings) -> At {
        let log = libm::log(self.visits(at).max(1.0));
        let range = self.children(at);
        let mut best = (f64::NEG_INFINITY, range.start);
        for n in range {
            let node = &self.nodes[n];
            let (points, value) = (node.points_of(mover), f64::from(node.value));
            let (c, bias) = (settings.exploration, settings.bias);
            let bound = upper_confidence_bound(points, node.visits, log, c, bias, value);
            if bound > best.0 {
                best = (bound, n);
            }
        }
        At::Node(best.1 as u32)
    }

    /// Samples an outcome with probability proportional to its weight.
    fn draw(&self, at: At, stream: &mut Stream) -> At {
        let range = self.children(at);
        let weights = self.nodes[range.clone()].iter().map(|n| n.weight);
        let chosen = rng::weighted_index(stream, weights).unwrap_or(0);
        At::Node((range.start + chosen) as u32)
    }

    fn list_outcomes<E: MctsEvaluator<G>>(&mut self, game: &G, at: At, evaluator: &E) {
        let first = self.nodes.len();
        for (m, weight) in chance_outcomes(game) {
            let class = evaluator.outcome_class(game, m);
            match self.nodes[first..].iter_mut().find(|n| n.class == class) {
                Some(node) => node.weight += weight,
                None => self.nodes.push(TreeNode::new(m, weight, class)),
            }
        }
        self.set_children(at, first);
    }

    /// Creates a node for every decision.
    fn expand<E: MctsEvaluator<G>>(
        &mut self,
        game: &G,
        mover: Player,
        at: At,
        root: &Root<G>,
        settings: &MctsSettings,
        evaluator: &mut E,
    ) {
        let first = self.nodes.len();
        self.leaves.clear();
        let salt = self.salt;
        let mut push = |m| {
            let mut next = game.clone();
            next.play(m);
            let mut node = TreeNode::new(m, 0, 0);
            let over = next.turn().outcome();
            if settings.bias.is_some() || settings.prior.is_some() {
                let points = over.map(first_points);
                let first = points.unwrap_or_else(|| evaluator.value(&next, Player::First).into());
                node.value = (if mover == Player::First { first } else { 1.0 - first }) as f32;
                if let Some(weight) = settings.prior.filter(|_| over.is_none()) {
                    (node.points, node.visits) = (first * weight, weight);
                }
            }
            let key = mix(salt ^ next.hash());
            self.nodes.push(node);
            self.leaves.push((next, key));
            ControlFlow::Continue(())
        };
        let _ = match at {
            At::Root => root.visit_moves::<()>(&mut push),
            At::Node(_) => game.visit_moves::<()>(&mut push),
        };
        self.set_children(at, first);
    }

    /// Plays out the new children; returns the sums to backpropagate.
    fn play_out<E: MctsEvaluator<G>>(
        &mut self,
        at: At,
        settings: &MctsSettings,
        evaluator: &mut E,
        counter: &mut NodeCounter,
    ) -> Result<(f64, f64), Stopped> {
        let range = self.children(at);
        let (mut points, mut visits) = (0.0, 0.0);
        let finished: Vec<_> = self.leaves.iter().map(|l| l.0.turn().outcome()).collect();
        self.leaves.retain(|l| l.0.turn().outcome().is_none());
        let stopped = || counter.clock().expired();
        let playouts = settings.simulations;
        if playouts > 0
            && !evaluator.play_out(&self.leaves, playouts, &mut self.half_points, &stopped)
        {
            return Err(Stopped);
        }
        let mut played = self.half_points.iter();
        let weight = f64::from(settings.simulations);
        for (n, over) in range.zip(finished) {
            let node = &mut self.nodes[n];
            let (won, of) = match over {
                Some(outcome) => {
                    let of = weight.max(1.0);
                    (first_points(outcome) * of, of)
                }
                None if settings.simulations == 0 => {
                    // Without playouts the value itself is backpropagated, once.
                    let rate = if node.visits > 0.0 { node.points / node.visits } else { 0.5 };
                    points += rate;
                    visits += 1.0;
                    continue;
                }
                None => (f64::from(played.next().copied().unwrap_or(0)) / 2.0, weight),
            };
            node.points += won;
            node.visits += of;
            points += won;
            visits += of;
        }
        for _ in 0..visits as u32 {
            if counter.visit().is_err() {
                break;
            }
        }
        Ok((points, visits))
    }

    /// Removes the newest nodes, undoing an expansion.
    fn fold(&mut self, at: At) {
        let range = self.children(at);
        self.nodes.truncate(range.start);
        self.set_children(at, range.start);
    }

    /// The key of the playouts of a position that is not expanded.
    pub(super) fn leaf_key(&self) -> u64 {
        mix(self.salt ^ mix(self.grown))
    }

    /// Plays out the leaf itself, because the arena is full.
    fn play_out_leaf<E: MctsEvaluator<G>>(
        &mut self,
        game: &G,
        settings: &MctsSettings,
        evaluator: &mut E,
        counter: &NodeCounter,
    ) -> Result<(f64, f64), Stopped> {
        if settings.simulations == 0 {
            return Ok((evaluator.value(game, Player::First).into(), 1.0));
        }
        let leaf = [(game.clone(), self.leaf_key())];
        let (playouts, stopped) = (settings.simulations, || counter.clock().expired());
        if !evaluator.play_out(&leaf, playouts, &mut self.half_points, &stopped) {
            return Err(Stopped);
        }
        let half = self.half_points.first().copied().unwrap_or(0);
        Ok((f64::from(half) / 2.0, f64::from(playouts)))
    }

    /// The most visited decisions at the root, at most `count`, with ties broken by the better rate:
    /// each with its variation and its share of points for `mover`.
    pub(super) fn ranked(&self, mover: Player, count: usize) -> Vec<(Vec<G::Move>, f64)> {
        let rate = |n: &TreeNode<G::Move>| {
            if n.visits > 0.0 { n.points_of(mover) / n.visits } else { 0.0 }
        };
        let order = |a: &usize, b: &usize| {
            let (a, b) = (&self.nodes[*a], &self.nodes[*b]);
            b.visits.total_cmp(&a.visits).then_with(|| rate(b).total_cmp(&rate(a)))
        };
        let mut all: Vec<usize> = self.children(At::Root).rev().collect();
        all.sort_by(order);
        all.truncate(count);
        all.into_iter().map(|n| (self.variation(n), rate(&self.nodes[n]))).collect()
    }

    /// The decision of a node and the most visited ones after it, up to a chance event.
    fn variation(&self, node: usize) -> Vec<G::Move> {
        let mut line = vec![self.nodes[node].m];
        let mut at = node;
        while let Some(next) = self.children(At::Node(at as u32)).max_by(|&a, &b| {
            let (a, b) = (&self.nodes[a], &self.nodes[b]);
            a.visits.total_cmp(&b.visits)
        }) && self.nodes[next].weight == 0
            && self.nodes[next].visits > 0.0
        {
            line.push(self.nodes[next].m);
            at = next;
        }
        line
    }

    /// Makes the node reached by `moves` from `from` the root and drops the rest; false if the tree
    /// does not contain it.
    pub(super) fn descend<E: MctsEvaluator<G>>(
        &mut self,
        from: &G,
        moves: &[G::Move],
        evaluator: &E,
    ) -> bool {
        let mut game = from.clone();
        let mut at = At::Root;
        for &m in moves {
            let class = (game.turn() == Turn::Chance).then(|| evaluator.outcome_class(&game, m));
            let found = self.children(at).find(|&n| {
                let node = &self.nodes[n];
                class.map_or(node.m == m, |c| node.class == c)
            });
            let Some(n) = found else { return false };
            game.play(m);
            at = At::Node(n as u32);
        }
        let (visits, old) = (self.visits(at), self.children(at));
        let kept = std::mem::take(&mut self.nodes);
        if self.nodes.try_reserve(kept.len()).is_err() {
            return false;
        }
        self.root = self.copy(&kept, old);
        // Breadth first: everything before `next` has had its children copied.
        let mut next = 0;
        while next < self.nodes.len() {
            let node = self.nodes[next];
            let begin = node.first_child as usize;
            let range = self.copy(&kept, begin..begin + node.children as usize);
            (self.nodes[next].first_child, self.nodes[next].children) = range;
            next += 1;
        }
        self.root_visits = visits;
        self.grown = 0;
        self.deepest = 0;
        true
    }

    fn copy(&mut self, from: &[TreeNode<G::Move>], range: std::ops::Range<usize>) -> (u32, u32) {
        let placed = (self.nodes.len() as u32, range.len() as u32);
        self.nodes.extend_from_slice(&from[range]);
        placed
    }

    #[cfg(test)]
    pub(super) fn root_nodes(&self) -> &[TreeNode<G::Move>] {
        &self.nodes[self.children(At::Root)]
    }

    #[cfg(test)]
    pub(super) fn root_visits(&self) -> f64 {
        self.root_visits
    }
}

impl<M> TreeNode<M> {
    fn new(m: M, weight: u32, class: u32) -> TreeNode<M> {
        TreeNode {
            m,
            weight,
            class,
            value: 0.0,
            points: 0.0,
            visits: 0.0,
            first_child: 0,
            children: 0,
        }
    }

    /// Points of a player.
    fn points_of(&self, player: Player) -> f64 {
        match player {
            Player::First => self.points,
            Player::Second => self.visits - self.points,
        }
    }

    #[cfg(test)]
    pub(super) fn statistics(&self) -> (f64, f64) {
        (self.points, self.visits)
    }
}

/// The first player's share of the point.
pub(super) fn first_points(outcome: Outcome) -> f64 {
    f64::from(outcome.sign_for(Player::First) + 1) / 2.0
}
