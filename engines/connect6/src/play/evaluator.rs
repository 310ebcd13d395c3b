//! The evaluation by open windows of both sides, and the move encoding.

use super::line_values::{LineSums, LineValues};
use super::position::SearchPosition;
use super::solved::{Solved, SolvedTable};
use super::weights::WindowWeights;
use crate::params;
use crate::solver::{SolverLimits, SolverSettings, ThreatSearch};
use agon_games::Player;
use agon_games::connect6::{Connect6Move, POINTS, Point};
use agon_games::game::Game;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::mcts::MctsEvaluator;
use agon_search::score::{WIN, clamp_static, is_decisive};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The evaluation by open windows and, in a search with the solver, by learned values of lines. To decide
/// whether a node is won or lost, it counts threats and, if limits are given, searches for threats.
#[derive(Clone, Debug, Default)]
pub struct Connect6Evaluator {
    /// The learned values of lines.
    lines: Option<LineSums>,
    /// The limits of this search; `None`: count threats only.
    solver: Option<TreeSolver>,
    /// The last results of the solver, which the clones of an evaluator share; `None` without limits.
    solved: Option<Arc<SolvedTable>>,
}

/// The limits of the solver in the tree. A node that is searched more deeply has more nodes below it, so
/// the solver may take longer there.
#[derive(Clone, Copy, Debug)]
pub struct TreeSolver {
    /// Double threats at leaves.
    pub leaf: SolverLimits,
    /// Double threats at nodes of depth 1.
    pub inner: SolverLimits,
    /// Double and single threats at nodes of depth 2; the number of stones doubles with each further ply,
    /// up to `most`.
    pub deep: SolverLimits,
    /// The greatest total number of stones.
    pub most: u64,
}

impl TreeSolver {
    /// The settings at a node of this depth, 2 or more.
    fn deep(&self, depth: u32) -> SolverSettings {
        let factor = 1 << depth.saturating_sub(2).min(32);
        let total = self.deep.total.saturating_mul(factor).min(self.most);
        let limits = SolverLimits { iteration: total / 2, total, ..self.deep };
        SolverSettings { limits, line_pairs: false, ..SolverSettings::default() }
    }
}

impl Connect6Evaluator {
    /// An evaluator that runs the solver within these limits and uses these values of lines.
    pub fn with_solver(limits: TreeSolver, lines: Arc<LineValues>) -> Connect6Evaluator {
        Connect6Evaluator {
            lines: Some(LineSums::new(lines)),
            solver: Some(limits),
            solved: Some(Arc::new(SolvedTable::new())),
        }
    }

    /// Forgets the results of the solver, in all clones.
    pub fn forget(&self) {
        if let Some(solved) = &self.solved {
            solved.clear();
        }
    }

    /// The static evaluation by windows for the side to move, with the position's weights.
    pub fn value(position: &SearchPosition) -> i32 {
        Connect6Evaluator::weigh(position, Connect6Evaluator::threats(position), 0)
    }

    /// The number of the opponent's threats; 3 means three or more.
    pub fn threats(position: &SearchPosition) -> usize {
        let (board, them) = (position.board(), 1 - position.side());
        if board.has_four(them) { board.threats(them).count() } else { 0 }
    }

    /// The evaluation with this number of threats of the opponent and this value of the lines.
    fn weigh(position: &SearchPosition, threats: usize, lines: i32) -> i32 {
        let WindowWeights { windows, free, centre, own, tempo, forced, .. } = position.weights();
        let side = |colour: usize| {
            let window_counts = position.board().window_counts(colour);
            let all: i32 = window_counts.windows().iter().zip(windows).map(|(n, w)| n * w).sum();
            let room: i32 = match free {
                [0, 0, 0] => 0,
                _ => {
                    position.board().free_windows(colour).iter().zip(free).map(|(n, w)| n * w).sum()
                }
            };
            all + room + centre * window_counts.edge_distance()
        };
        let us = position.side();
        let bound = if threats == 0 { 0 } else { forced[usize::from(threats > 1)] };
        clamp_static((side(us) * own / 128 - side(1 - us) + tempo - bound + lines) / 16)
    }

    /// The result if the threats on the board decide the game: the plies to the end, negative if
    /// the side to move loses.
    pub fn decided(position: &SearchPosition) -> Option<i32> {
        let (side, board) = (position.side(), position.board());
        if position.game().stones_due() < 2 {
            return None;
        }
        if board.has_four(side) {
            return Some(1);
        }
        (Connect6Evaluator::threats(position) >= 3).then_some(-2)
    }
}

/// The value of a win that the search has found but the verifier has not replayed, less the plies to
/// the end.
pub const UNPROVED_WIN: i32 = 20_000;

/// A value of the search, with a win or a loss as one that is not proved.
pub fn unproved(value: i32) -> i32 {
    match value {
        v if !is_decisive(v) => v,
        win if win > 0 => UNPROVED_WIN - (WIN - win),
        loss => WIN + loss - UNPROVED_WIN,
    }
}

/// The settings of a search for double threats within these limits.
fn double_threats(limits: SolverLimits) -> SolverSettings {
    SolverSettings { splits: 0, ..SolverSettings::double_threats(limits) }
}

/// The value of a win that the solver finds within this number of nodes, and the nodes.
fn win(position: &SearchPosition, settings: SolverSettings, most: u64) -> (Option<i32>, u64) {
    let search = ThreatSearch::new(position.board(), position.side(), settings);
    let solution = search.after_last_turn().within(most).search(&|| false);
    let turns = solution.verdict.proof().map(|proof| proof.depth() as i32);
    (turns.map(|turns| WIN - (2 * turns - 1)), solution.counters.nodes)
}

impl Evaluator<SearchPosition> for Connect6Evaluator {
    const SOLVES_LATE: bool = true;

    fn evaluate(&mut self, position: &SearchPosition) -> i32 {
        if position.game().stones_due() < 2 {
            return Connect6Evaluator::value(position);
        }
        if position.board().has_four(position.side()) {
            return clamp_static(WIN);
        }
        match Connect6Evaluator::threats(position) {
            3.. => clamp_static(-WIN),
            threats => {
                let lines = match &mut self.lines {
                    Some(lines) if position.weights().lines => {
                        lines.value(position.board(), position.side())
                    }
                    _ => 0,
                };
                Connect6Evaluator::weigh(position, threats, lines)
            }
        }
    }

    fn solve(&mut self, position: &SearchPosition, depth: u32) -> Option<i32> {
        self.solve_within(position, depth, u64::MAX).0
    }

    fn solve_within(
        &mut self,
        position: &SearchPosition,
        depth: u32,
        most: u64,
    ) -> (Option<i32>, u64) {
        // At a leaf, the evaluation has counted the threats.
        if depth > 0
            && let Some(plies) = Connect6Evaluator::decided(position)
        {
            return (Some(if plies > 0 { WIN - plies } else { -WIN - plies }), 0);
        }
        let (Some(limits), Some(table)) = (self.solver, &self.solved) else { return (None, 0) };
        let hash = position.hash();
        // A node is searched again with each iteration. The solver starts afresh only if it may place
        // many more stones than before.
        if let Some(last) = table.get(hash) {
            let again = if last.depth == 0 { 1 } else { params::resolve_plies() };
            if last.value.is_some() || depth < last.depth + again {
                return (last.value, 0);
            }
        }
        let settings = match depth {
            0 => double_threats(limits.leaf),
            1 => double_threats(limits.inner),
            _ => limits.deep(depth),
        };
        let (value, nodes) = win(position, settings, most);
        // What the end of the nodes cut short says nothing.
        if value.is_some() || nodes < most {
            table.store(hash, Solved { depth, value });
        }
        (value, nodes)
    }

    fn is_threatened(&self, position: &SearchPosition) -> bool {
        position.board().has_four(1 - position.side())
    }

    /// Only a part of the turns is generated.
    fn loss(&self, value: i32) -> i32 {
        unproved(value)
    }
}

impl MoveEncoding<SearchPosition> for Connect6Evaluator {
    const HISTORY_KEYS: [usize; 2] = [POINTS, POINTS + 1];

    fn history_keys(m: Connect6Move) -> [usize; 2] {
        [m.first.index(), m.second.map_or(POINTS, Point::index)]
    }

    fn pack(m: Connect6Move) -> u32 {
        let [a, b] = Connect6Evaluator::history_keys(m);
        (a << 9 | b) as u32
    }

    fn unpack(bits: u32) -> Option<Connect6Move> {
        let first = Point::from_index(bits as usize >> 9)?;
        match bits as usize & 511 {
            POINTS => Some(Connect6Move::one(first)),
            b => Some(Connect6Move { first, second: Some(Point::from_index(b)?) }),
        }
    }
}

impl StagedMoves<SearchPosition> for Connect6Evaluator {
    type PartialMove = Connect6Move;

    fn visit_partial_moves(
        &mut self,
        position: &SearchPosition,
        depth: u32,
        visit: &mut impl FnMut(Connect6Move, Option<i32>),
    ) {
        let values = position.placement_values();
        let deeper = (depth as usize).saturating_sub(3);
        let quiet = params::quiet_points() + params::quiet_slope() * deeper;
        for m in position.candidates_by(&values, quiet) {
            let value = m.stones().map(|p| values[p.index()]).sum::<i32>() / 1024;
            visit(m, Some(value));
        }
        if depth >= 2 {
            let most = params::fours_base() + params::fours_slope() * (depth as usize - 2);
            position.fours(&values, most, quiet).into_iter().for_each(|m| visit(m, None));
        }
    }

    fn last_resorts(&self, position: &SearchPosition, depth: u32) -> Vec<Connect6Move> {
        let least = match position.board().has_four(1 - position.side()) {
            true => params::resort_depth(),
            false => params::resort_quiet_depth(),
        };
        if depth < least { Vec::new() } else { position.last_resorts() }
    }

    fn visit_completions<B>(
        _play: &SearchPosition,
        part: Connect6Move,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(part)
    }

    fn partial_key(part: Connect6Move) -> usize {
        part.first.index()
    }
}

/// The evaluation for Monte Carlo tree search, which uses static evaluations in place of playouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Connect6MctsEvaluator;

/// The scale of the logistic function: the evaluation at which the odds are e to 1.
const SCALE: f32 = 90.0;

impl MctsEvaluator<SearchPosition> for Connect6MctsEvaluator {
    fn value(&mut self, position: &SearchPosition, player: Player) -> f32 {
        let for_mover = match Connect6Evaluator::decided(position) {
            Some(plies) => f32::from(u8::from(plies > 0)),
            None => 1.0 / (1.0 + libm::expf(-(Connect6Evaluator::value(position) as f32) / SCALE)),
        };
        if position.side() == player.index() { for_mover } else { 1.0 - for_mover }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Record;
    use agon_games::connect6::{Connect6, Connect6Rules};

    #[test]
    fn a_position_is_solved_again_only_if_it_is_searched_much_more_deeply() {
        let few = SolverLimits { depth: 1, iteration: 1, total: 1 };
        let many = SolverLimits { depth: 20, iteration: 100_000, total: 100_000 };
        let limits = TreeSolver { leaf: few, inner: few, deep: many, most: many.total };
        let tokens: Vec<&str> = "g9 l6m11 f9f10 j6j8 g10h10 j10l8".split(' ').collect();
        let record =
            Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).unwrap();
        let position = SearchPosition::from(record.current());
        let evaluator = || Connect6Evaluator::with_solver(limits, LineValues::built_in());
        let win = evaluator().solve(&position, 3);
        assert!(win.is_some_and(|value| value > 0));

        let mut evaluator = evaluator();
        assert_eq!([0, 1, 2].map(|depth| evaluator.solve(&position, depth)), [None; 3]);
        assert_eq!(evaluator.solve(&position, 3), win);
        // A win is kept for any depth.
        assert_eq!([0, 1, 2].map(|depth| evaluator.solve(&position, depth)), [win; 3]);
    }
}
