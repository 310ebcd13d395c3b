//! The tournament search: the threat solver at the root, for both sides and behind every turn that
//! is considered, then selective PVS whose inner nodes ask the solver too, with small limits.
//!
//! A win of one's own is played as soon as it is found. Where the opponent would win if it were to
//! move, only turns are searched that touch the zone of that win, and of these only the ones that
//! the solver does not refute.

use crate::params;
use crate::play::{Connect6Evaluator, SearchPosition};
use crate::solver::{DoubleThreatSearch, SolverLimits, SolverSettings, Verdict, solve};
use agon_protocol::Record;
use agon_protocol::connect6::Connect6Move;
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::WIN;
use agon_search::searcher::Searcher;
use agon_search::selective::{self, SelectiveSearch as Pvs, Selectivity};
use agon_search::transposition::TranspositionTable;
use std::ops::ControlFlow;
use std::time::Duration;

/// How much the solver is asked to look for.
#[derive(Clone, Copy, Debug)]
pub struct SolverBudgets {
    /// Stones that it may place at the root where no time is given, for either side.
    pub root: u64,
    /// Behind each root turn.
    pub refute: SolverLimits,
    /// At inner nodes.
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

/// Tiny plain searches for double threats only.
fn double_threats(limits: SolverLimits) -> SolverSettings {
    SolverSettings {
        limits,
        dependency: None,
        splits: 0,
        single_threats: 0,
        ..SolverSettings::default()
    }
}

/// The pattern evaluation, and the solver where a node asks whether it is decided.
#[derive(Clone, Copy, Debug)]
pub struct SolverEvaluator {
    inner: SolverLimits,
}

impl Evaluator<SearchPosition> for SolverEvaluator {
    fn evaluate(&mut self, play: &SearchPosition) -> i32 {
        Connect6Evaluator.evaluate(play)
    }

    fn solve(&mut self, play: &SearchPosition) -> Option<i32> {
        if let Some(value) = Connect6Evaluator.solve(play) {
            return Some(value);
        }
        let mut solver =
            DoubleThreatSearch::new(play.board(), play.side(), double_threats(self.inner));
        let turns = solver.win(&|| false)?.depth() as i32;
        Some(WIN - (2 * turns - 1))
    }
}

impl MoveEncoding<SearchPosition> for SolverEvaluator {
    const HISTORY_KEYS: [usize; 2] =
        <Connect6Evaluator as MoveEncoding<SearchPosition>>::HISTORY_KEYS;

    fn history_keys(m: Connect6Move) -> [usize; 2] {
        Connect6Evaluator::history_keys(m)
    }

    fn pack(m: Connect6Move) -> u32 {
        Connect6Evaluator::pack(m)
    }

    fn unpack(bits: u32) -> Option<Connect6Move> {
        Connect6Evaluator::unpack(bits)
    }
}

impl StagedMoves<SearchPosition> for SolverEvaluator {
    type PartialMove = Connect6Move;

    fn visit_partial_moves<B>(
        play: &SearchPosition,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Connect6Evaluator::visit_partial_moves(play, visit)
    }

    fn visit_completions<B>(
        play: &SearchPosition,
        part: Connect6Move,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Connect6Evaluator::visit_completions(play, part, visit)
    }

    fn evaluate_partial(&mut self, play: &SearchPosition, part: Connect6Move) -> i32 {
        Connect6Evaluator.evaluate_partial(play, part)
    }

    fn partial_key(part: Connect6Move) -> usize {
        Connect6Evaluator::partial_key(part)
    }
}

/// The searcher.
pub struct Best {
    pvs: Pvs<SearchPosition, SolverEvaluator>,
    budgets: SolverBudgets,
    /// The time for the turn that is to be searched, if there is one.
    pub time: Option<Duration>,
}

impl Best {
    /// A searcher with an empty table.
    pub fn new(table: TranspositionTable, threads: usize) -> Best {
        Best::with_budgets(SolverBudgets::default(), table, threads)
    }

    /// The same with another solver.
    pub fn with_budgets(budgets: SolverBudgets, table: TranspositionTable, threads: usize) -> Best {
        let selectivity = Selectivity {
            parts: [params::parts_base(), params::parts_slope()],
            moves: [params::moves_base(), params::moves_slope()],
            root: params::root_factor(),
            drop: [params::beam_base(), params::beam_slope()],
            // Neither futility pruning nor reverse futility pruning.
            slack: 100_000,
            calm: 100_000,
            calm_depth: 0,
            reduction: params::lmr_divisor(),
            history: params::history_divisor(),
        };
        let selectivity = Some(selectivity);
        let aspiration = params::aspiration_width();
        let settings = selective::SelectiveSettings { threads, selectivity, aspiration };
        let deep = SolverEvaluator { inner: budgets.inner };
        Best { pvs: Pvs::new(deep, table, settings), budgets, time: None }
    }

    /// A win of the side to move, which the verifier has replayed.
    fn own_win(&self, play: &SearchPosition, clock: &Clock) -> Option<SearchResult<Connect6Move>> {
        let limits = SolverLimits { total: self.stones(), ..SolverLimits::default() };
        let settings = SolverSettings { limits, ..SolverSettings::default() };
        let until = self.share(clock);
        let solution = solve(play.game(), settings, &|| clock.expired() || until(clock));
        let Verdict::Win { proof, .. } = solution.verdict else { return None };
        let plies = 2 * proof.depth() as i32 - 1;
        let nodes = solution.counters.moves;
        let depth = solution.depth.max(1);
        let moves = vec![proof.turn()?];
        Some(SearchResult { depth, seldepth: plies as u32, value: WIN - plies, nodes, moves })
    }

    fn stones(&self) -> u64 {
        if self.time.is_some() { u64::MAX } else { self.budgets.root }
    }

    /// Says when a share of the time that begins now is over.
    fn share(&self, clock: &Clock) -> impl Fn(&Clock) -> bool + use<> {
        let end = self.time.map(|t| clock.elapsed() + t * params::root_percent() / 100);
        move |clock: &Clock| end.is_some_and(|end| clock.elapsed() >= end)
    }

    /// The turns to search at the root: those that the opponent's threats do not refute.
    fn root_turns(
        &self,
        play: &SearchPosition,
        root: &Root<SearchPosition>,
        clock: &Clock,
    ) -> Vec<Connect6Move> {
        let (us, them) = (play.side(), 1 - play.side());
        let mut turns = root.allowed_moves();
        if turns.len() <= 1 {
            return turns;
        }
        let limits = SolverLimits { total: self.stones(), ..SolverLimits::default() };
        let until = self.share(clock);
        let stop = || clock.expired() || until(clock);
        let settings = SolverSettings { limits, single_threats: 0, ..SolverSettings::default() };
        let mut danger = DoubleThreatSearch::new(play.board(), them, settings);
        if !play.board().has_four(them)
            && let Some(win) = danger.win(&stop)
        {
            let zone = danger.zone(&win, 2);
            let touching = play.candidates_in_zone(&zone).into_iter().filter(|&m| root.allows(m));
            let touching: Vec<_> = touching.collect();
            if !touching.is_empty() || !root.is_restricted() {
                turns = touching;
            }
        }
        let share = self.share(clock);
        let mut board = play.board().clone();
        let mut safe = Vec::new();
        for (i, &m) in turns.iter().enumerate() {
            if i > 0 && (clock.expired() || share(clock)) {
                break;
            }
            let from = board.placed();
            m.stones().for_each(|p| board.place(us, p.index() as u16));
            let settings = SolverSettings { limits: self.budgets.refute, ..settings };
            let mut threats = DoubleThreatSearch::new(&board, them, settings);
            if threats.win(&|| clock.expired()).is_none() {
                safe.push(m);
            }
            board.rewind(from);
        }
        if safe.is_empty() { turns } else { safe }
    }
}

impl Searcher<SearchPosition> for Best {
    fn run(
        &mut self,
        root: &Root<SearchPosition>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        let play = root.game();
        if play.game().stones_due() == 2 {
            let win = self.own_win(play, clock);
            if let Some(line) = win.filter(|line| root.allows(line.best())) {
                report(&line);
                return line;
            }
            let turns = self.root_turns(play, root, clock);
            if let [only] = turns[..] {
                return SearchResult { depth: 1, ..SearchResult::unknown(only) };
            }
            let narrowed = Record::new(play.clone().with_candidates(turns));
            return self.pvs.run(&Root::new(&narrowed), clock, report);
        }
        self.pvs.run(root, clock, report)
    }

    fn new_game(&mut self) {
        self.pvs.new_game();
    }

    fn hashfull(&self) -> Option<u32> {
        Searcher::<SearchPosition>::hashfull(&self.pvs)
    }
}
