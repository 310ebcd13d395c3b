//! One thread's search: its position, its tables, and the stack of the current line; the state of a
//! node, of one of its moves, and of the loop over its moves.

use super::histories::{Histories, NO_PIECE_TO, PreviousMoves, piece_to};
use super::static_eval::corrected;
use super::tablebase::SearchTablebase;
use super::transposition::{MAX_PLY, TtEntry};
use crate::position::{Move, MoveList, Position};
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::PvTable;
use agon_search::transposition::{EntryBound, TranspositionTable};

/// The search parameters of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeWindow {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// Whether this is an expected cut node.
    pub cut_node: bool,
}

/// The static evaluation of a node not in check.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticEval {
    /// After correction.
    pub corrected: i32,
    /// Whether it has risen since this side's last move.
    pub improving: bool,
}

/// The state of a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeState {
    pub entry: Option<TtEntry>,
    pub tt_move: Move,
    /// Whether the node is or has been on a principal variation.
    pub tt_pv: bool,
    pub in_check: bool,
    /// The static evaluation, corrected and refined by the table's value; minus infinity in check.
    pub eval: i32,
    /// Whether the static evaluation has risen since this side's last move.
    pub improving: bool,
    /// The move excluded by a singular search.
    pub excluded: Move,
}

/// A move that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveState {
    pub m: Move,
    pub capture: bool,
    pub gives_check: bool,
    /// The move's history score; 0 for the first move, which is never pruned or reduced.
    pub history: i32,
}

/// The results of the moves searched so far.
pub(super) struct LoopResults {
    pub best_value: i32,
    pub best_move: Move,
    pub alpha: i32,
    /// Legal moves so far, pruned ones included.
    pub count: usize,
    pub quiets: MoveList,
    pub captures: MoveList,
}

impl LoopResults {
    #[inline]
    pub fn new(alpha: i32) -> LoopResults {
        LoopResults {
            best_value: -super::transposition::INFINITE,
            best_move: Move::NONE,
            alpha,
            count: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
        }
    }

    /// The bound type of the best value.
    #[inline]
    pub fn bound(&self, node: &NodeWindow) -> EntryBound {
        EntryBound::of(self.best_value, node.alpha, node.beta)
    }
}

/// Stack entries before the root's entry, so that the entry four plies back always exists.
const BEFORE_ROOT: usize = 4;
/// At least the maximum number of plies, and a power of two, so that masking an index replaces the
/// bounds check.
const STACK_SIZE: usize = 256;
const _: () = assert!(MAX_PLY + BEFORE_ROOT + 4 <= STACK_SIZE);

/// The stack entry of one ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<i32>,
    /// The piece-to index of the move made here; [`NO_PIECE_TO`] for a null move.
    pub piece_to: usize,
    pub killers: [Move; 2],
    /// The move excluded by a singular search.
    pub excluded: Move,
    /// Double extensions in the line so far.
    pub double_extensions: u8,
    /// The number of beta cut-offs two plies deeper.
    pub cutoffs: u8,
}

const EMPTY_ENTRY: StackEntry = StackEntry {
    static_eval: None,
    piece_to: NO_PIECE_TO,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    double_extensions: 0,
    cutoffs: 0,
};

/// One thread's search.
pub(super) struct XiangqiWorker<'s> {
    pub position: Position,
    pub counter: NodeCounter<'s>,
    pub tt: &'s TranspositionTable,
    pub histories: &'s mut Histories,
    pub tablebase: Option<&'s dyn SearchTablebase>,
    pub pv: PvTable<Move>,
    pub seldepth: usize,
    /// The depth of the iteration.
    pub root_depth: i32,
    pub root_best_move: Option<Move>,
    /// The root moves to search; empty: all.
    pub root_moves: &'s [Move],
    /// Whether root moves are excluded by the manager or by MultiPV.
    pub is_root_restricted: bool,
    /// Null moves are disabled at plies less than this, while a null-move cut-off is verified.
    pub null_min_ply: usize,
    stack: Box<[StackEntry; STACK_SIZE]>,
}

impl<'s> XiangqiWorker<'s> {
    pub fn new(
        position: Position,
        tt: &'s TranspositionTable,
        histories: &'s mut Histories,
        tablebase: Option<&'s dyn SearchTablebase>,
        clock: &'s Clock,
    ) -> XiangqiWorker<'s> {
        histories.age();
        XiangqiWorker {
            position,
            counter: NodeCounter::new(clock),
            tt,
            histories,
            tablebase,
            pv: PvTable::default(),
            seldepth: 0,
            root_depth: 0,
            root_best_move: None,
            root_moves: &[],
            is_root_restricted: false,
            null_min_ply: 0,
            stack: Box::new([EMPTY_ENTRY; STACK_SIZE]),
        }
    }

    #[inline]
    pub fn stack(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[(ply + BEFORE_ROOT) & (STACK_SIZE - 1)]
    }

    /// The stack entry `back` plies above `ply`.
    #[inline]
    pub fn earlier(&self, ply: usize, back: usize) -> &StackEntry {
        &self.stack[(ply + BEFORE_ROOT).wrapping_sub(back) & (STACK_SIZE - 1)]
    }

    /// The moves before `ply` to which continuation history refers.
    #[inline]
    pub fn previous_moves(&self, ply: usize) -> PreviousMoves {
        [1, 2, 4].map(|back| self.earlier(ply, back).piece_to)
    }

    /// The static evaluation of the position, which is not in check.
    #[inline]
    pub fn static_eval(&mut self, ply: usize) -> StaticEval {
        // Read first, so that the load completes during the evaluation.
        let correction = self.histories.correction.get(&self.position);
        let corrected = corrected(self.evaluate(), correction);
        StaticEval { corrected, improving: self.improving(ply, corrected) }
    }

    /// Whether the static evaluation has risen since this side's last move.
    #[inline]
    fn improving(&self, ply: usize, static_eval: i32) -> bool {
        let earlier = self.earlier(ply, 2).static_eval.or(self.earlier(ply, 4).static_eval);
        earlier.is_none_or(|e| static_eval > e)
    }

    /// The static evaluation before correction.
    #[inline]
    pub fn evaluate(&mut self) -> i32 {
        self.histories.eval_cache.evaluate(&self.position)
    }

    /// The value of a draw, with small random variation so that the search does not prefer one draw
    /// to another.
    #[inline]
    pub fn draw_value(&self) -> i32 {
        (self.counter.nodes() & 3) as i32 - 1
    }

    /// The transposition table's entry of the position.
    #[inline]
    pub fn probe_table(&self, ply: usize) -> Option<TtEntry> {
        TtEntry::probe(self.tt, self.position.key(), ply)
    }

    /// Prefetches the cache entries of the position after a move.
    #[inline]
    pub fn prefetch(&self, m: Move) {
        let key = self.position.key_after(m);
        self.histories.eval_cache.prefetch(key);
        self.tt.prefetch(key);
    }

    /// Makes a move; the caller knows whether it gives check.
    #[inline]
    pub fn play(&mut self, m: Move, ply: usize, gives_check: bool) {
        let piece_to = piece_to(&self.position, m);
        self.stack(ply).piece_to = piece_to;
        self.position.play_with_check(m, gives_check);
    }
}
