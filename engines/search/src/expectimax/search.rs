//! The expectimax search: decisions, and chance positions with their outcomes, the transposition
//! table, Star2 and Star1.

use super::star::{ChanceNode, ChanceOutcome, ChanceSearch, ReplyBound, push_outcomes};
use super::{ExpectimaxEvaluator, UNIT, outcome_value};
use crate::clock::{Clock, NodeCounter, Stopped};
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::Scale;
use crate::searcher::{Searcher, side_to_move};
use crate::transposition::{Entry, EntryBound, TranspositionTable};
use crate::{lazy_smp, params};
use agon_games::{Game, Player, Turn, rng};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

/// Expectimax with its settings and table.
pub struct Expectimax<E> {
    /// The evaluator: static evaluation, exact values, move ordering.
    pub evaluator: E,
    /// The transposition table; `None`: no table, and static move ordering.
    pub table: Option<TranspositionTable>,
    /// The maximum depth in decisions, besides the clock's.
    pub max_depth: u32,
    /// The seed of the stream that breaks ties among equally good root moves.
    pub seed: u64,
    /// The number of threads that share the table (lazy SMP); without a table there is one.
    pub threads: usize,
}

impl<G: Game, E: ExpectimaxEvaluator<G>> Searcher<G> for Expectimax<E> {
    fn run(
        &mut self,
        position: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let table = self.table.as_ref();
        if let Some(table) = table {
            table.new_search();
        }
        let mut search = ExpectimaxSearch::new(&mut self.evaluator, table, clock);
        let mut root = search.root_moves(position, self.seed);
        let helpers = if table.is_some() && root.len() > 1 { self.threads.max(1) - 1 } else { 0 };
        let deepest = clock.depth().min(self.max_depth);
        let reached = &AtomicU32::new(clock.first_depth().saturating_sub(1));
        if helpers == 0 {
            return search.deepen(position, &mut root, deepest, reached, report);
        }
        let evaluators: Vec<E> = (0..helpers).map(|_| search.evaluator.clone()).collect();
        let roots = vec![root.clone(); helpers];
        let helpers =
            (1..).zip(evaluators).zip(roots).map(|((thread, mut evaluator), mut root)| {
                move || {
                    let mut search = ExpectimaxSearch::new(&mut evaluator, table, clock);
                    search.is_reversed = thread % 2 == 1;
                    let by = thread % root.len();
                    root.rotate_left(by);
                    search.deepen(position, &mut root, deepest, reached, &mut |_| {})
                }
            });
        lazy_smp::search(clock, helpers, || {
            let best = search.deepen(position, &mut root, deepest, reached, report);
            search.counter.flush();
            best
        })
    }

    fn prepare(&mut self) {
        self.evaluator.prepare();
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn hashfull(&self) -> Option<u32> {
        self.table.as_ref().map(TranspositionTable::hashfull)
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}

pub(super) struct ExpectimaxSearch<'a, G: Game, E> {
    pub(super) evaluator: &'a mut E,
    table: Option<&'a TranspositionTable>,
    counter: NodeCounter<'a>,
    /// Stacks: each node uses only its own entries and truncates to its start.
    pub(super) moves: Vec<(i32, G::Move)>,
    pub(super) outcomes: Vec<ChanceOutcome<G::Move>>,
    /// Whether outcomes are searched in reverse: the thread then fills the table from the other end.
    pub(super) is_reversed: bool,
}

impl<'a, G: Game, E: ExpectimaxEvaluator<G>> ExpectimaxSearch<'a, G, E> {
    fn new(evaluator: &'a mut E, table: Option<&'a TranspositionTable>, clock: &'a Clock) -> Self {
        let counter = match evaluator.is_slow() {
            true => NodeCounter::for_slow_nodes(clock),
            false => NodeCounter::new(clock),
        };
        let (moves, outcomes) = (Vec::new(), Vec::new());
        ExpectimaxSearch { evaluator, table, counter, moves, outcomes, is_reversed: false }
    }

    /// The allowed root moves by ordering score; moves of equal score are shuffled.
    fn root_moves(&mut self, position: &Root<G>, seed: u64) -> Vec<(i32, G::Move)> {
        let mut root = Vec::new();
        self.order(position.game(), None, &mut root);
        root.retain(|&(_, m)| position.allows(m));
        let ply = position.record().moves().len() as u64;
        rng::shuffle(&mut rng::stream(seed, ply, "expectimax tie"), &mut root);
        root.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        root
    }

    /// Iterative deepening. `reached` is the deepest iteration that any thread has finished: no
    /// thread starts another one of that depth.
    fn deepen(
        &mut self,
        position: &Root<G>,
        root: &mut [(i32, G::Move)],
        deepest: u32,
        reached: &AtomicU32,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let mut game = position.game().clone();
        let mut best = SearchResult::unknown(root[0].1);
        if root.len() == 1 {
            // Only one move: one ply of search is enough to report a value.
            let _ = self.iterate(&mut game, 1, root, &mut best);
            report(&best);
            return best;
        }
        loop {
            let depth = reached.load(Ordering::Relaxed) + 1;
            if depth > deepest {
                break;
            }
            let finished = self.iterate(&mut game, depth, root, &mut best).is_ok();
            best.nodes = self.counter.nodes();
            if !finished {
                break;
            }
            reached.fetch_max(depth, Ordering::Relaxed);
            report(&best);
            let clock = self.counter.clock();
            let late = clock.past_soft_limit(params::expectimax_time_percent());
            if best.value.abs() == UNIT || late || self.exact_root(&game) {
                break;
            }
        }
        best
    }

    /// One iteration over the root moves; `root` keeps them ordered by value.
    fn iterate(
        &mut self,
        game: &mut G,
        depth: u32,
        root: &mut [(i32, G::Move)],
        best: &mut SearchResult<G::Move>,
    ) -> Result<(), Stopped> {
        let mover = side_to_move(game);
        self.counter.visit()?;
        let mut alpha = -UNIT - 1;
        for entry in 0..root.len() {
            let m = root[entry].1;
            let undo = game.play(m);
            let value = self.value(game, mover, depth - 1, alpha, UNIT + 1);
            game.undo(m, undo);
            let value = value?;
            // A bound is enough for the others: they stay behind it in their old order.
            root[entry].0 = value.min(alpha);
            if value > alpha {
                alpha = value;
                root[..=entry].rotate_right(1);
                root[0].0 = value;
                // The old best move is complete, so a better one is valid even if time runs out
                // now.
                best.moves[0] = m;
                best.value = value;
            }
        }
        best.depth = depth;
        best.seldepth = depth;
        Ok(())
    }

    /// Whether every root move's value is known exactly without a deeper search.
    fn exact_root(&mut self, game: &G) -> bool {
        let mover = side_to_move(game);
        let mut next = game.clone();
        let evaluator = &mut *self.evaluator;
        game.visit_moves(&mut |m| {
            let undo = next.play(m);
            let known =
                matches!(next.turn(), Turn::Over(_)) || evaluator.solve(&next, mover).is_some();
            next.undo(m, undo);
            if known { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .is_continue()
    }

    /// The fail-soft value of any position for `viewer`.
    pub(super) fn value(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let turn = game.turn();
        if let Some(value) = outcome_value(turn, viewer) {
            return Ok(value);
        }
        self.counter.visit()?;
        if let Some(value) = self.evaluator.solve(game, viewer) {
            return Ok(value);
        }
        if depth == 0 {
            return Ok(self.evaluator.evaluate(game, viewer));
        }
        match turn {
            Turn::Player(mover) if mover == viewer => {
                self.decision(game, viewer, depth, alpha, beta)
            }
            Turn::Player(mover) => self.decision(game, mover, depth, -beta, -alpha).map(|v| -v),
            _ => self.chance(game, viewer, depth, alpha, beta),
        }
    }

    pub(super) fn probe(&self, hash: u64) -> Option<Entry> {
        self.table.and_then(|table| table.probe(hash))
    }

    pub(super) fn store(
        &self,
        hash: u64,
        value: i32,
        window: (i32, i32),
        depth: u32,
        packed: Option<u32>,
    ) {
        let Some(table) = self.table else { return };
        let bound = EntryBound::of(value, window.0, window.1);
        table.store(hash, Entry { value, bound, depth, packed });
    }

    /// Fills `list` with the decisions: the table's first, then by ordering score.
    pub(super) fn order(&mut self, game: &G, packed: Option<u32>, list: &mut Vec<(i32, G::Move)>) {
        let begin = list.len();
        let evaluator = &mut *self.evaluator;
        let _ = game.visit_moves::<()>(&mut |m| {
            let known = packed.is_some_and(|p| p == E::pack(m));
            list.push((if known { i32::MAX } else { evaluator.ordering_score(game, m) }, m));
            ControlFlow::Continue(())
        });
        // Insertion sort keeps generation order among equals and is fastest on a few elements.
        for i in begin + 1..list.len() {
            let mut j = i;
            while j > begin && list[j - 1].0 < list[j].0 {
                list.swap(j - 1, j);
                j -= 1;
            }
        }
    }

    /// The value of a decision for its mover.
    fn decision(
        &mut self,
        game: &mut G,
        mover: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let hash = game.hash();
        let entry = self.probe(hash);
        if let Some(value) = entry.as_ref().and_then(|e| cut(e, depth, alpha, beta)) {
            return Ok(value);
        }
        let mut list = std::mem::take(&mut self.moves);
        let begin = list.len();
        self.order(game, entry.and_then(|e| e.packed), &mut list);
        self.moves = list;
        let mut best = -UNIT - 1;
        let mut best_move = None;
        for i in begin..self.moves.len() {
            let m = self.moves[i].1;
            let undo = game.play(m);
            let value = self.value(game, mover, depth - 1, alpha.max(best), beta);
            game.undo(m, undo);
            let value = value?;
            if value > best {
                best = value;
                best_move = Some(E::pack(m));
                if best >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        self.store(hash, best, (alpha, beta), depth, best_move);
        Ok(best)
    }
}

/// The entry's value, if it is deep enough and causes a cutoff for this window.
pub(super) fn cut(entry: &Entry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let cuts_off = entry.bound.cuts_off(entry.value, alpha, beta);
    (entry.depth == depth && cuts_off).then_some(entry.value)
}

/// A chance position is valued for one player; these keys separate the two players' table entries.
const VIEWER_KEYS: [u64; 2] = [0x51ab_1e5f_0a0d_33c7, 0xc6a4_a793_5bd1_e995];

/// The search at a chance position.
struct AtChance<'s, 'a, G: Game, E> {
    search: &'s mut ExpectimaxSearch<'a, G, E>,
    game: &'s mut G,
    viewer: Player,
    depth: u32,
}

impl<G: Game, E: ExpectimaxEvaluator<G>> ExpectimaxSearch<'_, G, E> {
    /// The value of a chance position for `viewer`.
    pub(super) fn chance(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let hash = game.hash() ^ VIEWER_KEYS[viewer.index()];
        if let Some(value) = self.probe(hash).and_then(|e| cut(&e, depth, alpha, beta)) {
            return Ok(value);
        }
        let begin = self.outcomes.len();
        let evaluator = &*self.evaluator;
        push_outcomes(game, &mut self.outcomes, |m| evaluator.outcome_class(game, m));
        if self.is_reversed {
            self.outcomes[begin..].reverse();
        }
        let many = self.outcomes.len() > begin + 1;
        let node = ChanceNode::new(&self.outcomes, begin, (alpha, beta));
        let mut at = AtChance { search: self, game, viewer, depth };
        let decided = if depth > 1 && many { node.star2(&mut at)? } else { None };
        let value = match decided {
            Some(value) => value,
            None => node.star1(&mut at)?,
        };
        self.outcomes.truncate(begin);
        self.store(hash, value, (alpha, beta), depth, None);
        Ok(value)
    }
}

impl<G: Game, E: ExpectimaxEvaluator<G>> ChanceSearch for AtChance<'_, '_, G, E> {
    type Move = G::Move;

    fn outcomes(&mut self) -> &mut Vec<ChanceOutcome<G::Move>> {
        &mut self.search.outcomes
    }

    fn search_outcome(&mut self, m: G::Move, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        let value = self.search.value(self.game, self.viewer, self.depth, alpha, beta);
        self.game.undo(m, undo);
        value
    }

    fn search_reply(&mut self, m: G::Move, alpha: i32, beta: i32) -> Result<ReplyBound, Stopped> {
        let undo = self.game.play(m);
        let bound = self.reply_bound(alpha, beta);
        self.game.undo(m, undo);
        bound
    }
}

impl<G: Game, E: ExpectimaxEvaluator<G>> AtChance<'_, '_, G, E> {
    /// The bound on the position's value from its best-ordered reply.
    fn reply_bound(&mut self, alpha: i32, beta: i32) -> Result<ReplyBound, Stopped> {
        let AtChance { search, game, viewer, depth } = self;
        let Turn::Player(mover) = game.turn() else { return Ok(ReplyBound::Unknown) };
        let packed = search.probe(game.hash()).and_then(|e| e.packed);
        let begin = search.moves.len();
        let mut list = std::mem::take(&mut search.moves);
        search.order(game, packed, &mut list);
        let first = list[begin].1;
        list.truncate(begin);
        search.moves = list;
        let own = mover == *viewer;
        let (low, high) = if own { (alpha, beta) } else { (-beta, -alpha) };
        let undo = game.play(first);
        let value = search.value(game, mover, *depth - 1, low, high);
        game.undo(first, undo);
        // At or below the window the value is itself only an upper bound, so it gives no bound.
        Ok(match value? {
            v if v <= low => ReplyBound::Unknown,
            v if own => ReplyBound::AtLeast(v),
            v => ReplyBound::AtMost(-v),
        })
    }
}
