//! Limits of the solver's searches in a game.

use crate::params;
use crate::play::TreeSolver;
use crate::solver::{SolverLimits, SolverSettings};
use agon_search::clock::Clock;

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
