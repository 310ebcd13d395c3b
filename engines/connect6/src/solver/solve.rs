//! The solver's entry points: all stages for a position, and the search of either colour's wins for
//! game searches.

use super::settings::SolverSettings;
use super::solution::{Solution, SolverCounters, VcdtResult, Verdict, WinKind};
use super::state::ThreatSolver;
use crate::board::{PointSet, WindowBoard};
use crate::proof::Step;
use crate::verify::{Budget, verify};
use agon_games::connect6::Connect6;
use agon_games::game::Game;
use agon_games::{Player, Turn};
use std::sync::Arc;

/// The unverified result of a search.
pub struct Claim<'g> {
    game: &'g Connect6,
    solution: Solution,
}

impl Claim<'_> {
    /// The result; a win only if the independent verifier has replayed its proof.
    pub fn verified(mut self) -> Solution {
        if let Verdict::Win { proof, .. } = &self.solution.verdict
            && let Err(refuted) = verify(self.game, proof, Budget::default())
        {
            log::error!("the claimed win of `{}` does not hold: {refuted}", self.game.fen());
            self.solution.verdict = Verdict::Refuted(refuted);
        }
        self.solution
    }
}

/// Solves a position for its side to move. `stop` is polled; when it returns true, the search ends
/// with [`Verdict::Unknown`].
pub fn solve(game: &Connect6, settings: SolverSettings, stop: &dyn Fn() -> bool) -> Solution {
    search(game, settings, stop).verified()
}

/// [`solve`] without the verification, to measure the two separately.
pub fn search<'g>(
    game: &'g Connect6,
    settings: SolverSettings,
    stop: &dyn Fn() -> bool,
) -> Claim<'g> {
    let no_win = |counters| Solution { verdict: Verdict::NoWin, counters, depth: 0 };
    let solution = match game.turn() {
        Turn::Player(attacker) if game.stones_due() == 2 => {
            let mut solver =
                ThreatSolver::new(WindowBoard::from_game(game), attacker, settings, stop);
            let (verdict, depth) = solver.find();
            Solution { verdict, counters: solver.counters, depth }
        }
        _ => no_win(SolverCounters::default()),
    };
    Claim { game, solution }
}

impl ThreatSolver<'_> {
    /// Runs all stages and returns the last depth too. Wins are claims, not yet verified.
    fn find(&mut self) -> (Verdict, u32) {
        let single_threats = self.settings.single_threats > 0;
        self.queue.collecting = single_threats;
        let (result, depth) = self.deepen();
        self.path.clear();
        match result {
            VcdtResult::Win(proof) => {
                return (Verdict::Win { kind: WinKind::DoubleThreats, proof }, depth);
            }
            VcdtResult::NoWin { complete: true } => {}
            _ => self.limited = true,
        }
        if single_threats && let Some(proof) = self.search_single_threats() {
            return (Verdict::Win { kind: WinKind::SingleThreats, proof }, depth);
        }
        if self.settings.quiet_moves
            && let Some(proof) = self.search_quiet_moves()
        {
            return (Verdict::Win { kind: WinKind::Quiet, proof }, depth);
        }
        (if self.limited { Verdict::Unknown } else { Verdict::NoWin }, depth)
    }
}

/// The solver for game searches: for either colour, whoever is to move. Its wins are not verified.
pub struct ThreatSearch<'b> {
    board: &'b WindowBoard,
    attacker: Player,
    settings: SolverSettings,
    /// A turn that a win must use or combine with.
    last: Option<[u16; 2]>,
    /// The maximum number of nodes.
    nodes: u64,
}

impl<'b> ThreatSearch<'b> {
    /// Searches for a win of the colour `attacker` (0 or 1) as if it were to move.
    pub fn new(
        board: &'b WindowBoard,
        attacker: usize,
        settings: SolverSettings,
    ) -> ThreatSearch<'b> {
        let attacker = Player::BOTH[attacker & 1];
        ThreatSearch { board, attacker, settings, last: None, nodes: u64::MAX }
    }

    /// The same search if the attacker had no win before its last turn: as within a path (section 3.6),
    /// a win by double threats must use or combine with this turn. It changes nothing if the turn is
    /// not known or was forced. If the attacker had a win, one without this turn may be missed.
    #[must_use]
    pub fn after_last_turn(mut self) -> ThreatSearch<'b> {
        let (board, attacker) = (self.board, self.attacker.index());
        self.last = board.last_turn_of(attacker).filter(|turn| {
            let stopped = |p: &u16| board.stops_four(1 - attacker, *p);
            !turn.iter().any(stopped)
        });
        self
    }

    /// The same search, ended after this number of nodes.
    #[must_use]
    pub fn within(self, nodes: u64) -> ThreatSearch<'b> {
        ThreatSearch { nodes, ..self }
    }

    /// A win within the limits, by all stages of the settings.
    pub fn win(&self, stop: &dyn Fn() -> bool) -> Option<Arc<Step>> {
        match self.search(stop).verdict {
            Verdict::Win { proof, .. } => Some(proof),
            _ => None,
        }
    }

    /// The unverified result of all stages.
    pub fn search(&self, stop: &dyn Fn() -> bool) -> Solution {
        let mut solver = ThreatSolver::new(self.board.clone(), self.attacker, self.settings, stop);
        solver.node_budget = self.nodes;
        if let Some(last) = self.last {
            solver.begin_after(last);
        }
        let (verdict, depth) = solver.find();
        Solution { verdict, counters: solver.counters, depth }
    }

    /// The relevance zone of a win: the points where `free` additional stones of the defender could
    /// matter.
    pub fn zone(&self, win: &Step, free: usize) -> PointSet {
        let mut solver =
            ThreatSolver::new(self.board.clone(), self.attacker, self.settings, &|| false);
        solver.zone(win, free)
    }
}
