//! Missed-win diagnosis: why dependency-based search misses a win of the plain search. Reports the
//! first turn of the plain win that is pruned, and the rule that prunes it.

use crate::board::WindowBoard;
use crate::proof::Step;
use crate::solver::{DependencyRules, SolverSettings, ThreatSolver, solve};
use agon_games::connect6::Connect6;
use std::fmt;

/// Why a win was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A search limit.
    Limit,
    /// The turn neither depends on the previous one nor is known to combine with it.
    Combination,
    /// As `Combination`, but after an inversion on the path: the thesis's first hole (3.5.3).
    Inversion,
    /// The rule on reasonable pairs: the thesis's second hole (3.5.4). The win is found without
    /// this rule.
    Pairs,
    /// The position was reached before by another path, after which other turns were pruned. The
    /// win is found without the table.
    Table,
}

impl Cause {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Limit => "limit",
            Cause::Combination => "combination",
            Cause::Inversion => "inversion",
            Cause::Pairs => "2ST pair",
            Cause::Table => "table",
        }
    }
}

/// A cause, and the pruned turn, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissedWin {
    /// The cause.
    pub cause: Cause,
    /// The number of the attacker's turn, counted from 1, and its stones.
    pub turn: Option<(usize, String)>,
}

impl fmt::Display for MissedWin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cause.name())?;
        self.turn.as_ref().map_or(Ok(()), |(turn, stones)| write!(f, " (turn {turn} {stones})"))
    }
}

/// The stone limit of the searches that test the effect of switching off a rule.
const MAX_STONES: u64 = 20_000_000;

/// Diagnoses why a search with these settings misses `win`, a win of the plain search.
pub fn diagnose(game: &Connect6, settings: SolverSettings, win: &Step) -> MissedWin {
    let settings = SolverSettings { single_threats: 0, quiet_moves: false, ..settings };
    let never = || false;
    let mut solver =
        ThreatSolver::new(WindowBoard::from_game(game), game.side_to_move(), settings, &never);
    let _ = solver.deepen();
    if let Some(pruned) = solver.first_pruned_turn(win) {
        let cause = if pruned.after_inversion { Cause::Inversion } else { Cause::Combination };
        return MissedWin { cause, turn: Some((pruned.turn, pruned.stones)) };
    }
    let mut limits = settings.limits;
    limits.total = limits.total.min(MAX_STONES);
    let dependency = settings.dependency.map(|d| DependencyRules { pairs: false, ..d });
    let without = [
        (Cause::Pairs, SolverSettings { dependency, limits, ..settings }),
        (Cause::Table, SolverSettings { table: false, limits, ..settings }),
    ];
    let found =
        without.into_iter().find(|(_, s)| solve(game, *s, &never).verdict.proof().is_some());
    MissedWin { cause: found.map_or(Cause::Limit, |(cause, _)| cause), turn: None }
}
