//! The tree below one root move: selection, expansion and backpropagation, and one round of the
//! search in all trees.

use super::settings::{PaperMctsSettings, WinsOf};
use super::simulator::Simulator;
use agon_games::Player;
use agon_games::hash::mix;
use agon_search::clock::{NodeCounter, Stopped};
use agon_search::mcts::upper_confidence_bound;

/// A node: the position after a move.
pub(crate) struct Node<B> {
    board: B,
    /// The seed of the node's playouts.
    key: u64,
    /// The player to roll.
    mover: Player,
    winner: Option<Player>,
    /// The first player's wins in `visits`; prior knowledge makes them fractional.
    first_wins: f64,
    visits: f64,
    /// `V(b)` for the player who moved here, if progressive bias needs it.
    value: f32,
    first_child: u32,
    children: u8,
}

impl<B: Copy> Node<B> {
    pub(crate) fn new(board: B, mover: Player, winner: Option<Player>, key: u64) -> Node<B> {
        Node {
            board,
            key,
            mover,
            winner,
            first_wins: 0.0,
            visits: 0.0,
            value: 0.0,
            first_child: 0,
            children: 0,
        }
    }

    fn wins(&self, player: Player) -> f64 {
        match player {
            Player::First => self.first_wins,
            Player::Second => self.visits - self.first_wins,
        }
    }

    /// The winning rate of `player`; 0 before the first visit.
    pub(crate) fn winning_rate(&self, player: Player) -> f64 {
        if self.visits > 0.0 { self.wins(player) / self.visits } else { 0.0 }
    }

    fn child_range(&self) -> std::ops::Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}

/// The tree below one root move.
pub(crate) struct Tree<B> {
    nodes: Vec<Node<B>>,
    /// The nodes from the root to the selected leaf.
    path: Vec<u32>,
}

/// The leaves of a round and their playout results, for all trees at once, which gives the threads
/// more work to share.
pub(crate) struct Round<B> {
    leaves: Vec<(B, u64)>,
    wins: Vec<u32>,
}

impl<B> Default for Round<B> {
    fn default() -> Self {
        Round { leaves: Vec::new(), wins: Vec::new() }
    }
}

impl<B: Copy> Tree<B> {
    pub(crate) fn new(root: Node<B>) -> Self {
        Tree { nodes: vec![root], path: Vec::new() }
    }

    pub(crate) fn root(&self) -> &Node<B> {
        &self.nodes[0]
    }

    /// The nodes on the latest path.
    pub(crate) fn depth(&self) -> u32 {
        self.path.len() as u32
    }

    /// The selected leaf.
    fn leaf(&self) -> usize {
        self.path.last().copied().unwrap_or(0) as usize
    }

    /// Selects a leaf and expands it; appends the new children to `leaves`.
    fn select_and_expand<S: Simulator<Board = B>>(
        &mut self,
        settings: &PaperMctsSettings,
        simulator: &S,
        engine: Player,
        leaves: &mut Vec<(B, u64)>,
    ) {
        self.select(settings, engine);
        let leaf = self.leaf();
        if self.nodes[leaf].winner.is_none() {
            self.expand(leaf, settings, simulator);
            let children = &self.nodes[self.nodes[leaf].child_range()];
            let open = children.iter().filter(|n| n.winner.is_none());
            leaves.extend(open.map(|n| (n.board, n.key)));
        }
    }

    /// Descends from the root to a leaf, always to the child with the highest bound.
    fn select(&mut self, settings: &PaperMctsSettings, engine: Player) {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].children > 0 {
            let parent = &self.nodes[at];
            let chooser = match settings.wins_of {
                WinsOf::Mover => parent.mover,
                WinsOf::Engine => engine,
            };
            let log = libm::log(parent.visits.max(1.0));
            let mut best = (f64::NEG_INFINITY, parent.child_range().start);
            for child in parent.child_range() {
                let bound = upper_bound(&self.nodes[child], chooser, log, settings);
                if bound > best.0 {
                    best = (bound, child);
                }
            }
            at = best.1;
            self.path.push(at as u32);
        }
    }

    /// Creates the children of a leaf: one for every move of every living stone.
    fn expand<S: Simulator<Board = B>>(
        &mut self,
        leaf: usize,
        settings: &PaperMctsSettings,
        simulator: &S,
    ) {
        let Node { board, key, mover, .. } = self.nodes[leaf];
        let first = self.nodes.len();
        S::visit_moves(&board, &mut |from, to, next, winner| {
            let child_key = mix(key ^ (u64::from(from) * 32 + u64::from(to) + 1));
            let mut child = Node::new(next, mover.opponent(), winner, child_key);
            if winner.is_none() && (settings.bias.is_some() || settings.prior.is_some()) {
                child.value = simulator.value(&next);
            }
            if let Some(weight) = settings.prior.filter(|_| winner.is_none()) {
                let own = f64::from(child.value) * weight;
                child.visits = weight;
                child.first_wins = if mover == Player::First { own } else { weight - own };
            }
            self.nodes.push(child);
        });
        self.nodes[leaf].first_child = first as u32;
        self.nodes[leaf].children = (self.nodes.len() - first) as u8;
    }

    /// Backs up the playout results, consumed from `wins` in the order of its leaves.
    fn back_up(&mut self, settings: &PaperMctsSettings, wins: &mut impl Iterator<Item = u32>) {
        let leaf = self.leaf();
        let (wins, visits) = match self.nodes[leaf].winner {
            Some(winner) => {
                let visits = f64::from(settings.simulations);
                (if winner == Player::First { visits } else { 0.0 }, visits)
            }
            None => self.add_child_results(leaf, settings, wins),
        };
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.first_wins += wins;
            node.visits += visits;
        }
    }

    /// Adds the playouts of a leaf's new children to them; returns their sums for the path above.
    fn add_child_results(
        &mut self,
        leaf: usize,
        settings: &PaperMctsSettings,
        played: &mut impl Iterator<Item = u32>,
    ) -> (f64, f64) {
        let children = self.nodes[leaf].child_range();
        let simulations = f64::from(settings.simulations);
        let (mut wins, mut visits) = (0.0, 0.0);
        for node in &mut self.nodes[children] {
            let won = match node.winner {
                Some(Player::First) => simulations,
                Some(Player::Second) => 0.0,
                None => f64::from(played.next().unwrap_or(0)),
            };
            node.first_wins += won;
            node.visits += simulations;
            wins += won;
            visits += simulations;
        }
        (wins, visits)
    }
}

/// One round of selection, expansion, simulation and backpropagation in every tree.
pub(crate) fn play_round<S: Simulator>(
    trees: &mut [Tree<S::Board>],
    round: &mut Round<S::Board>,
    settings: &PaperMctsSettings,
    simulator: &S,
    engine: Player,
    counter: &mut NodeCounter,
) -> Result<(), Stopped> {
    counter.visit()?;
    round.leaves.clear();
    for tree in trees.iter_mut() {
        tree.select_and_expand(settings, simulator, engine, &mut round.leaves);
    }
    let stopped = || counter.clock().expired();
    let simulations = settings.simulations;
    if stopped() || !simulator.play_out(&round.leaves, simulations, &mut round.wins, &stopped) {
        return Err(Stopped);
    }
    let mut wins = round.wins.iter().copied();
    for tree in trees.iter_mut() {
        tree.back_up(settings, &mut wins);
    }
    for _ in 0..round.leaves.len() as u64 * u64::from(simulations) {
        counter.visit()?;
    }
    Ok(())
}

/// Formula 1, plus the term of formula 2 with progressive bias.
fn upper_bound<B: Copy>(
    node: &Node<B>,
    chooser: Player,
    log: f64,
    settings: &PaperMctsSettings,
) -> f64 {
    let value = match node.winner {
        Some(winner) => f64::from(u8::from(winner == chooser)),
        None => f64::from(node.value),
    };
    let (wins, visits) = (node.wins(chooser), node.visits);
    upper_confidence_bound(wins, visits, log, settings.exploration, settings.bias, value)
}

#[cfg(test)]
mod tests {
    use super::super::simulator::test_simulator::{RandomGames, position};
    use super::*;
    use agon_games::einstein::EinStein;
    use agon_search::clock::Clock;
    use agon_wire::message::Limits;

    const OPEN: &str = "BFA2/CD3/E3e/3dc/2afb u 4";

    fn settings(simulations: u32) -> PaperMctsSettings {
        PaperMctsSettings { simulations, ..PaperMctsSettings::for_tests() }
    }

    fn tree(fen: &str) -> Tree<EinStein> {
        let board = RandomGames::board(&position(fen));
        Tree::new(Node::new(board, Player::First, None, 5))
    }

    fn play_rounds(tree: &mut Tree<EinStein>, settings: &PaperMctsSettings, rounds: u32) {
        let clock = Clock::unmanaged(&Limits::default());
        let (mut counter, mut round) = (NodeCounter::new(&clock), Round::default());
        let trees = std::slice::from_mut(tree);
        for _ in 0..rounds {
            let played =
                play_round(trees, &mut round, settings, &RandomGames, Player::First, &mut counter);
            played.unwrap();
        }
    }

    #[test]
    fn sums_grow_along_the_path_as_in_the_papers_example() {
        let mut tree = tree(OPEN);
        play_rounds(&mut tree, &settings(10), 1);
        // All six stones are alive and none is at its target edge: 18 children.
        assert_eq!(tree.nodes[0].children, 18);
        assert_eq!(tree.nodes[0].visits, 180.0);
        play_rounds(&mut tree, &settings(10), 40);
        for node in tree.nodes.iter().filter(|n| n.children > 0) {
            let below = &tree.nodes[node.child_range()];
            let visits: f64 = below.iter().map(|n| n.visits).sum();
            let wins: f64 = below.iter().map(|n| n.first_wins).sum();
            let own = if std::ptr::eq(node, &tree.nodes[0]) { 0.0 } else { 10.0 };
            assert_eq!(node.visits, visits + own);
            assert!((0.0..=own).contains(&(node.first_wins - wins)));
        }
    }

    #[test]
    fn a_finished_node_is_never_expanded_and_backs_up_its_result() {
        // First's only stone is next to the goal, Second's far away.
        let mut tree = tree("1f3/5/5/3A1/5 u -");
        play_rounds(&mut tree, &settings(3), 200);
        let done: Vec<_> = tree.nodes.iter().filter(|n| n.winner.is_some()).collect();
        assert!(done.iter().any(|n| n.visits > 3.0));
        assert!(done.iter().all(|n| n.children == 0));
        assert!(done.iter().all(|n| n.wins(n.winner.unwrap()) == n.visits));
    }

    #[test]
    fn prior_knowledge_starts_new_nodes_and_bias_prefers_good_boards() {
        let with = |prior, bias| {
            let s = PaperMctsSettings { prior, bias, ..settings(10) };
            let mut tree = tree(OPEN);
            tree.expand(0, &s, &RandomGames);
            let node = &tree.nodes[1];
            (node.visits, node.first_wins, upper_bound(node, Player::First, 5.0, &s))
        };
        let (visits, wins, unbiased) = with(Some(175.0), None);
        assert_eq!(visits, 175.0);
        assert!((50.0..125.0).contains(&wins), "{wins}");
        let (_, _, biased) = with(Some(175.0), Some(10.0));
        assert!(biased > unbiased);
    }
}
