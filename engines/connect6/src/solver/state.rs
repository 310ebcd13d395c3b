//! [`ThreatSolver`]: the state of a search in progress, with the attacking turns on the path and the
//! constraints that they put on the next turn, the queue of single threats (section 3.1) that is
//! collected during the search of double threats, and a cache of evaluation deltas.

use super::double_threat::{Defence, DoubleThreatList, Pairing, ThreatEdges, TriedPairs};
use super::hypergraph::Hypergraph;
use super::settings::SolverSettings;
use super::solution::SolverCounters;
use super::threat_cache::{SingleThreat, ThreatCache};
use super::transposition::VcdtTable;
use crate::board::{LineWithoutStone, PointSet, WindowBoard};
use crate::proof::{Answer, Step};
use agon_games::Player;
use agon_games::connect6::POINTS;
use agon_games::hash::FastSet;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Stones placed between two calls of the stop function: a fraction of a millisecond.
const POLL_STONES: u64 = 2000;

/// A search in progress.
pub struct ThreatSolver<'s> {
    pub(super) board: WindowBoard,
    pub(super) settings: SolverSettings,
    /// The attacker's colour.
    pub(super) attacker: usize,
    pub(super) counters: SolverCounters,
    /// The number of placed stones at which the search ends.
    pub(super) stone_budget: u64,
    /// The number of nodes at which the search ends.
    pub(super) node_budget: u64,
    pub(super) table: VcdtTable,
    /// The attacking turns on the path, with their defences.
    pub(super) path: Vec<PathMove>,
    /// The hyperedge of each attacking stone on the path, counted from 1; 0: none.
    pub(super) edge_of: Vec<u32>,
    pub(super) graph: Hypergraph,
    /// The defender has a threat at the root.
    pub(super) root_inversion: bool,
    /// The constraints of the path at the current position.
    pub(super) context: PathContext,
    /// The pairs of single threats kept at the current position.
    pub(super) tried: TriedPairs,
    pub(super) threat_cache: ThreatCache,
    pub(super) deltas: DeltaCache,
    /// Recycled lists of double threats, one per position on the path.
    pub(super) lists: Vec<DoubleThreatList>,
    pub(super) single_lists: Vec<Vec<SingleThreat>>,
    /// Recycled candidates for the last turn before the horizon.
    pub(super) last_pairs: Vec<[u16; 2]>,
    /// The number of threats that a single stone makes, by point and direction; all 0 between uses.
    pub(super) stone_threats: Vec<[u8; 4]>,
    pub(super) queue: SingleThreatQueue,
    /// Extensions and splits on the current path.
    pub(super) extensions: u32,
    pub(super) split_levels: u32,
    stop: &'s dyn Fn() -> bool,
    /// The number of stones from which on the stop function is asked again.
    pub(super) next_poll: u64,
    pub(super) stopped: bool,
    /// A limit has cut off a part of the search.
    pub(super) limited: bool,
}

impl<'s> ThreatSolver<'s> {
    /// A solver for this board and `attacker`, who is to move and has two stones.
    pub fn new(
        board: WindowBoard,
        attacker: Player,
        settings: SolverSettings,
        stop: &'s dyn Fn() -> bool,
    ) -> ThreatSolver<'s> {
        ThreatSolver {
            board,
            settings,
            attacker: attacker.index(),
            counters: SolverCounters::default(),
            stone_budget: settings.limits.total,
            node_budget: u64::MAX,
            table: VcdtTable::new(settings.limits.total),
            path: Vec::new(),
            edge_of: vec![0; POINTS],
            graph: Hypergraph::default(),
            root_inversion: false,
            context: PathContext::default(),
            tried: TriedPairs::default(),
            threat_cache: ThreatCache::default(),
            deltas: DeltaCache::default(),
            lists: Vec::new(),
            single_lists: Vec::new(),
            last_pairs: Vec::new(),
            stone_threats: Vec::new(),
            queue: SingleThreatQueue::default(),
            extensions: 0,
            split_levels: 0,
            stop,
            next_poll: 0,
            stopped: false,
            limited: false,
        }
    }

    pub(super) fn defender(&self) -> usize {
        1 - self.attacker
    }

    #[inline]
    pub(super) fn place(&mut self, colour: usize, point: u16) {
        self.counters.stones += 1;
        self.board.place(colour, point);
    }

    /// The gain in the attacker's score by a stone on an empty point.
    #[inline]
    pub(super) fn delta(&mut self, point: u16) -> i32 {
        self.deltas.of(&self.board, self.attacker, point)
    }

    /// Whether the search must end, because of the stop function or a limit.
    pub(super) fn expired(&mut self) -> bool {
        if !self.stopped {
            let due = self.counters.stones >= self.next_poll;
            if due {
                self.next_poll = self.counters.stones + POLL_STONES;
            }
            self.stopped = due && (self.stop)()
                || self.counters.stones >= self.stone_budget
                || self.counters.nodes >= self.node_budget;
        }
        self.stopped
    }
}

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
    /// `ThreatSolver::at_horizon`.
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

/// A turn on the path to a candidate: the stones, and the conservative defence.
pub type PathTurn = ([u16; 2], Defence);

/// A single threat to try.
#[derive(Clone, Debug)]
pub struct ThreatCandidate {
    /// Candidates with larger scores are tried first.
    pub score: i32,
    /// The turns from the root to its position.
    pub path: Vec<PathTurn>,
    /// The turn.
    pub stones: [u16; 2],
}

impl ThreatCandidate {
    /// The win by the first turn of the path, where `win` follows the path.
    pub fn after_path(&self, win: Step) -> Step {
        self.path.iter().rev().fold(win, |step, (stones, _)| {
            let answers = vec![Answer { to: Vec::new(), step: Arc::new(step) }];
            Step { stones: stones.to_vec(), answers }
        })
    }
}

/// The collected single threats.
#[derive(Clone, Debug, Default)]
pub struct SingleThreatQueue {
    /// In the order of collection.
    pub candidates: Vec<ThreatCandidate>,
    /// The hashes of their positions.
    pub seen: FastSet<u64>,
    /// The turns from the root to the current position.
    pub path: Vec<PathTurn>,
    /// Whether to collect single threats.
    pub collecting: bool,
}

/// The stones on the four lines of a point, and the delta of a stone there.
type CachedDelta = ([[u32; 2]; 4], i32);

/// A value that the stones of no line have.
const NO_DELTA: CachedDelta = ([[u32::MAX; 2]; 4], 0);

/// The deltas for one colour, by point.
#[derive(Clone, Debug, Default)]
pub struct DeltaCache(Vec<CachedDelta>);

impl DeltaCache {
    /// [`WindowBoard::delta`] of an empty point; the colour must always be the same.
    #[inline]
    pub fn of(&mut self, board: &WindowBoard, colour: usize, point: u16) -> i32 {
        self.0.resize(POINTS, NO_DELTA);
        let (around, delta) = &mut self.0[usize::from(point)];
        let now = board.stones_around(point);
        if *around != now {
            (*around, *delta) = (now, board.delta(colour, point));
        }
        *delta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_step;
    use agon_games::rng;

    #[test]
    fn a_cached_delta_is_what_a_stone_adds_now() {
        let mut deltas = DeltaCache::default();
        let mut stream = rng::stream(1, 0, "deltas");
        let mut board = WindowBoard::new(19);
        for _ in 0..3000 {
            let q = random_step(&mut board, &mut stream);
            if board.is_empty(q) {
                assert_eq!(deltas.of(&board, 1, q), board.delta(1, q), "{q}");
            }
        }
    }
}
