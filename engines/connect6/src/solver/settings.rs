//! Settings of the solver: which parts are used, and search limits.

use crate::params;

/// The rules of dependency-based search (sections 3.5 and 3.6). A double threat is searched if it
/// depends on the previous turn or passes one of the first three tests; switching off a test admits
/// fewer turns. `pairs` and `horizon` prune the admitted turns further; switching them off prunes
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DependencyRules {
    /// Admit turns whose development zone may combine with the previous turns (3.6.2).
    pub combination: bool,
    /// Admit turns after an inversion, which they stop (post-block, 3.6.3).
    pub post_block: bool,
    /// Admit turns whose later inversions the previous turns may block (pre-block, 3.6.3).
    pub pre_block: bool,
    /// Prune unreasonable pairs of single threats (2ST, 3.6.5).
    pub pairs: bool,
    /// In the last turn of the depth, search only turns that use the previous turn and may leave no
    /// defence.
    pub horizon: bool,
}

impl Default for DependencyRules {
    fn default() -> DependencyRules {
        DependencyRules {
            combination: true,
            post_block: true,
            pre_block: true,
            pairs: true,
            horizon: true,
        }
    }
}

/// Limits of a search (section 4.1). The thesis counts 100,000 placed stones as one second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverLimits {
    /// Depth limit: attacking turns on a path.
    pub depth: u32,
    /// Stones placed in an iteration after which no further iteration starts.
    pub iteration: u64,
    /// Total stones placed.
    pub total: u64,
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        SolverLimits {
            depth: params::solver_depth(),
            iteration: params::solver_iteration(),
            total: params::solver_total(),
        }
    }
}

impl SolverLimits {
    /// The limits of the thesis's third experiment: depth 20, no other limit.
    pub const fn unlimited() -> SolverLimits {
        SolverLimits { depth: 20, iteration: u64::MAX, total: u64::MAX }
    }
}

/// The parts of the method to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverSettings {
    /// Limits of the search.
    pub limits: SolverLimits,
    /// The rules of dependency-based search; `None` is the plain search.
    pub dependency: Option<DependencyRules>,
    /// Use the transposition table (3.1).
    pub table: bool,
    /// Try the conservative defence first (2.2); otherwise always try each single defence.
    pub conservative: bool,
    /// Maximum number of times per path that a conservative defence is split into single defences,
    /// where it causes an inversion or blocks an attack line (2.2, 3.6.4); 0: never.
    pub splits: u32,
    /// An inversion costs no depth: the singular extension of section 3.6.4.
    pub extension: bool,
    /// Number of second stones tried with a stone that alone makes two threats.
    pub free_stones: usize,
    /// Maximum number of single threats on a path if double threats do not win (VCST, 3.1).
    pub single_threats: u32,
    /// Collect single threats of two stones on a line with two, too.
    pub line_pairs: bool,
    /// Then search for long wins by single threats in the order of proof numbers, until a limit.
    pub proof_numbers: bool,
    /// Try turns without a threat if nothing else wins (VCNT).
    pub quiet_moves: bool,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings {
            limits: SolverLimits::default(),
            dependency: Some(DependencyRules::default()),
            table: true,
            conservative: true,
            splits: params::solver_splits(),
            extension: true,
            free_stones: params::solver_free_stones(),
            single_threats: 1,
            line_pairs: true,
            proof_numbers: false,
            quiet_moves: false,
        }
    }
}

impl SolverSettings {
    /// Settings for a search of double threats only (VCDT) within these limits.
    pub fn double_threats(limits: SolverLimits) -> SolverSettings {
        SolverSettings { limits, single_threats: 0, ..SolverSettings::default() }
    }

    /// The same settings without dependency-based pruning.
    #[must_use]
    pub fn plain(self) -> SolverSettings {
        SolverSettings { dependency: None, ..self }
    }
}
