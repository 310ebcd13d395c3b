//! Threat-space search (Kang 2012, chapters 2 to 4): wins by continuous threats.
//!
//! [`solve`] runs an iterative-deepening search of double threats (VCDT) that answers each attack by the
//! conservative defence, and then tries single threats (VCST) with the help of relevance zones. Dependency-based
//! search prunes the double threats. Every part can be switched off in [`SolverSettings`]. Every claimed win comes
//! with a [`crate::proof::Step`] that [`crate::verify`] replays.
//!
//! One [`Solver`] holds the state of a search (`state`). The other files add its methods, from the top down: `solve`
//! (stages), `vcst` and `zone` (single threats), `vcdt` (deepening, attacks, defences), `generate`, `plain`,
//! `dependent` and `horizon` (which double threats there are), `prune` and `pairs` (which of them dependency-based
//! search keeps).

mod deltas;
mod dependent;
mod double_threat;
mod generate;
mod horizon;
mod hypergraph;
mod pairs;
mod path;
mod plain;
mod prune;
mod queue;
mod replay;
mod settings;
mod solution;
mod solve;
mod state;
mod threat_cache;
mod transposition;
mod vcdt;
mod vcst;
mod zone;

pub use replay::PrunedTurn;
pub use settings::{DependencyRules, SolverLimits, SolverSettings};
pub use solution::{Solution, SolverCounters, VcdtResult, Verdict, WinKind};
pub use solve::{Claim, DoubleThreatSearch, search, solve};
pub use state::Solver;
