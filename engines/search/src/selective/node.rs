//! One node of the search and what a thread carries from node to node.

use super::candidates::Gains;
use super::params;
use super::settings::{SelectiveSettings, reductions};
use crate::clock::{Clock, NodeCounter, Stopped};
use crate::evaluator::StagedMoves;
use crate::history::History;
use crate::ordering::ScoredMove;
use crate::result::PvTable;
use crate::root::Root;
use crate::score::{is_decisive, value_from_tt, value_to_tt};
use crate::searcher::{Step, side_to_move, step};
use crate::transposition::{Bound, Entry, TranspositionTable};
use agon_protocol::{Game, Player};

/// What a thread learns in the course of a game.
pub(super) struct Memory<G: Game, E> {
    pub history: History<G, E>,
    pub evaluator: E,
    killers: Vec<[Option<G::Move>; 2]>,
}

impl<G: Game, E: StagedMoves<G>> Memory<G, E> {
    pub fn new(evaluator: E) -> Self {
        Memory { history: History::default(), evaluator, killers: Vec::new() }
    }

    fn killers(&mut self, ply: u32) -> &mut [Option<G::Move>; 2] {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        &mut self.killers[ply]
    }
}

/// A node's place in the tree and its window, for the player to move.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub depth: u32,
    pub ply: u32,
    pub alpha: i32,
    pub beta: i32,
}

impl Node {
    fn has_null_window(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// What the moves tried so far at a node are worth.
struct Progress<M> {
    value: i32,
    alpha: i32,
    best: Option<M>,
    tried: usize,
    early: [Option<M>; 3],
}

/// A move and its static value for the mover, where that is known.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub m: M,
    pub value: Option<i32>,
}

/// One thread's search.
pub(super) struct Worker<'s, G: Game, E: StagedMoves<G>> {
    pub game: G,
    pub root: &'s Root<'s, G>,
    pub counter: NodeCounter<'s>,
    pub settings: &'s SelectiveSettings,
    pub memory: &'s mut Memory<G, E>,
    pub seldepth: u32,
    pub root_best: Option<G::Move>,
    pub lists: Vec<Vec<ScoredMove<Candidate<G::Move>>>>,
    pub part_lists: Vec<Vec<ScoredMove<Candidate<E::PartialMove>>>>,
    pub gains: Gains,
    table: &'s TranspositionTable,
    variations: PvTable<G::Move>,
    reductions: Vec<[u8; 64]>,
}

impl<'s, G: Game, E: StagedMoves<G>> Worker<'s, G, E> {
    pub fn new(
        root: &'s Root<'s, G>,
        table: &'s TranspositionTable,
        memory: &'s mut Memory<G, E>,
        settings: &'s SelectiveSettings,
        clock: &'s Clock,
    ) -> Self {
        // The tree has moved on by the moves played since: killers belong to other plies now.
        memory.killers.clear();
        memory.history.age();
        let percent = settings.selectivity.as_ref().map_or(0, |s| s.reduction);
        Worker {
            game: root.game().clone(),
            root,
            counter: NodeCounter::new(clock),
            settings,
            memory,
            seldepth: 0,
            root_best: None,
            lists: Vec::new(),
            part_lists: Vec::new(),
            gains: Gains::new(E::HISTORY_KEYS[1]),
            table,
            variations: PvTable::default(),
            reductions: reductions(percent),
        }
    }

    /// The root's best line in the last iteration, if that got as far.
    pub fn best_line(&self) -> Option<Vec<G::Move>> {
        let line = self.variations.root();
        (!line.is_empty()).then(|| line.to_vec())
    }

    /// The value of the current position for its player to move: exact inside the window, a bound
    /// outside. `known` is its static value, if that was computed already.
    pub fn node(&mut self, node: Node, known: Option<i32>) -> Result<i32, Stopped> {
        if known.is_none() {
            self.counter.visit()?;
        }
        self.seldepth = self.seldepth.max(node.ply);
        self.variations.clear(node.ply);
        if node.depth == 0 {
            return Ok(known.unwrap_or_else(|| self.memory.evaluator.evaluate(&self.game)));
        }
        let entry = self.table.probe(self.game.hash());
        if let Some(value) = entry.and_then(|entry| self.usable(entry, node)) {
            return Ok(value);
        }
        if node.ply > 0
            && let Some(value) = self.memory.evaluator.solve(&self.game)
        {
            return Ok(value_from_tt(value, node.ply));
        }
        if let Some(value) = self.calm(node, known) {
            return Ok(value);
        }
        let remembered = entry.and_then(|entry| entry.packed).and_then(E::unpack);
        // At the root the last iteration's move comes first, so that an iteration that is broken
        // off can only replace it by a better one.
        let first = self.root_best.filter(|_| node.ply == 0).or(remembered);
        self.search_moves(node, first)
    }

    /// Most positions in which the player to move is ahead stay so after the best move.
    fn calm(&mut self, node: Node, known: Option<i32>) -> Option<i32> {
        let s = self.settings.selectivity.as_ref()?;
        if node.depth > s.calm_depth || !node.has_null_window() || is_decisive(node.beta) {
            return None;
        }
        let value = known.unwrap_or_else(|| self.memory.evaluator.evaluate(&self.game));
        (value - s.calm * (node.depth as i32 - 1) >= node.beta).then_some(value)
    }

    fn search_moves(&mut self, node: Node, first: Option<G::Move>) -> Result<i32, Stopped> {
        let mover = side_to_move(&self.game);
        let [one, two] = *self.memory.killers(node.ply);
        let is_allowed = |m: &G::Move| node.ply > 0 || self.root.allows(*m);
        let legal = |m: &G::Move| self.game.is_legal(*m) && is_allowed(m);
        let first = first.filter(legal);
        let one = one.filter(|m| Some(*m) != first && legal(m));
        let two = two.filter(|m| Some(*m) != first && Some(*m) != one && legal(m));
        let mut progress = Progress {
            value: -crate::score::INFINITE,
            alpha: node.alpha,
            best: None,
            tried: 0,
            early: [first, one, two],
        };
        for m in progress.early.into_iter().flatten() {
            if self.attempt(m, None, mover, node, &mut progress)? {
                return Ok(self.remember(mover, node, &progress));
            }
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let outcome = self.search_rest(mover, node, &mut progress, &mut list);
        self.lists.push(list);
        outcome?;
        Ok(self.remember(mover, node, &progress))
    }

    fn search_rest(
        &mut self,
        mover: Player,
        node: Node,
        progress: &mut Progress<G::Move>,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        if node.depth == 1 && !self.is_restricted(node) {
            return self.frontier(mover, node, progress, list);
        }
        self.candidates(mover, node, list)?;
        for Candidate { m, value } in list.iter().map(|scored| scored.m) {
            if !progress.early.contains(&Some(m))
                && self.attempt(m, value, mover, node, progress)?
            {
                break;
            }
        }
        Ok(())
    }

    /// Whether the node is a root of which only some moves may be searched.
    pub fn is_restricted(&self, node: Node) -> bool {
        node.ply == 0 && self.root.is_restricted()
    }

    /// At depth 1 a move's static value is its value: nothing is looked at twice, and the first
    /// one that reaches beta ends the node.
    fn frontier(
        &mut self,
        mover: Player,
        node: Node,
        progress: &mut Progress<G::Move>,
        list: &mut Vec<ScoredMove<Candidate<G::Move>>>,
    ) -> Result<(), Stopped> {
        let mut parts = self.parts(mover, node)?;
        let slack = self.settings.selectivity.as_ref().map(|s| s.slack);
        self.gains.clear();
        'parts: for part in parts.drain(..) {
            let estimate = part.m.value.unwrap_or(0);
            let skips = |slack| !self.gains.begin(estimate, slack, progress.alpha);
            if slack.is_some_and(skips) {
                continue;
            }
            list.clear();
            self.completions(part.m.m, list);
            for m in list.iter().map(|scored| scored.m.m) {
                let [_, key] = E::history_keys(m);
                let hopeless = slack.is_some_and(|slack| {
                    !self.gains.promising(key, estimate, slack, progress.alpha)
                });
                if hopeless || progress.early.contains(&Some(m)) {
                    continue;
                }
                let value = self.static_after(m, mover, node.ply + 1)?;
                self.gains.learn(key, value - estimate);
                if self.note(m, value, node, progress) {
                    break 'parts;
                }
            }
        }
        parts.clear();
        self.part_lists.push(parts);
        Ok(())
    }

    /// Searches one move. True: it reached beta.
    fn attempt(
        &mut self,
        m: G::Move,
        known: Option<i32>,
        mover: Player,
        node: Node,
        progress: &mut Progress<G::Move>,
    ) -> Result<bool, Stopped> {
        let place = progress.tried;
        let undo = self.game.play(m);
        let value = match step(&self.game, mover, node.ply + 1) {
            Step::Over(value) => {
                self.variations.clear(node.ply + 1);
                Ok(value)
            }
            Step::Same => self.windows(node, progress.alpha, place, 1, known),
            Step::Other => self.windows(node, progress.alpha, place, -1, known.map(|v| -v)),
        };
        self.game.undo(m, undo);
        Ok(self.note(m, value?, node, progress))
    }

    /// Principal variation search of the position after a move: the first move with the whole
    /// window, others reduced and with a null window until one proves better. `sign` is -1 where
    /// the opponent is to move.
    fn windows(
        &mut self,
        node: Node,
        alpha: i32,
        place: usize,
        sign: i32,
        known: Option<i32>,
    ) -> Result<i32, Stopped> {
        let beta = node.beta;
        let depth = node.depth - 1;
        if place == 0 {
            return self.child(node.ply, depth, alpha, beta, sign, known);
        }
        let row = &self.reductions[(node.depth as usize).min(63)];
        let reduction = u32::from(row[place.min(63)]);
        let mut value = self.child(node.ply, depth - reduction, alpha, alpha + 1, sign, known)?;
        if value > alpha && reduction > 0 {
            value = self.child(node.ply, depth, alpha, alpha + 1, sign, known)?;
        }
        if value > alpha && value < beta {
            value = self.child(node.ply, depth, alpha, beta, sign, known)?;
        }
        Ok(value)
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

    /// Takes a move's value into account. True: it reached beta.
    fn note(
        &mut self,
        m: G::Move,
        value: i32,
        node: Node,
        progress: &mut Progress<G::Move>,
    ) -> bool {
        progress.tried += 1;
        if value > progress.value {
            progress.value = value;
            if value > progress.alpha {
                progress.alpha = value;
                progress.best = Some(m);
                self.variations.set(node.ply, m);
            }
        }
        value >= node.beta
    }

    /// Stores what the node has found, and returns its value.
    fn remember(&mut self, mover: Player, node: Node, progress: &Progress<G::Move>) -> i32 {
        let value = progress.value;
        let bound = if value >= node.beta {
            Bound::Lower
        } else if value <= node.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if let Some(m) = progress.best {
            let depth = node.depth.min(params::bonus_depth()) as i32;
            self.memory.history.nudge(mover, m, params::bonus_factor() * depth * depth);
            let killers = self.memory.killers(node.ply);
            if bound == Bound::Lower && killers[0] != Some(m) {
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
                packed: progress.best.map(E::pack),
            },
        );
        value
    }

    /// The stored value where it answers the question that this node asks. Inside an open window
    /// the search goes on for the sake of the line.
    fn usable(&self, entry: Entry, node: Node) -> Option<i32> {
        let deep_enough = if self.settings.selectivity.is_some() {
            entry.depth >= node.depth
        } else {
            entry.depth == node.depth
        };
        if !deep_enough || !node.has_null_window() {
            return None;
        }
        let value = value_from_tt(entry.value, node.ply);
        let answers = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= node.beta,
            Bound::Upper => value <= node.alpha,
        };
        answers.then_some(value)
    }
}
