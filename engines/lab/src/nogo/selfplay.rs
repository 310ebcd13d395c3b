//! Games of NoGo against itself: random moves, then moves drawn by the visits of a search, then the most visited one. A
//! game ends when the search proves who wins. One move in [`FULL`] gets a full search, which is learned from, and the
//! others a short one (Wu 2019, "Accelerating self-play learning in Go").

use agon_games::game::{Game, Player};
use agon_games::nogo::{NoGo, NoGoPoint};
use agon_games::option::NoRules;
use agon_games::rng::{self, Stream};
use agon_network::convolution::network::BoardNetwork;
use agon_network::tune::explore::{add_noise, draw};
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::SelfPlayPlan;
use agon_nogo::board::Board;
use agon_nogo::ending::decided;
use agon_nogo::network::{Guide, cell, point_of};
use agon_nogo::search::Shared;
use agon_nogo::tree::{Edge, Proof, Tree};
use agon_nogo::{puct, search};
use agon_tuning::selfplay::random_opening;
use std::sync::Arc;

/// A value of 1 as it is stored.
pub const VALUE_ONE: i16 = 10_000;
/// One move in this many is searched in full.
const FULL: u64 = 4;
/// A short search has this part of the nodes.
const SHORT: u64 = 5;
/// The exploration constant; play uses less.
const EXPLORATION: f32 = 1.0;
/// Fewer random moves than this begin a game.
const RANDOM: u64 = 7;
/// The moves after them that are drawn by visits.
const DRAWN: usize = 12;
/// The memory of the tree.
const MEMORY: usize = 16 << 20;

/// A player.
#[derive(Debug)]
pub struct NoGoPlayer {
    /// What guides the search; none for playouts.
    network: Option<Arc<BoardNetwork>>,
    tree: Tree,
}

/// What a search found.
struct Found {
    /// Whether the side to move wins, if it is certain.
    wins: Option<bool>,
    /// By row of the policy the visits, without moves that lose.
    visits: Vec<(u16, u16)>,
    /// The value of the most visited move.
    value: i16,
}

impl NoGoPlayer {
    /// A player with this network, or one by playouts.
    pub fn new(network: Option<Arc<BoardNetwork>>) -> NoGoPlayer {
        NoGoPlayer { network, tree: Tree::new(MEMORY) }
    }

    /// Searches a position; `is_full`: with noise.
    fn search(&mut self, game: &NoGo, nodes: u64, is_full: bool, stream: &mut Stream) -> Found {
        let board = Board::new(game);
        let (legal, mover) = (board.legal(), game.side_to_move().index());
        if let Some(wins) = decided([board.stones(0), board.stones(1)], legal, mover) {
            return Found { wins: Some(wins), visits: Vec::new(), value: 0 };
        }
        self.tree.clear();
        let tree = &self.tree;
        let shared = Shared { tree, board: &board, mover };
        let run = |iterate: &mut dyn FnMut()| {
            for _ in 0..nodes {
                if tree.root.link().proof() != Proof::Open {
                    break;
                }
                iterate();
            }
        };
        if let Some(network) = &self.network {
            let (_, mut moves) = Guide::new(network).evaluate(&board, legal, mover, legal[mover]);
            if is_full {
                add_noise(moves.iter_mut().map(|(_, prior)| prior), stream);
            }
            puct::add_moves(tree, &tree.root, &moves);
            let mut worker = puct::Worker::new(shared, network, EXPLORATION);
            run(&mut || _ = worker.iterate());
        } else {
            search::add_moves(tree, &tree.root, legal[mover], legal[mover ^ 1], stream);
            let own = rng::stream(rng::below(stream, u64::MAX), 0, "playouts");
            let mut worker = search::Worker::new(shared, own);
            run(&mut || _ = worker.iterate());
        }
        self.found()
    }

    /// Reads the result of a search from the tree.
    fn found(&self) -> Found {
        let root = self.tree.root.link();
        let wins = match root.proof() {
            Proof::Open => None,
            // The proof is of the move before.
            proof => Some(proof == Proof::Lost),
        };
        let open = |edge: &&Edge| edge.link().proof() != Proof::Lost;
        let moves = || self.tree.children(root).iter().filter(open);
        let row = |edge: &Edge| cell(edge.point()) as u16;
        let visited = moves().filter(|edge| edge.direct().0 > 0);
        let mut visits: Vec<(u16, u16)> =
            visited.map(|edge| (row(edge), edge.direct().0.min(u16::MAX.into()) as u16)).collect();
        if visits.is_empty() {
            // Only losing moves were visited: any other may be better.
            visits.extend(moves().next().map(|edge| (row(edge), 1)));
        }
        let best = moves().max_by_key(|edge| edge.direct().0);
        let rate = best.and_then(|edge| match (self.network.is_some(), edge.direct()) {
            (true, _) => puct::rate(edge),
            (false, (0, _)) => None,
            (false, (games, wins)) => Some(f64::from(wins) / f64::from(games)),
        });
        let value = (2.0 * rate.unwrap_or(0.5) - 1.0) * f64::from(VALUE_ONE);
        Found { wins, visits, value: value as i16 }
    }
}

/// Plays the game of this number.
pub fn one_game(player: &mut NoGoPlayer, plan: SelfPlayPlan, number: u64) -> GameLog {
    let stream = &mut rng::stream(plan.seed, number, "nogo train");
    let opening = loop {
        if let Some(record) = random_opening(NoGo::start(&NoRules), 0, RANDOM, stream) {
            break record;
        }
    };
    let mut game = *opening.current();
    let mut log = GameLog::default();
    for &m in opening.moves() {
        log.plies.push((cell(m) as u16, UNKNOWN));
        log.visits.push(Vec::new());
    }
    let drawn = log.plies.len() + DRAWN;
    loop {
        let is_full = rng::below(stream, FULL) == 0;
        let nodes = if is_full { plan.nodes } else { (plan.nodes / SHORT).max(2) };
        let found = player.search(&game, nodes, is_full, stream);
        let side = game.side_to_move();
        let chosen = match found.wins {
            Some(_) => None,
            None => choose(&found.visits, log.plies.len() < drawn, stream),
        };
        let Some(m) = chosen else {
            let wins = found.wins.unwrap_or(false);
            log.result = if wins == (side == Player::First) { 2 } else { 0 };
            return log;
        };
        log.plies.push((cell(m) as u16, found.value));
        log.visits.push(if is_full { found.visits } else { Vec::new() });
        game.play(m);
    }
}

/// A move drawn by visits, or the most visited one.
fn choose(visits: &[(u16, u16)], is_drawn: bool, stream: &mut Stream) -> Option<NoGoPoint> {
    let row = if is_drawn {
        draw(visits, stream)?
    } else {
        visits.iter().max_by_key(|(row, count)| (*count, *row))?.0
    };
    point_of(row.into())
}
