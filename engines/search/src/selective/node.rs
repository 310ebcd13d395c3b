//! The search of one node, at the root and below.

use super::params;
use super::state::{Candidate, MoveLoop, Node};
use super::worker::Worker;
use crate::clock::Stopped;
use crate::evaluator::StagedMoves;
use crate::ordering::ScoredMove;
use crate::score::{is_decisive, value_from_tt, value_to_tt};
use crate::searcher::{StepResult, side_to_move, step};
use crate::transposition::{Entry, EntryBound};
use agon_games::{Game, Player};

impl<G: Game, E: StagedMoves<G>> Worker<'_, G, E> {
    /// The value of the current position for its player to move: exact inside the window, a bound
    /// outside. `known` is its static evaluation, if already computed.
    pub fn node(&mut self, node: Node, known: Option<i32>) -> Result<i32, Stopped> {
        if known.is_none() {
            self.counter.visit()?;
        }
        if self.is_cut_off() {
            return Err(Stopped);
        }
        self.seldepth = self.seldepth.max(node.ply);
        self.variations.clear(node.ply);
        if node.depth == 0 {
            return Ok(self.leaf(node, known));
        }
        let entry = self.table.probe(self.game.hash());
        if let Some(value) = entry.and_then(|entry| self.table_cutoff(entry, node)) {
            return Ok(value);
        }
        if node.ply > 0
            && !Self::solves_late(node)
            && let Some(value) = self.solve(node.depth)
        {
            return Ok(value_from_tt(value, node.ply));
        }
        if let Some(value) = self.reverse_futility_pruning(node, known) {
            return Ok(value);
        }
        let table_move = entry.and_then(|entry| entry.packed).and_then(E::unpack);
        // At the root the last iteration's move comes first, so that an aborted iteration can only
        // replace it by a better one.
        let first = self.root_best.filter(|_| node.ply == 0).or(table_move);
        self.search_moves(node, first)
    }

    /// Whether to ask the evaluator for a forced result only after the moves.
    fn solves_late(node: Node) -> bool {
        E::SOLVES_LATE && node.has_null_window()
    }

    /// The value of a leaf: its static evaluation, unless that would satisfy the opponent and the
    /// player to move has a forced win.
    fn leaf(&mut self, node: Node, known: Option<i32>) -> i32 {
        let evaluator = &mut self.memory.evaluator;
        let value = known.unwrap_or_else(|| evaluator.evaluate(&self.game));
        if value >= node.beta {
            return value;
        }
        self.solve(0).map_or(value, |win| value_from_tt(win, node.ply))
    }

    /// The evaluator's exact value; the positions that it looks at are nodes.
    fn solve(&mut self, depth: u32) -> Option<i32> {
        let most = self.counter.left();
        let (value, nodes) = self.memory.evaluator.solve_within(&self.game, depth, most);
        self.counter.add(nodes);
        value
    }

    /// Reverse futility pruning: a static evaluation far above beta causes a cutoff, since the
    /// player to move usually stays ahead after the best move, unless the opponent threatens.
    fn reverse_futility_pruning(&mut self, node: Node, known: Option<i32>) -> Option<i32> {
        let s = self.settings.selectivity.as_ref()?;
        if node.depth > s.reverse_futility_depth
            || !node.has_null_window()
            || is_decisive(node.beta)
            || self.memory.evaluator.is_threatened(&self.game)
        {
            return None;
        }
        let value = known.unwrap_or_else(|| self.memory.evaluator.evaluate(&self.game));
        (value - s.reverse_futility_margin_at(node.depth) >= node.beta).then_some(value)
    }

    fn search_moves(&mut self, node: Node, first: Option<G::Move>) -> Result<i32, Stopped> {
        let mover = side_to_move(&self.game);
        let [one, two] = *self.memory.killers(node.ply);
        let is_allowed = |m: &G::Move| node.ply > 0 || self.root.allows(*m);
        let legal = |m: &G::Move| self.game.is_legal(*m) && is_allowed(m);
        let first = first.filter(legal);
        let one = one.filter(|m| Some(*m) != first && legal(m));
        let two = two.filter(|m| Some(*m) != first && Some(*m) != one && legal(m));
        let mut moves = MoveLoop {
            value: -crate::score::INFINITE,
            alpha: node.alpha,
            best: None,
            tried: 0,
            early: [first, one, two],
        };
        for m in moves.early.into_iter().flatten() {
            if self.search_move(m, None, mover, node, &mut moves)? {
                return Ok(self.store_result(mover, node, &moves));
            }
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let outcome = self.search_rest(mover, node, &mut moves, &mut list);
        self.lists.push(list);
        outcome?;
        if node.ply > 0
            && Self::solves_late(node)
            && moves.value < node.beta
            && let Some(value) = self.solve(node.depth)
        {
            return Ok(value_from_tt(value, node.ply));
        }
        if node.ply > 0 && moves.value < 0 && is_decisive(moves.value) {
            for m in self.memory.evaluator.last_resorts(&self.game, node.depth) {
                if self.game.is_legal(m)
                    && (self.search_move(m, None, mover, node, &mut moves)?
                        || !is_decisive(moves.value))
                {
                    break;
                }
            }
        }
        Ok(self.store_result(mover, node, &moves))
    }

    fn search_rest(
        &mut self,
        mover: Player,
        node: Node,
        moves: &mut MoveLoop<G::Move>,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        if node.depth == 1 && !self.is_restricted(node) {
            return self.search_frontier(mover, node, moves, list);
        }
        self.candidates(mover, node, list)?;
        for (i, Candidate { m, value }) in list.iter().map(|scored| scored.m).enumerate() {
            if moves.early.contains(&Some(m)) {
                continue;
            }
            if moves.tried > 0 && self.pool.has_idle() {
                return self.split(mover, node, moves, &list[i..]);
            }
            if self.search_move(m, value, mover, node, moves)? {
                break;
            }
        }
        Ok(())
    }

    /// A frontier node, at depth 1: a move's static evaluation is its value, unless it raises alpha and
    /// the opponent has a forced win after it. So nothing is evaluated twice, and the first move that
    /// reaches beta ends the node. Futility pruning skips moves that cannot reach alpha.
    fn search_frontier(
        &mut self,
        mover: Player,
        node: Node,
        moves: &mut MoveLoop<G::Move>,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        let mut partial_moves = self.partial_moves(mover, node)?;
        let futility_margin = self.settings.selectivity.as_ref().map(|s| s.futility_margin);
        self.completion_gains.clear();
        'partial_moves: for part in partial_moves.drain(..) {
            let evaluation = part.m.value.unwrap_or(0);
            let is_futile = |futility_margin| {
                !self.completion_gains.begin(evaluation, futility_margin, moves.alpha)
            };
            if futility_margin.is_some_and(is_futile) {
                continue;
            }
            list.clear();
            self.completions(part.m.m, list);
            for m in list.iter().map(|scored| scored.m.m) {
                let [_, key] = E::history_keys(m);
                let is_futile = futility_margin.is_some_and(|futility_margin| {
                    !self.completion_gains.promising(key, evaluation, futility_margin, moves.alpha)
                });
                if is_futile || moves.early.contains(&Some(m)) {
                    continue;
                }
                let value = self.evaluate_after(m, mover, node.ply + 1)?;
                self.completion_gains.learn(key, value - evaluation);
                let reached_beta = match value > moves.alpha {
                    true => self.search_move(m, Some(value), mover, node, moves)?,
                    false => self.record_value(m, value, node, moves),
                };
                if reached_beta {
                    break 'partial_moves;
                }
            }
        }
        partial_moves.clear();
        self.partial_lists.push(partial_moves);
        Ok(())
    }

    /// Searches one move. Returns whether it reached beta.
    fn search_move(
        &mut self,
        m: G::Move,
        known: Option<i32>,
        mover: Player,
        node: Node,
        moves: &mut MoveLoop<G::Move>,
    ) -> Result<bool, Stopped> {
        let value = self.move_value(m, known, mover, node, moves.alpha, moves.tried)?;
        Ok(self.record_value(m, value, node, moves))
    }

    /// The value of the `index`-th move of a node.
    pub fn move_value(
        &mut self,
        m: G::Move,
        known: Option<i32>,
        mover: Player,
        node: Node,
        alpha: i32,
        index: usize,
    ) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        let value = match step(&self.game, mover, node.ply + 1) {
            StepResult::Over(value) => {
                self.variations.clear(node.ply + 1);
                Ok(value)
            }
            StepResult::Same => self.principal_variation_search(node, alpha, index, 1, known),
            StepResult::Other => {
                self.principal_variation_search(node, alpha, index, -1, known.map(|v| -v))
            }
        };
        self.game.undo(m, undo);
        value
    }

    /// Principal variation search of the position after a move: the first move with the full
    /// window, others with a null window and late-move reductions until one proves better. `sign`
    /// is -1 if the opponent is to move.
    fn principal_variation_search(
        &mut self,
        node: Node,
        alpha: i32,
        index: usize,
        sign: i32,
        known: Option<i32>,
    ) -> Result<i32, Stopped> {
        let beta = node.beta;
        let depth = node.depth - 1;
        if index == 0 {
            return self.child(node.ply, depth, alpha, beta, sign, known);
        }
        let row = &self.reductions[(node.depth as usize).min(63)];
        let reduction = u32::from(row[index.min(63)]);
        let mut value = self.child(node.ply, depth - reduction, alpha, alpha + 1, sign, known)?;
        if value > alpha && reduction > 0 {
            value = self.child(node.ply, depth, alpha, alpha + 1, sign, known)?;
        }
        if value <= alpha || value >= beta {
            return Ok(value);
        }
        self.search_open_window(node, alpha, |worker, alpha, beta| {
            worker.child(node.ply, depth, alpha, beta, sign, known)
        })
    }

    fn child(
        &mut self,
        ply: u32,
        depth: u32,
        alpha: i32,
        beta: i32,
        sign: i32,
        known: Option<i32>,
    ) -> Result<i32, Stopped> {
        let ply = ply + 1;
        if sign > 0 {
            self.node(Node { depth, ply, alpha, beta }, known)
        } else {
            Ok(-self.node(Node { depth, ply, alpha: -beta, beta: -alpha }, known)?)
        }
    }

    /// Records a move's value. Returns whether it reached beta.
    pub fn record_value(
        &mut self,
        m: G::Move,
        value: i32,
        node: Node,
        moves: &mut MoveLoop<G::Move>,
    ) -> bool {
        moves.tried += 1;
        if value > moves.value {
            moves.value = value;
            if value > moves.alpha {
                moves.alpha = value;
                moves.best = Some(m);
                self.variations.set(node.ply, m);
            }
        }
        value >= node.beta
    }

    /// Updates history, killers and the table with the node's result, and returns its value.
    fn store_result(&mut self, mover: Player, node: Node, moves: &MoveLoop<G::Move>) -> i32 {
        let value = match moves.value {
            loss if is_decisive(loss) && loss < 0 => self.memory.evaluator.loss(loss),
            value => value,
        };
        let bound = EntryBound::of(value, node.alpha, node.beta);
        if let Some(m) = moves.best {
            let depth = node.depth.min(params::bonus_depth()) as i32;
            self.memory.history.update(mover, m, params::bonus_factor() * depth * depth);
            let killers = self.memory.killers(node.ply);
            if bound == EntryBound::Lower && killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        if self.is_restricted(node) {
            return value;
        }
        self.table.store(
            self.game.hash(),
            Entry {
                value: value_to_tt(value, node.ply),
                bound,
                depth: node.depth,
                packed: moves.best.map(E::pack),
            },
        );
        value
    }

    /// The stored value if it is deep enough and causes a cutoff in the node's null window. Nodes
    /// with an open window are always searched, to preserve the principal variation.
    fn table_cutoff(&self, entry: Entry, node: Node) -> Option<i32> {
        let deep_enough = if self.settings.selectivity.is_some() {
            entry.depth >= node.depth
        } else {
            entry.depth == node.depth
        };
        if !deep_enough || !node.has_null_window() {
            return None;
        }
        let value = value_from_tt(entry.value, node.ply);
        entry.bound.cuts_off(value, node.alpha, node.beta).then_some(value)
    }
}
