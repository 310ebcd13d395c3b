//! The algorithm of Li, Li, Ran and Wang 2018 (section 1): PVS in max/min form with iterative
//! deepening, a transposition table and the history heuristic only.
//!
//! The pseudo-code of section 1 has three errors, corrected here:
//!
//! - The min branch ends with `return alpha`. It should return beta, the bound that it has lowered.
//! - The second search (`if alpha < value < beta`) is printed at the same level as the choice
//!   between first child and others, so that the first child would be searched twice with a full
//!   window. It belongs to the others: it follows a null-window search that failed to refute.
//! - The prose calls "a window (alpha, beta) with alpha = beta" a null window; the pseudo-code's
//!   (alpha, alpha + 1) and (beta - 1, beta) are used.
//!
//! The second search keeps the printed windows, (value, beta) and (alpha, value): the null-window
//! search has proved that the value is no worse, so this loses nothing. The first player is the
//! maximising one.
//!
//! By section 1 the table "records the best value and move and returns them when the same position
//! comes up again", and the history increments a good move's counter and orders moves by it. A
//! stored value is returned only if it was searched to the same depth, so that the result is that
//! of plain minimax. The increment, which the paper does not specify, is the usual depth squared.

use crate::clock::{Clock, NodeCounter, Stopped};
use crate::evaluator::{Evaluator, MoveEncoding};
use crate::ordering::{History, ScoredMove, select_best};
use crate::result::{PvTable, SearchResult};
use crate::root::Root;
use crate::score::{INFINITE, is_decisive, of_outcome, value_from_tt, value_to_tt};
use crate::searcher::Searcher;
use crate::transposition::{Entry, EntryBound, TranspositionTable};
use agon_games::{Game, Player, Turn};
use std::ops::ControlFlow;

/// The paper's searcher.
pub struct Pvs<G: Game, E> {
    /// The static evaluation.
    pub evaluator: E,
    /// The maximum depth in plies.
    pub max_depth: u32,
    table: TranspositionTable,
    history: History<G, E>,
}

impl<G: Game, E: Evaluator<G> + MoveEncoding<G>> Pvs<G, E> {
    /// A searcher with an empty table.
    pub fn new(evaluator: E, table: TranspositionTable) -> Self {
        let max_depth = crate::score::MAX_DEPTH;
        Pvs { evaluator, max_depth, table, history: History::default() }
    }
}

impl<G: Game, E: Evaluator<G> + MoveEncoding<G>> Searcher<G> for Pvs<G, E> {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        const { assert!(!G::HAS_CHANCE, "PVS cannot treat chance: use expectimax") };
        let game = root.game().clone();
        self.table.new_search();
        self.history.clear();
        let mut search = PvsSearch {
            counter: NodeCounter::new(clock),
            evaluator: self.evaluator.clone(),
            table: &self.table,
            history: &self.history,
            buffers: Vec::new(),
            variations: PvTable::default(),
            seldepth: 0,
            reached_the_ends: false,
            game,
            root,
        };
        search.deepen(self.max_depth.min(clock.depth()), report)
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    fn hashfull(&self) -> Option<u32> {
        Some(self.table.hashfull())
    }
}

struct PvsSearch<'s, G: Game, E> {
    game: G,
    root: &'s Root<'s, G>,
    evaluator: E,
    counter: NodeCounter<'s>,
    table: &'s TranspositionTable,
    history: &'s History<G, E>,
    buffers: Vec<Vec<ScoredMove<G::Move>>>,
    variations: PvTable<G::Move>,
    seldepth: u32,
    /// Whether no leaf of this iteration was cut off by the depth, so that deeper searches find
    /// nothing new.
    reached_the_ends: bool,
}

/// A node's place in the tree and its window, for the first player.
#[derive(Clone, Copy)]
struct PvsNode {
    depth: u32,
    ply: u32,
    alpha: i32,
    beta: i32,
}

impl<G: Game, E: Evaluator<G> + MoveEncoding<G>> PvsSearch<'_, G, E> {
    fn deepen(
        &mut self,
        deepest: u32,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let mut best = SearchResult::unknown(self.root.first_move());
        let sign = if self.game.turn() == Turn::Player(Player::First) { 1 } else { -1 };
        for depth in self.counter.clock().first_depth()..=deepest {
            self.reached_the_ends = true;
            let finished = self.node(PvsNode { depth, ply: 0, alpha: -INFINITE, beta: INFINITE });
            best.nodes = self.counter.nodes();
            best.seldepth = self.seldepth;
            // The last iteration's best move is searched first, so that the best root move of an
            // aborted iteration is at least as good.
            if !self.variations.root().is_empty() {
                best.moves = self.variations.root().to_vec();
            }
            let Ok(value) = finished else { break };
            best.depth = depth;
            best.value = sign * value;
            report(&best);
            if self.reached_the_ends
                || is_decisive(value)
                || self.counter.clock().past_soft_limit(100)
            {
                break;
            }
        }
        best
    }

    /// The value of the current position for the first player, clamped to the window (fail-hard).
    fn node(&mut self, node: PvsNode) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(node.ply);
        self.variations.clear(node.ply);
        let mover = match self.game.turn() {
            Turn::Over(outcome) => {
                self.counter.leaf();
                return Ok(of_outcome(outcome, Player::First, node.ply));
            }
            Turn::Player(mover) => mover,
            Turn::Chance => Player::First,
        };
        if node.depth == 0 {
            self.reached_the_ends = false;
            self.counter.leaf();
            let value = self.evaluator.evaluate(&self.game);
            return Ok(if mover == Player::First { value } else { -value });
        }
        let known = self.table.probe(self.game.hash());
        if let Some(value) = known.and_then(|entry| usable(entry, node)) {
            self.reached_the_ends = false;
            return Ok(value);
        }
        let first = known.and_then(|entry| entry.packed).and_then(E::unpack);
        let mut moves = self.scored_moves(mover, node, first);
        let result = self.best_of(&mut moves, mover, node);
        self.buffers.push(moves);
        let (value, best) = result?;
        if node.ply > 0 || !self.root.is_restricted() {
            self.remember(mover, node, value, best);
        }
        Ok(value)
    }

    fn best_of(
        &mut self,
        moves: &mut [ScoredMove<G::Move>],
        mover: Player,
        node: PvsNode,
    ) -> Result<(i32, Option<G::Move>), Stopped> {
        let PvsNode { mut alpha, mut beta, .. } = node;
        let maximises = mover == Player::First;
        let mut best = None;
        for i in 0..moves.len() {
            select_best(moves, i);
            let m = moves[i].m;
            let value = if i == 0 {
                self.child(m, node, alpha, beta)?
            } else if maximises {
                let value = self.child(m, node, alpha, alpha + 1)?;
                let again = alpha < value && value < beta;
                if again { self.child(m, node, value, beta)? } else { value }
            } else {
                let value = self.child(m, node, beta - 1, beta)?;
                let again = alpha < value && value < beta;
                if again { self.child(m, node, alpha, value)? } else { value }
            };
            let better = if maximises { value > alpha } else { value < beta };
            if better {
                if maximises {
                    alpha = value
                } else {
                    beta = value
                }
                best = Some(m);
                self.variations.set(node.ply, m);
            }
            if alpha >= beta {
                break;
            }
        }
        Ok((if maximises { alpha } else { beta }, best))
    }

    fn child(&mut self, m: G::Move, node: PvsNode, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        let below = PvsNode { depth: node.depth - 1, ply: node.ply + 1, alpha, beta };
        let value = self.node(below);
        self.game.undo(m, undo);
        value
    }

    fn remember(&mut self, mover: Player, node: PvsNode, value: i32, best: Option<G::Move>) {
        if let Some(m) = best {
            self.history.add_bonus(mover, m, node.depth);
        }
        let bound = EntryBound::of(value, node.alpha, node.beta);
        let value = value_to_tt(value, node.ply);
        let packed = best.map(E::pack);
        self.table.store(self.game.hash(), Entry { value, bound, depth: node.depth, packed });
    }

    /// The moves to search, scored: `first` comes first, then by history.
    fn scored_moves(
        &mut self,
        mover: Player,
        node: PvsNode,
        first: Option<G::Move>,
    ) -> Vec<ScoredMove<G::Move>> {
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        let history = self.history;
        let mut push = |m| {
            let score = if Some(m) == first { i32::MAX } else { history.score(mover, m) };
            moves.push(ScoredMove { score, index: moves.len() as u32, m });
            ControlFlow::Continue(())
        };
        let _ = match node.ply {
            0 => self.root.visit_moves::<()>(&mut push),
            _ => self.game.visit_moves::<()>(&mut push),
        };
        moves
    }
}

/// The stored value if it causes a cutoff at this node.
fn usable(entry: Entry, node: PvsNode) -> Option<i32> {
    if entry.depth != node.depth || node.ply == 0 {
        return None;
    }
    let value = value_from_tt(entry.value, node.ply);
    // Fail-hard: a value outside the window is returned as its bound.
    let cuts_off = entry.bound.cuts_off(value, node.alpha, node.beta);
    cuts_off.then(|| value.clamp(node.alpha, node.beta))
}
