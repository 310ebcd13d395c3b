//! `mcts-paper`: the Monte Carlo tree search of the paper, step by step as in its section 3.2.
//!
//! Every root move gets a tree of its own. The trees know nothing of dice: a node's children are
//! all moves of the next player, whatever the die, at most 18. Selection is by UCB1 (formula 1);
//! expansion makes all children of the selected leaf; each child is played out `simulations`
//! times at random; the sums are added along the path. A finished position is never expanded: its
//! result is backed up directly, with the weight of one leaf's playouts. After `iterations` rounds
//! in each tree the root move with the best winning rate is played, equal ones by lot.
//!
//! The paper calls `W` the wins "of the AI side" and says nothing of the opponent's choice in the
//! opponent's nodes. By default the player to move maximises its own rate ([`WinsOf::Mover`]); read
//! to the letter, both would maximise the engine's ([`WinsOf::Engine`]).

use crate::knowledge::{Knowledge, Rollout};
use crate::playout::Fast;
use crate::pool::{Leaf, Pool};
use agon_protocol::einstein::{EinStein, TARGETS};
use agon_protocol::game::Game;
use agon_protocol::hash::mix;
use agon_protocol::{Player, Record, rng};
use agon_search::clock::{Clock, NodeCounter, Stopped};
use agon_search::evaluator::collect_moves;
use agon_search::expectimax::UNIT;
use agon_search::result::SearchResult;
use agon_search::searcher::{Searcher, side_to_move};
use std::sync::Arc;

/// Whose wins selection maximises in the opponent's nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WinsOf {
    /// The player's who chooses there.
    #[default]
    Mover,
    /// The engine's, everywhere.
    Engine,
}

/// Numbers and choices of the paper's search; shared with `mcts` where they apply.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Rounds in the tree of each root move: `i`.
    pub iterations: u32,
    /// Playouts of each new node: `k`.
    pub simulations: u32,
    /// The factor `c` of UCB1's exploration term.
    pub exploration: f64,
    /// Progressive bias (formula 2): `Cp`, if it is used.
    pub bias: Option<f64>,
    /// Prior knowledge (formula 3): `N0`, if it is used.
    pub prior: Option<f64>,
    /// How playouts choose.
    pub rollout: Rollout,
    /// `V(b)` for the above.
    pub knowledge: Knowledge,
    /// Whose wins count in selection.
    pub wins_of: WinsOf,
    /// Names all random streams.
    pub seed: u64,
}

/// The search with its thread pool.
#[derive(Debug)]
pub struct PaperMcts {
    /// What to do.
    pub settings: Settings,
    /// Who plays out.
    pub pool: Arc<Pool>,
}

/// A node: the position after a move.
struct Node {
    board: Fast,
    /// Names the node's playouts.
    key: u64,
    over: Option<Player>,
    /// The first player's wins, of `visits`; fractions come from prior knowledge only.
    first_wins: f64,
    visits: f64,
    /// `V(b)` for the player who moved here, where progressive bias needs it.
    value: f32,
    first_child: u32,
    children: u8,
}

impl Node {
    fn new(board: Fast, over: Option<Player>, key: u64) -> Node {
        Node {
            board,
            key,
            over,
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
}

/// The tree below one root move.
struct Tree {
    nodes: Vec<Node>,
    path: Vec<u32>,
}

/// Where the playouts of a round's leaves are gathered: those of all trees at once, as the trees
/// do not meet, which gives the threads more to share.
#[derive(Default)]
struct Round {
    leaves: Vec<Leaf>,
    wins: Vec<u32>,
}

impl Tree {
    fn new(root: Node) -> Tree {
        Tree { nodes: vec![root], path: Vec::new() }
    }

    /// Selection and expansion; the new children's positions go to `leaves`.
    fn grow(&mut self, settings: &Settings, engine: Player, leaves: &mut Vec<Leaf>) {
        self.select(settings, engine);
        let leaf = self.leaf();
        if self.nodes[leaf].over.is_none() {
            self.expand(leaf, settings);
            let first = self.nodes[leaf].first_child as usize;
            let open = self.nodes[first..].iter().filter(|n| n.over.is_none());
            leaves.extend(open.map(|n| Leaf { board: n.board, key: n.key }));
        }
    }

    /// The selected leaf.
    fn leaf(&self) -> usize {
        self.path.last().copied().unwrap_or(0) as usize
    }

    /// Backs up the playouts' results, which it takes from `wins` in the order of its leaves.
    fn back_up(&mut self, settings: &Settings, wins: &mut impl Iterator<Item = u32>) {
        let leaf = self.leaf();
        let (wins, visits) = match self.nodes[leaf].over {
            Some(winner) => {
                let visits = f64::from(settings.simulations);
                (if winner == Player::First { visits } else { 0.0 }, visits)
            }
            None => self.enter_results(leaf, settings, wins),
        };
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.first_wins += wins;
            node.visits += visits;
        }
    }

    /// From the root to a leaf, always to the child of the greatest bound.
    fn select(&mut self, settings: &Settings, engine: Player) {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].children > 0 {
            let parent = &self.nodes[at];
            let mover = match settings.wins_of {
                WinsOf::Mover => Player::BOTH[parent.board.side],
                WinsOf::Engine => engine,
            };
            let log = parent.visits.max(1.0).ln();
            let first = parent.first_child as usize;
            let mut best = (f64::NEG_INFINITY, first);
            for child in first..first + usize::from(parent.children) {
                let bound = upper_bound(&self.nodes[child], mover, log, settings);
                if bound > best.0 {
                    best = (bound, child);
                }
            }
            at = best.1;
            self.path.push(at as u32);
        }
    }

    /// Makes the children of a leaf: every move of every living stone.
    fn expand(&mut self, leaf: usize, settings: &Settings) {
        let board = self.nodes[leaf].board;
        let key = self.nodes[leaf].key;
        let first = self.nodes.len();
        let mover = Player::BOTH[board.side];
        for stone in (0..6).filter(|s| board.alive[board.side] & 1 << s != 0) {
            let from = board.squares[board.side][stone];
            for &to in TARGETS[board.side][usize::from(from)].as_slice() {
                let mut next = board;
                let over = next.step(stone, to);
                let child_key = mix(key ^ (u64::from(from) * 32 + u64::from(to) + 1));
                let mut child = Node::new(next, over, child_key);
                if over.is_none() && (settings.bias.is_some() || settings.prior.is_some()) {
                    child.value = settings.knowledge.value(&next);
                }
                if let Some(weight) = settings.prior.filter(|_| over.is_none()) {
                    let own = f64::from(child.value) * weight;
                    child.visits = weight;
                    child.first_wins = if mover == Player::First { own } else { weight - own };
                }
                self.nodes.push(child);
            }
        }
        self.nodes[leaf].first_child = first as u32;
        self.nodes[leaf].children = (self.nodes.len() - first) as u8;
    }

    /// Enters the new children's playouts; returns the sums for the path above them.
    fn enter_results(
        &mut self,
        leaf: usize,
        settings: &Settings,
        played: &mut impl Iterator<Item = u32>,
    ) -> (f64, f64) {
        let first = self.nodes[leaf].first_child as usize;
        let simulations = f64::from(settings.simulations);
        let (mut wins, mut visits) = (0.0, 0.0);
        for node in &mut self.nodes[first..] {
            let won = match node.over {
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

/// One round in every tree.
fn iterate(
    trees: &mut [Tree],
    round: &mut Round,
    settings: &Settings,
    pool: &Pool,
    engine: Player,
    counter: &mut NodeCounter,
) -> Result<(), Stopped> {
    counter.visit()?;
    round.leaves.clear();
    for tree in trees.iter_mut() {
        tree.grow(settings, engine, &mut round.leaves);
    }
    let stopped = || counter.clock().expired();
    let (playouts, rollout) = (settings.simulations, &settings.rollout);
    if stopped() || !pool.run(&round.leaves, playouts, rollout, &mut round.wins, &stopped) {
        return Err(Stopped);
    }
    let mut wins = round.wins.iter().copied();
    for tree in trees.iter_mut() {
        tree.back_up(settings, &mut wins);
    }
    for _ in 0..round.leaves.len() as u64 * u64::from(playouts) {
        counter.visit()?;
    }
    Ok(())
}

/// Formula 1, with formula 2's term where progressive bias is used. A node without losses counts
/// as having one.
fn upper_bound(node: &Node, mover: Player, log: f64, settings: &Settings) -> f64 {
    if node.visits == 0.0 {
        return f64::INFINITY;
    }
    let wins = node.wins(mover);
    let explore = settings.exploration * (log / node.visits).sqrt();
    let bias = settings.bias.map_or(0.0, |factor| {
        let value = match node.over {
            Some(winner) => f64::from(u8::from(winner == mover)),
            None => f64::from(node.value),
        };
        factor * value / (node.visits - wins).max(1.0)
    });
    wins / node.visits + explore + bias
}

impl Searcher<EinStein> for PaperMcts {
    fn run(
        &mut self,
        record: &Record<EinStein>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<<EinStein as Game>::Move>),
    ) -> SearchResult<<EinStein as Game>::Move> {
        let game = record.current();
        let engine = side_to_move(game);
        let ply = record.moves().len() as u64;
        let mut moves = Vec::new();
        collect_moves(game, &mut moves);
        let mut trees: Vec<Tree> = moves
            .iter()
            .map(|&m| {
                let mut next = *game;
                next.play(m);
                let over = next.turn().outcome().map(|_| engine);
                let key = mix(self.settings.seed ^ mix(ply)) ^ next.hash();
                Tree::new(Node::new(Fast::new(&next), over, key))
            })
            .collect();
        let mut counter = NodeCounter::new(clock);
        let mut line = SearchResult::unknown(moves[0]);
        let mut round = Round::default();
        for number in 1..=self.settings.iterations {
            let settings = &self.settings;
            if iterate(&mut trees, &mut round, settings, &self.pool, engine, &mut counter).is_err()
            {
                break;
            }
            if number.is_power_of_two() || number == self.settings.iterations {
                line = self.best(&trees, &moves, engine, ply, counter.nodes());
                report(&line);
            }
        }
        self.best(&trees, &moves, engine, ply, counter.nodes().max(line.nodes))
    }
}

impl PaperMcts {
    /// The root move with the best winning rate; equal ones are drawn by lot.
    fn best(
        &self,
        trees: &[Tree],
        moves: &[<EinStein as Game>::Move],
        engine: Player,
        ply: u64,
        nodes: u64,
    ) -> SearchResult<<EinStein as Game>::Move> {
        let mut stream = rng::stream(self.settings.seed, ply, "mcts-paper tie");
        let mut best = (-1.0, 0);
        let mut ties = 0;
        for (i, tree) in trees.iter().enumerate() {
            let root = &tree.nodes[0];
            let rate = if root.visits > 0.0 { root.wins(engine) / root.visits } else { 0.0 };
            ties = if rate > best.0 { 1 } else { ties + u64::from(rate == best.0) };
            if rate > best.0 || (rate == best.0 && rng::below(&mut stream, ties) == 0) {
                best = (rate, i);
            }
        }
        let depth = trees[best.1].path.len() as u32;
        SearchResult {
            depth: depth.max(1),
            seldepth: depth,
            value: ((best.0.max(0.0) * 2.0 - 1.0) * f64::from(UNIT)) as i32,
            nodes,
            ..SearchResult::unknown(moves[best.1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::einstein::EinSteinRules;
    use agon_protocol::message::Limits;

    fn settings(iterations: u32, simulations: u32) -> Settings {
        Settings {
            iterations,
            simulations,
            exploration: std::f64::consts::SQRT_2,
            bias: None,
            prior: None,
            rollout: Rollout::Random,
            knowledge: Knowledge::Race,
            wins_of: WinsOf::Mover,
            seed: 1,
        }
    }

    fn record(fen: &str) -> Record<EinStein> {
        Record::new(EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap())
    }

    fn search(settings: Settings, threads: usize, fen: &str) -> (String, u64, i32) {
        let record = record(fen);
        let mut search = PaperMcts { settings, pool: Arc::new(Pool::new(threads)) };
        let line = search.run(&record, &Clock::unmanaged(&Limits::default()), &mut |_| {});
        (record.current().move_token(line.best()), line.nodes, line.value)
    }

    const OPEN: &str = "BFA2/CD3/E3e/3dc/2afb u 4";

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let alone = search(settings(60, 10), 1, OPEN);
        for threads in [2, 5] {
            assert_eq!(search(settings(60, 10), threads, OPEN), alone);
        }
    }

    #[test]
    fn a_winning_step_is_found() {
        assert_eq!(search(settings(2, 10), 1, "1f3/5/5/3A1/5 u 6").0, "d2e1");
    }

    #[test]
    fn sums_grow_along_the_path_as_in_the_papers_example() {
        let game = *record(OPEN).current();
        let mut tree = Tree::new(Node::new(Fast::new(&game), None, 5));
        let clock = Clock::unmanaged(&Limits::default());
        let mut counter = NodeCounter::new(&clock);
        let (s, pool) = (settings(1, 10), Pool::new(1));
        let mut once = |tree: &mut Tree| {
            let trees = std::slice::from_mut(tree);
            iterate(trees, &mut Round::default(), &s, &pool, Player::First, &mut counter).unwrap();
        };
        once(&mut tree);
        // All six stones are alive and none is at the edge it moves to: 18 children.
        assert_eq!(tree.nodes[0].children, 18);
        assert_eq!(tree.nodes[0].visits, 180.0);
        for _ in 0..40 {
            once(&mut tree);
        }
        for node in tree.nodes.iter().filter(|n| n.children > 0) {
            let first = node.first_child as usize;
            let below = &tree.nodes[first..first + usize::from(node.children)];
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
        let game = *record("1f3/5/5/3A1/5 u -").current();
        let mut tree = Tree::new(Node::new(Fast::new(&game), None, 5));
        let clock = Clock::unmanaged(&Limits::default());
        let mut counter = NodeCounter::new(&clock);
        let pool = Pool::new(1);
        for _ in 0..200 {
            let (trees, round) = (std::slice::from_mut(&mut tree), &mut Round::default());
            iterate(trees, round, &settings(1, 3), &pool, Player::First, &mut counter).unwrap();
        }
        let done: Vec<&Node> = tree.nodes.iter().filter(|n| n.over.is_some()).collect();
        assert!(done.iter().any(|n| n.visits > 3.0));
        assert!(done.iter().all(|n| n.children == 0));
        assert!(done.iter().all(|n| n.wins(n.over.unwrap()) == n.visits));
    }

    #[test]
    fn prior_knowledge_starts_new_nodes_and_bias_prefers_good_boards() {
        let game = *record(OPEN).current();
        let with = |prior, bias| {
            let s = Settings { prior, bias, ..settings(1, 10) };
            let mut tree = Tree::new(Node::new(Fast::new(&game), None, 5));
            tree.expand(0, &s);
            let node = &tree.nodes[1];
            (node.visits, node.first_wins, upper_bound(node, Player::First, 5.0, &s))
        };
        let (visits, wins, _) = with(Some(175.0), None);
        assert_eq!(visits, 175.0);
        assert!((50.0..125.0).contains(&wins), "{wins}");
        let (_, _, plain) = with(Some(175.0), None);
        let (_, _, biased) = with(Some(175.0), Some(10.0));
        assert!(biased > plain);
    }
}
