//! The tournament search: the threat-space solver at the root, for both sides and after every
//! candidate turn, then selective principal variation search whose inner nodes run the solver with
//! small limits.
//!
//! A win of the side to move is played as soon as it is verified. If the opponent wins after a null
//! move, only turns that touch the relevance zone of this win and that the solver does not refute
//! are searched.

use crate::params;
use crate::play::{Connect6Evaluator, SearchPosition};
use crate::solver::{SolverLimits, SolverSettings, ThreatSearch, Verdict, solve};
use agon_protocol::Record;
use agon_protocol::connect6::Connect6Move;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score::WIN;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings, Selectivity};
use agon_search::transposition::TranspositionTable;

/// Limits of the solver's searches.
#[derive(Clone, Copy, Debug)]
pub struct SolverBudgets {
    /// Stones placed at the root for each side, if the move has no time limit.
    pub root: u64,
    /// Limits after each turn at the root.
    pub refute: SolverLimits,
    /// Limits at inner nodes.
    pub inner: SolverLimits,
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
            inner: SolverLimits {
                depth: params::inner_depth(),
                iteration: params::inner_iteration(),
                total: params::inner_total(),
            },
        }
    }
}

/// The tournament search.
pub struct Best {
    pvs: SelectiveSearch<SearchPosition, Connect6Evaluator>,
    budgets: SolverBudgets,
}

impl Best {
    /// A search with the default budgets.
    pub fn new(table: TranspositionTable, threads: usize) -> Best {
        Best::with_budgets(SolverBudgets::default(), table, threads)
    }

    /// A search with other solver budgets.
    pub fn with_budgets(budgets: SolverBudgets, table: TranspositionTable, threads: usize) -> Best {
        let selectivity = Some(Selectivity {
            partial_moves: [params::parts_base(), params::parts_slope()],
            moves: [params::moves_base(), params::moves_slope()],
            root_factor: params::root_factor(),
            beam: [params::beam_base(), params::beam_slope()],
            // Disables futility pruning and reverse futility pruning.
            futility_margin: 100_000,
            reverse_futility_margin: 100_000,
            reverse_futility_depth: 0,
            lmr_divisor: params::lmr_divisor(),
            history_divisor: params::history_divisor(),
        });
        let aspiration = params::aspiration_width();
        let settings = SelectiveSettings { threads, selectivity, aspiration };
        let evaluator = Connect6Evaluator { solver: Some(budgets.inner) };
        Best { pvs: SelectiveSearch::new(evaluator, table, settings), budgets }
    }

    /// The solver's settings at the root: stones are limited only if time is not.
    fn root_settings(&self, clock: &Clock) -> SolverSettings {
        let total = if clock.soft_limit().is_some() { u64::MAX } else { self.budgets.root };
        let limits = SolverLimits { total, ..SolverLimits::default() };
        SolverSettings { limits, ..SolverSettings::default() }
    }

    /// A verified win of the side to move.
    fn own_win(
        &self,
        position: &SearchPosition,
        clock: &Clock,
    ) -> Option<SearchResult<Connect6Move>> {
        let is_over = share_of_time(clock);
        let solution = solve(position.game(), self.root_settings(clock), &is_over);
        let Verdict::Win { proof, .. } = solution.verdict else { return None };
        let plies = 2 * proof.depth() as i32 - 1;
        let nodes = solution.counters.moves;
        let depth = solution.depth.max(1);
        let moves = vec![proof.turn()?];
        let unknown = SearchResult::unknown(*moves.first()?);
        Some(SearchResult {
            depth,
            seldepth: plies as u32,
            value: WIN - plies,
            nodes,
            moves,
            ..unknown
        })
    }

    /// The turns to search at the root: those that the opponent's double threats do not refute.
    fn root_turns(&self, root: &Root<SearchPosition>, clock: &Clock) -> Vec<Connect6Move> {
        let position = root.game();
        let (us, them) = (position.side(), 1 - position.side());
        let mut turns = root.allowed_moves();
        if turns.len() <= 1 {
            return turns;
        }
        let settings = SolverSettings { single_threats: 0, ..self.root_settings(clock) };
        // The null move: the opponent is treated as the side to move.
        let opponent = ThreatSearch::new(position.board(), them, settings);
        if !position.board().has_four(them)
            && let Some(win) = opponent.win(&share_of_time(clock))
        {
            let mut in_zone = position.candidates_in_zone(&opponent.zone(&win, 2));
            in_zone.retain(|&m| root.allows(m));
            if !in_zone.is_empty() || !root.is_restricted() {
                turns = in_zone;
            }
        }
        let is_over = share_of_time(clock);
        let settings = SolverSettings { limits: self.budgets.refute, ..settings };
        let mut board = position.board().clone();
        let mut safe = Vec::new();
        for (i, &m) in turns.iter().enumerate() {
            if i > 0 && is_over() {
                break;
            }
            let from = board.placed();
            m.stones().for_each(|p| board.place(us, p.index() as u16));
            let refutation = ThreatSearch::new(&board, them, settings);
            if refutation.win(&|| clock.expired()).is_none() {
                safe.push(m);
            }
            board.rewind(from);
        }
        if safe.is_empty() { turns } else { safe }
    }
}

/// Whether the clock has expired or the solver's share of the time for this move, which starts now,
/// is used up.
fn share_of_time(clock: &Clock) -> impl Fn() -> bool {
    let end = clock.soft_limit().map(|t| clock.elapsed() + t * params::root_percent() / 100);
    move || clock.expired() || end.is_some_and(|end| clock.elapsed() >= end)
}

impl Searcher<SearchPosition> for Best {
    fn run(
        &mut self,
        root: &Root<SearchPosition>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        let position = root.game();
        if position.game().stones_due() < 2 {
            return self.pvs.run(root, clock, report);
        }
        let win = self.own_win(position, clock);
        if let Some(win) = win.filter(|win| root.allows(win.best())) {
            report(&win);
            return win;
        }
        let turns = self.root_turns(root, clock);
        if let [only] = turns[..] {
            return SearchResult { depth: 1, ..SearchResult::unknown(only) };
        }
        if root.is_restricted() {
            let narrowed = Root::with_moves(root.record(), RootMoves::Only(turns));
            return self.pvs.run(&narrowed, clock, report);
        }
        let narrowed = Record::new(position.clone().with_candidates(turns));
        self.pvs.run(&Root::new(&narrowed), clock, report)
    }

    fn new_game(&mut self) {
        self.pvs.new_game();
    }

    fn hashfull(&self) -> Option<u32> {
        self.pvs.hashfull()
    }
}
