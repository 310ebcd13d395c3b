//! The result of a search.

use crate::proof::Step;
use crate::verify::Refuted;
use std::sync::Arc;

/// The effort of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverCounters {
    /// Positions whose attacking turns were searched, with those that the table knew: nodes.
    pub nodes: u64,
    /// Attacking turns generated and not pruned: double threats, and the winning turn.
    pub moves: u64,
    /// Stones placed, including those of turns that were only previewed: the thesis's count of
    /// simulated stones.
    pub stones: u64,
    /// Iterations started.
    pub iterations: u64,
    /// Single defences searched after a conservative one was split.
    pub splits: u64,
    /// Attacking turns that dependency-based search pruned.
    pub pruned: u64,
}

/// The kind of threats by which a position was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinKind {
    /// Double threats only.
    DoubleThreats,
    /// At least one single threat.
    SingleThreats,
    /// At least one turn without a threat.
    Quiet,
}

impl WinKind {
    /// The term in the literature: victory by continuous double-threat, single-threat or non-threat
    /// moves.
    pub fn name(self) -> &'static str {
        match self {
            WinKind::DoubleThreats => "VCDT",
            WinKind::SingleThreats => "VCST",
            WinKind::Quiet => "VCNT",
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins; the independent verifier has replayed the proof.
    Win {
        /// The kind of threats.
        kind: WinKind,
        /// The proof.
        proof: Arc<Step>,
    },
    /// The search was completed without finding a win: no limit cut off anything, be it one of the
    /// settings or a number of turns tried in a position. The rules of the search are selective, so
    /// this does not prove that there is none.
    NoWin,
    /// A limit cut off a part of the search, and the rest has no win.
    Unknown,
    /// The verifier refuted a claimed win: a bug in the search. Never reported as a win.
    Refuted(Refuted),
}

impl Verdict {
    /// The proof of a win.
    pub fn proof(&self) -> Option<&Arc<Step>> {
        match self {
            Verdict::Win { proof, .. } => Some(proof),
            _ => None,
        }
    }
}

/// A verdict and the effort of the search.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The result.
    pub verdict: Verdict,
    /// The effort.
    pub counters: SolverCounters,
    /// The depth of the last iteration, in attacking turns.
    pub depth: u32,
}

/// The result of a search of double threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VcdtResult {
    /// The attacker wins.
    Win(Arc<Step>),
    /// No win within the depth or, if `complete`, at any depth.
    NoWin {
        /// Whether the depth limit cut off nothing.
        complete: bool,
    },
    /// A limit ended the search.
    Stopped,
}

impl VcdtResult {
    /// A win by a turn that needs no answer.
    pub(super) fn last_turn(stones: Vec<u16>) -> VcdtResult {
        VcdtResult::Win(Arc::new(Step::last(stones)))
    }
}
