//! Threat-space search (Kang 2012, chapters 2 to 4): wins by continuous threats.
//!
//! [`solve`] runs an iterative-deepening search of double threats (VCDT) that answers each attack
//! with the conservative defence, then tries single threats (VCST) using relevance zones.
//! Dependency-based search prunes the double threats. [`SolverSettings`] can switch off every part.
//! Every claimed win comes with a [`crate::proof::Step`] that [`crate::verify`] replays.
//!
//! A [`ThreatSolver`] holds the state of a search (`state`). The other files add its methods, from the
//! top down: `solve` (stages), `vcst` and `proof_number` (single threats), `vcdt` (deepening, attacks,
//! defences), `generate` and `dependent` (generation of double threats), `prune` (pruning in
//! dependency-based search).

mod dependent;
mod double_threat;
mod generate;
mod hypergraph;
mod proof_number;
mod prune;
mod settings;
mod solution;
mod solve;
mod state;
mod threat_cache;
mod transposition;
mod vcdt;
mod vcst;

pub use prune::PrunedTurn;
pub use settings::{DependencyRules, SolverLimits, SolverSettings};
pub use solution::{Solution, SolverCounters, VcdtResult, Verdict, WinKind};
pub use solve::{Claim, ThreatSearch, search, solve};
pub use state::ThreatSolver;
