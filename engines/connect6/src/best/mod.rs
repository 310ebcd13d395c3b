//! The tournament search: the threat-space solver at the root, for both sides and after the turns
//! that matter, then selective principal variation search whose inner nodes run the solver with
//! small limits.
//!
//! A win of the side to move is played at once. If the opponent wins after a null move, only turns
//! are searched that relevance zones admit and that the solver does not refute (`defence`). The best
//! turn of every iteration is checked once more; if the solver refutes it, the search continues
//! without it. Only wins and losses that the verifier has replayed are reported as such: the search
//! generates a part of the turns, so its own are not proved.

mod defence;
mod refutation;

use crate::params;
use crate::play::{
    Connect6Evaluator, LineValues, SearchPosition, TreeSolver, UNPROVED_WIN, unproved,
};
use crate::proof::Step;
use crate::solver::{SolverLimits, SolverSettings, ThreatSearch, Verdict};
use crate::verify::{Budget, verify, verify_loss};
use agon_games::Record;
use agon_games::connect6::Connect6Move;
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score::WIN;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings, Selectivity};
use agon_search::transposition::TranspositionTable;
use defence::{DefenceSettings, RootDefence};
use refutation::{RefutationCheck, Refuter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The tournament search.
pub struct Best {
    pvs: SelectiveSearch<SearchPosition, Connect6Evaluator>,
    /// The evaluator of `pvs`, with which it shares the solver's results.
    evaluator: Connect6Evaluator,
    budgets: SolverBudgets,
    threads: usize,
}

impl Best {
    /// A search with the default budgets.
    pub fn new(table: TranspositionTable, threads: usize) -> Best {
        Best::with_budgets(SolverBudgets::default(), table, threads)
    }

    /// A search with other solver budgets.
    pub fn with_budgets(budgets: SolverBudgets, table: TranspositionTable, threads: usize) -> Best {
        Best::with_lines(LineValues::built_in(), budgets, table, threads)
    }

    /// A search with these values of lines.
    pub fn with_lines(
        lines: Arc<LineValues>,
        budgets: SolverBudgets,
        table: TranspositionTable,
        threads: usize,
    ) -> Best {
        let evaluator = Connect6Evaluator::with_solver(budgets.tree, lines);
        let pvs = SelectiveSearch::new(evaluator.clone(), table, Best::tree_settings(threads));
        Best { pvs, evaluator, budgets, threads: threads.max(1) }
    }

    /// The settings of the search in the tree.
    pub fn tree_settings(threads: usize) -> SelectiveSettings {
        let selectivity = Some(Selectivity {
            partial_moves: [params::partial_moves_base(), params::partial_moves_slope()],
            moves: [params::moves_base(), params::moves_slope()],
            root_factor: params::root_factor(),
            beam: [params::beam_base(), params::beam_slope()],
            // Disables futility pruning.
            futility_margin: 100_000,
            reverse_futility_margin: [params::rfp_base(), params::rfp_slope()],
            reverse_futility_depth: params::rfp_depth(),
            lmr_divisor: params::lmr_divisor(),
            history_divisor: params::history_divisor(),
        });
        SelectiveSettings { threads, selectivity, aspiration: params::aspiration_width() }
    }

    /// A win of the side to move, verified if the time allows.
    fn own_win(
        &self,
        position: &SearchPosition,
        clock: &Clock,
    ) -> Option<SearchResult<Connect6Move>> {
        let is_over = share_of_time(clock, params::root_percent());
        let settings = self.budgets.at_root(clock);
        let search = ThreatSearch::new(position.board(), position.side(), settings);
        let most = last_node(clock, params::root_percent()) - clock.visited();
        let solution = search.within(most).search(&is_over);
        clock.count(solution.counters.nodes);
        let Verdict::Win { proof, .. } = solution.verdict else { return None };
        let late = || clock.out_of_time();
        let result = verify(position.game(), &proof, Budget { stop: &late, ..Budget::default() });
        if let Err(refuted) = &result
            && !late()
        {
            log::error!("the claimed win of `{}` does not hold: {refuted}", position.fen());
            return None;
        }
        let plies = 2 * proof.depth() as i32 - 1;
        let value = if result.is_ok() { WIN } else { UNPROVED_WIN } - plies;
        Some(SearchResult {
            depth: solution.depth.max(1),
            seldepth: plies as u32,
            value,
            nodes: clock.visited(),
            ..SearchResult::unknown(proof.turn()?)
        })
    }

    /// The turns to search at the root: those that hold against wins with at most this number of
    /// single threats on a path.
    fn defence(
        &self,
        root: &Root<SearchPosition>,
        single_threats: u32,
        clock: &Clock,
    ) -> RootDefence {
        let position = root.game();
        let percents = [params::root_percent(), params::danger_percent()];
        let [soon, late] = percents.map(|percent| end_of_share(clock, percent));
        let [first_node, last_node] = percents.map(|percent| last_node(clock, percent));
        // While no turn holds, the search for one gets more of the time.
        let holding = AtomicUsize::new(0);
        let stop = || {
            let holding = holding.load(Ordering::Relaxed);
            let end = if holding > 0 { soon } else { late };
            let is_late = end.is_some_and(|end| clock.elapsed() >= end)
                || holding > 0 && clock.visited() >= first_node;
            holding >= params::held_turns() || clock.out_of_time() || is_late
        };
        let each = |check: &RefutationCheck| {
            let holds = matches!(check, RefutationCheck::Holds);
            holding.fetch_add(usize::from(holds), Ordering::Relaxed);
        };
        let board = position.board();
        let (us, threads) = (position.side(), self.threads);
        let refuter = Refuter { board, us, threads, stop: &stop, clock, last_node };
        let settings = DefenceSettings {
            root: SolverSettings { single_threats, ..self.budgets.at_root(clock) },
            after_turn: SolverSettings { single_threats, ..self.budgets.after_turn(clock) },
        };
        if root.is_restricted() {
            return defence::check_turns(position, root.allowed_moves(), &refuter, settings, &each);
        }
        let is_over = share_of_time(clock, params::root_percent());
        let first = Refuter { stop: &is_over, last_node: first_node, ..refuter };
        defence::analyse(position, [&first, &refuter], settings, &each)
    }

    /// The result of a position where the solver has refuted every turn.
    fn lost(
        &self,
        position: &SearchPosition,
        (m, turns): (Connect6Move, usize),
        loss: Option<&Step>,
        clock: &Clock,
    ) -> SearchResult<Connect6Move> {
        let late = || clock.out_of_time();
        let budget = Budget { stop: &late, ..Budget::default() };
        let verified = loss.is_some_and(|loss| verify_loss(position.game(), loss, budget).is_ok());
        let plies = 2 * turns as i32;
        let value = if verified { plies - WIN } else { plies - UNPROVED_WIN };
        let (seldepth, nodes) = (plies as u32, clock.visited());
        SearchResult { depth: 1, seldepth, value, nodes, ..SearchResult::unknown(m) }
    }

    /// Searches these turns only.
    fn search_turns(
        &mut self,
        root: &Root<SearchPosition>,
        turns: &[Connect6Move],
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        if root.is_restricted() {
            let narrowed = Root::with_moves(root.record(), RootMoves::Only(turns.to_vec()));
            return self.pvs.run(&narrowed, clock, report);
        }
        let narrowed = Record::new(root.game().clone().with_candidates(turns.to_vec()));
        self.pvs.run(&Root::new(&narrowed), clock, report)
    }

    /// Searches these turns. The best turn of an iteration that the solver refutes is dropped. If all
    /// are refuted, returns the one after which the opponent's win takes longest, and its turns.
    fn search(
        &mut self,
        root: &Root<SearchPosition>,
        mut turns: Vec<Connect6Move>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> Result<SearchResult<Connect6Move>, (Connect6Move, usize)> {
        let position = root.game();
        let check = Recheck { position, settings: self.budgets.after_turn(clock), clock };
        let mut sound: Vec<Connect6Move> = Vec::new();
        let mut last: Option<SearchResult<Connect6Move>> = None;
        let mut longest: Option<(Connect6Move, usize)> = None;
        let share = 100 - params::recheck_last_percent();
        let until = clock.hard_limit().map(|hard| hard * share / 100);
        let tree_end = clock.node_limit().map(|nodes| nodes - nodes / 100 * u64::from(100 - share));
        loop {
            let mut refuted = None;
            clock.set_deadline(until);
            clock.set_last_node(tree_end);
            let mut inner = |result: &SearchResult<Connect6Move>| {
                let m = result.best();
                if refuted.is_some() || result.bound.is_some() && !sound.contains(&m) {
                    return;
                }
                if !sound.contains(&m) {
                    if let Some(turns) = check.refutation(m, params::recheck_percent()) {
                        refuted = Some((m, turns));
                        return clock.halt();
                    }
                    sound.push(m);
                }
                let result = SearchResult { value: unproved(result.value), ..result.clone() };
                report(&result);
                last = Some(result);
            };
            let result = self.search_turns(root, &turns, clock, &mut inner);
            clock.set_deadline(None);
            clock.set_last_node(None);
            let m = result.best();
            if refuted.is_none() && !sound.contains(&m) {
                refuted =
                    check.refutation(m, params::recheck_last_percent()).map(|turns| (m, turns));
            }
            let Some((m, length)) = refuted else {
                return Ok(SearchResult { value: unproved(result.value), ..result });
            };
            if longest.is_none_or(|(_, most)| length > most) {
                longest = Some((m, length));
            }
            turns.retain(|other| *other != m);
            clock.resume();
            // A turn that looked best loses: the position is not clear.
            clock.scale_soft_limit(params::unclear_percent());
            if turns.is_empty() || clock.expired() || until.is_some_and(|t| clock.elapsed() >= t) {
                let other = turns.first().map(|m| SearchResult::unknown(*m));
                return last.or(other).ok_or(longest.unwrap_or((m, length)));
            }
        }
    }
}

/// The check of a turn that the search wants to play.
struct Recheck<'a> {
    position: &'a SearchPosition,
    settings: SolverSettings,
    clock: &'a Clock,
}

impl Recheck<'_> {
    /// The number of turns in which the opponent wins after a turn, if the solver finds a win in
    /// this percentage of the time, with greater limits than [`SolverBudgets::after_turn`].
    fn refutation(&self, m: Connect6Move, percent: u32) -> Option<usize> {
        let Recheck { position, mut settings, clock } = *self;
        settings.limits.iteration =
            settings.limits.iteration.saturating_mul(params::recheck_factor());
        settings.limits.total = settings.limits.total.saturating_mul(params::recheck_factor());
        let stop = share_of_time(clock, percent);
        let (board, us, last_node) = (position.board(), position.side(), last_node(clock, percent));
        let refuter = Refuter { board, us, threads: 1, stop: &stop, clock, last_node };
        match refuter.check(&defence::stones_of(&m), settings) {
            RefutationCheck::Refuted(refutation) => Some(refutation.win.depth()),
            _ => None,
        }
    }
}

/// The end of this percentage of the time for this move, which starts now.
fn end_of_share(clock: &Clock, percent: u32) -> Option<Duration> {
    clock.soft_limit().map(|t| clock.elapsed() + t * percent / 100)
}

/// The count of nodes at which this percentage of those for this move is used up, from now: at least one
/// more, unless the limit is reached.
fn last_node(clock: &Clock, percent: u32) -> u64 {
    let Some(limit) = clock.node_limit() else { return u64::MAX };
    let share = (u128::from(limit) * u128::from(percent) / 100) as u64;
    clock.visited().saturating_add(share.max(1)).min(limit.max(clock.visited()))
}

/// Whether the clock has expired or a percentage of the time for this move, which starts now, is
/// used up.
fn share_of_time(clock: &Clock, percent: u32) -> impl Fn() -> bool + Sync {
    let end = end_of_share(clock, percent);
    move || clock.out_of_time() || end.is_some_and(|end| clock.elapsed() >= end)
}

impl Best {
    /// The search of a whole turn.
    fn search_turn(
        &mut self,
        root: &Root<SearchPosition>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        let win = self.own_win(root.game(), clock);
        if let Some(win) = win.filter(|win| root.allows(win.best())) {
            report(&win);
            return win;
        }
        // The search begins with the turns that hold against double threats: checking all of them for
        // single threats takes long, and few of them ever become the best of an iteration.
        let mut longest = None;
        for single_threats in [0, 1] {
            let defence = self.defence(root, single_threats, clock);
            if let Some(found) = defence.longest {
                let lost = self.lost(root.game(), found, defence.loss.as_ref(), clock);
                report(&lost);
                return lost;
            }
            if let [only] = defence.turns[..] {
                return SearchResult { depth: 1, ..SearchResult::unknown(only) };
            }
            if defence.danger {
                clock.scale_soft_limit(params::danger_time());
            }
            match self.search(root, defence.turns, clock, report) {
                Ok(result) => return result,
                Err(found) => longest = longest.or(Some(found)),
            }
        }
        let longest = longest.unwrap_or((root.first_move(), 1));
        let lost = self.lost(root.game(), longest, None, clock);
        report(&lost);
        lost
    }
}

impl Searcher<SearchPosition> for Best {
    fn run(
        &mut self,
        root: &Root<SearchPosition>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        if root.game().game().stones_due() < 2 {
            return self.pvs.run(root, clock, report);
        }
        let result = self.search_turn(root, clock, report);
        SearchResult { nodes: clock.visited(), ..result }
    }

    fn new_game(&mut self) {
        self.pvs.new_game();
        self.evaluator.forget();
    }

    fn hashfull(&self) -> Option<u32> {
        self.pvs.hashfull()
    }
}

/// Limits of the solver's searches.
#[derive(Clone, Copy, Debug)]
pub struct SolverBudgets {
    /// Stones placed at the root for each side, if the move has no time limit.
    pub root: u64,
    /// Limits after each turn at the root, if the move has no time limit or a short one.
    pub refute: SolverLimits,
    /// Limits in the tree.
    pub tree: TreeSolver,
}

impl Default for SolverBudgets {
    fn default() -> SolverBudgets {
        SolverBudgets {
            root: params::root_stones(),
            refute: SolverLimits {
                depth: params::refute_depth(),
                iteration: params::refute_iteration(),
                total: params::refute_total(),
            },
            tree: TreeSolver {
                leaf: SolverLimits {
                    depth: params::leaf_depth(),
                    iteration: params::leaf_total(),
                    total: params::leaf_total(),
                },
                inner: SolverLimits {
                    depth: params::inner_depth(),
                    iteration: params::inner_iteration(),
                    total: params::inner_total(),
                },
                deep: SolverLimits {
                    depth: params::deep_depth(),
                    iteration: params::deep_total(),
                    total: params::deep_total(),
                },
                most: params::deep_most(),
            },
        }
    }
}

impl SolverBudgets {
    /// The settings at the root: stones are limited only if time is not.
    pub fn at_root(&self, clock: &Clock) -> SolverSettings {
        let total = if clock.soft_limit().is_some() { u64::MAX } else { self.root };
        let limits = SolverLimits { total, ..SolverLimits::default() };
        SolverSettings { limits, ..SolverSettings::default() }
    }

    /// The settings after a turn at the root. The limits grow with the time for the move.
    pub fn after_turn(&self, clock: &Clock) -> SolverSettings {
        let ms = clock.soft_limit().map_or(0, |soft| soft.as_millis() as u64);
        let total = self.refute.total.max(ms.saturating_mul(params::refute_stones_per_ms()));
        let limits = SolverLimits {
            iteration: total / 100 * params::refute_iteration_percent(),
            total,
            ..self.refute
        };
        SolverSettings { limits, ..SolverSettings::default() }
    }
}
