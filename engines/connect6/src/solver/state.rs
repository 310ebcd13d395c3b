//! [`Solver`]: the state of a search in progress.

use super::deltas::DeltaCache;
use super::double_threat::{DoubleThreatList, TriedPairs};
use super::hypergraph::Hypergraph;
use super::path::{PathContext, PathMove};
use super::queue::SingleThreatQueue;
use super::settings::SolverSettings;
use super::solution::SolverCounters;
use super::threat_cache::{SingleThreat, ThreatCache};
use super::transposition::VcdtTable;
use crate::board::Board;
use agon_protocol::Player;
use agon_protocol::connect6::POINTS;

/// Stones placed between two calls of the stop function: a fraction of a millisecond.
const POLL_STONES: u64 = 2000;

/// A search in progress.
pub struct Solver<'s> {
    pub(super) board: Board,
    pub(super) settings: SolverSettings,
    /// The attacker's colour.
    pub(super) attacker: usize,
    pub(super) counters: SolverCounters,
    /// The number of placed stones at which the search ends.
    pub(super) stone_budget: u64,
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

impl<'s> Solver<'s> {
    /// A solver for this board and `attacker`, who is to move and has two stones.
    pub fn new(
        board: Board,
        attacker: Player,
        settings: SolverSettings,
        stop: &'s dyn Fn() -> bool,
    ) -> Solver<'s> {
        Solver {
            board,
            settings,
            attacker: attacker.index(),
            counters: SolverCounters::default(),
            stone_budget: settings.limits.total,
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

    /// Whether the search must end, because of the stop function or the limit of stones.
    pub(super) fn expired(&mut self) -> bool {
        if !self.stopped {
            let due = self.counters.stones >= self.next_poll;
            if due {
                self.next_poll = self.counters.stones + POLL_STONES;
            }
            self.stopped = due && (self.stop)() || self.counters.stones >= self.stone_budget;
        }
        self.stopped
    }
}
