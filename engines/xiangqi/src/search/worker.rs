//! One thread's search: its position, its tables, and the stack of the current line.

use super::histories::{Histories, NO_PIECE_TO, PreviousMoves, piece_to};
use super::score::MAX_PLY;
use super::state::StaticEval;
use super::static_eval::corrected;
use super::tablebase::SearchTablebase;
use super::transposition::TtEntry;
use crate::position::{Move, Position};
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::PvTable;
use agon_search::transposition::TranspositionTable;

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
pub(super) struct Worker<'s> {
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

impl<'s> Worker<'s> {
    pub fn new(
        position: Position,
        tt: &'s TranspositionTable,
        histories: &'s mut Histories,
        tablebase: Option<&'s dyn SearchTablebase>,
        clock: &'s Clock,
    ) -> Worker<'s> {
        histories.age();
        Worker {
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
