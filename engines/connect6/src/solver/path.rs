//! The attacking turns on the path, and the constraints that they put on the next turn.

use super::double_threat::{Pairing, ThreatEdges};
use crate::board::{LineWithoutStone, PointSet};
use arrayvec::ArrayVec;

/// A turn on the path with its conservative defence.
#[derive(Clone, Debug)]
pub struct PathMove {
    /// Its stones.
    pub stones: [u16; 2],
    /// The related pieces (P_R, 3.3.2): the next turn depends on this one if its threats use one of
    /// these stones.
    pub related: ArrayVec<u16, 2>,
    /// Its edges in the hypergraph.
    pub edges: ArrayVec<u32, 2>,
    /// The defence made a threat (an inversion).
    pub inversion: bool,
    /// The star zone of the related pieces: where later stones may combine with them.
    pub star: PointSet,
}

/// The constraints at a position, the same for all turns generated there.
#[derive(Clone, Debug, Default)]
pub struct PathContext {
    /// Only turns that use the previous turn can win: the last turn of the depth, see
    /// `Solver::at_horizon`.
    pub horizon: bool,
    /// Every turn is admissible: there is no previous turn, or the previous turns were forced.
    pub unrestricted: bool,
    /// The star zone of the last turn has been computed.
    pub has_last_star: bool,
    /// `star` and `blockers` have been computed; few positions need them.
    pub complete: bool,
    /// The area that a development zone must reach to combine with the previous turns.
    pub star: PointSet,
    /// The stones of these turns and, once computed, the lines on which each stone blocks the
    /// defender.
    pub blockers: Vec<(u16, Option<ArrayVec<LineWithoutStone, 4>>)>,
}

/// Why dependency-based search admits a turn: its threats, and the input of the rule on pairs.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The threats of the turn.
    pub edges: ThreatEdges,
    /// The input of the rule on reasonable pairs.
    pub pairing: Pairing,
}

/// The last turn, and the turns before it as long as each caused an inversion and so forced the
/// next (I_pre, 3.5.3).
pub fn inversions_before(path: &[PathMove]) -> impl Iterator<Item = &PathMove> {
    let mut turns = path.iter().rev();
    let last = turns.next();
    last.into_iter().chain(turns.take_while(|turn| turn.inversion))
}
