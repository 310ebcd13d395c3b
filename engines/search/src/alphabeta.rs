//! The baseline of Li, Li, Ran and Wang 2018 (section 2.1): alpha-beta to a fixed maximum depth, no
//! transposition table, no history, moves in generation order.
//!
//! The paper sets the maximum depth to 11 and does not specify the baseline's clock. Both
//! interpretations are implemented: iterative deepening up to the maximum depth, or one search
//! directly to it that plays the best root move so far when time runs out.

use crate::clock::{Clock, NodeCounter, Stopped};
use crate::evaluator::{Evaluator, collect_moves};
use crate::result::{PvTable, SearchResult};
use crate::root::Root;
use crate::score::{INFINITE, MAX_DEPTH, is_decisive, of_outcome};
use crate::searcher::{Searcher, side_to_move};
use agon_games::{Game, Player, Turn};

/// The baseline searcher.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E> {
    /// The static evaluation.
    pub evaluator: E,
    /// The maximum depth in plies; 11 in the paper.
    pub max_depth: u32,
    /// Whether to deepen iteratively instead of searching directly to the maximum depth.
    pub deepening: bool,
}

impl<E> AlphaBeta<E> {
    /// A search that deepens iteratively without a limit of its own.
    pub fn new(evaluator: E) -> Self {
        AlphaBeta { evaluator, max_depth: MAX_DEPTH, deepening: true }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<E> {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        const { assert!(!G::HAS_CHANCE, "alpha-beta cannot treat chance: use expectimax") };
        let deepest = self.max_depth.min(clock.depth());
        let mut search = AlphaBetaSearch::new(root, self.evaluator.clone(), clock);
        let first = if self.deepening { clock.first_depth() } else { deepest };
        let mut best = SearchResult::unknown(search.root_moves[0]);
        for depth in first..=deepest {
            let finished = search.iterate(depth, &mut best, report);
            best.nodes = search.counter.nodes();
            if finished.is_err() {
                break;
            }
            best.depth = depth;
            report(&best);
            if search.reached_the_ends || is_decisive(best.value) || clock.past_soft_limit(100) {
                break;
            }
        }
        best
    }
}

struct AlphaBetaSearch<'c, G: Game, E> {
    game: G,
    evaluator: E,
    counter: NodeCounter<'c>,
    root_moves: Vec<G::Move>,
    buffers: Vec<Vec<G::Move>>,
    variations: PvTable<G::Move>,
    seldepth: u32,
    /// Whether no leaf of this iteration was cut off by the depth, so that deeper searches find
    /// nothing new.
    reached_the_ends: bool,
}

impl<'c, G: Game, E: Evaluator<G>> AlphaBetaSearch<'c, G, E> {
    fn new(root: &Root<G>, evaluator: E, clock: &'c Clock) -> Self {
        AlphaBetaSearch {
            game: root.game().clone(),
            evaluator,
            counter: NodeCounter::new(clock),
            root_moves: root.allowed_moves(),
            buffers: Vec::new(),
            variations: PvTable::default(),
            seldepth: 0,
            reached_the_ends: false,
        }
    }

    /// Searches every root move; `best` always holds the best so far. The first player is the
    /// maximising one.
    fn iterate(
        &mut self,
        depth: u32,
        best: &mut SearchResult<G::Move>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> Result<(), Stopped> {
        self.counter.visit()?;
        self.variations.clear(0);
        self.reached_the_ends = true;
        // The best move of the last iteration comes first, so that an aborted iteration can only
        // replace it by a better one.
        if let Some(at) = self.root_moves.iter().position(|&m| m == best.best()) {
            self.root_moves[..=at].rotate_right(1);
        }
        let mover = side_to_move(&self.game);
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        for i in 0..self.root_moves.len() {
            let m = self.root_moves[i];
            let value = self.child(m, depth - 1, alpha, beta, 1)?;
            let better = if mover == Player::First { value > alpha } else { value < beta };
            if !better {
                continue;
            }
            if mover == Player::First {
                alpha = value
            } else {
                beta = value
            }
            self.variations.set(0, m);
            best.value = if mover == Player::First { value } else { -value };
            best.moves = self.variations.root().to_vec();
            best.seldepth = self.seldepth;
            best.nodes = self.counter.nodes();
            if best.depth == 0 {
                report(best);
            }
        }
        Ok(())
    }

    fn child(
        &mut self,
        m: G::Move,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        let value = self.node(depth, alpha, beta, ply);
        self.game.undo(m, undo);
        value
    }

    /// The value of the current position for the first player, clamped to the window (fail-hard).
    fn node(&mut self, depth: u32, alpha: i32, beta: i32, ply: u32) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        self.variations.clear(ply);
        let maximises = match self.game.turn() {
            Turn::Over(outcome) => {
                self.counter.leaf();
                return Ok(of_outcome(outcome, Player::First, ply));
            }
            turn => turn == Turn::Player(Player::First),
        };
        if depth == 0 {
            self.reached_the_ends = false;
            self.counter.leaf();
            let value = self.evaluator.evaluate(&self.game);
            return Ok(if maximises { value } else { -value });
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        collect_moves(&self.game, &mut moves);
        let value = self.best_of(&moves, maximises, depth, alpha, beta, ply);
        self.buffers.push(moves);
        value
    }

    fn best_of(
        &mut self,
        moves: &[G::Move],
        maximises: bool,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        for &m in moves {
            let value = self.child(m, depth - 1, alpha, beta, ply + 1)?;
            if maximises && value > alpha {
                alpha = value;
                self.variations.set(ply, m);
            } else if !maximises && value < beta {
                beta = value;
                self.variations.set(ply, m);
            }
            if alpha >= beta {
                break;
            }
        }
        Ok(if maximises { alpha } else { beta })
    }
}
