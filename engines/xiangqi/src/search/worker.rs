//! One thread's search: what it carries from node to node.

use super::history::{Before, Histories, NOWHERE};
use super::oracle::Oracle;
use super::score::MOST_PLIES;
use super::table::Table;
use crate::evaluation::after_null_move;
use crate::position::{Move, Position};
use agon_search::clock::{Clock, NodeCounter};
use agon_search::result::PvTable;

/// Frames before the root's, so that "four plies ago" always exists.
const BELOW: usize = 4;
/// A power of two, so that no place needs to be looked up in vain: as many as there can be plies, and a few more.
const FRAMES: usize = 256;
const _: () = assert!(MOST_PLIES + BELOW + 4 <= FRAMES);

/// What one ply of the current line remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The corrected static value; `None` in check.
    pub estimate: Option<i32>,
    /// The same before correction.
    pub raw: Option<i32>,
    /// Where the move made here took its piece; [`NOWHERE`] for a pass.
    pub arrival: usize,
    pub killers: [Move; 2],
    /// A move left out, while it is being tested whether it is the only good one.
    pub excluded: Move,
    /// Plies that the line has been extended by more than one.
    pub doubles: u8,
    /// Refutations found two plies further down.
    pub cutoffs: u8,
}

const FRAME: Frame = Frame {
    estimate: None,
    raw: None,
    arrival: NOWHERE,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    doubles: 0,
    cutoffs: 0,
};

/// One thread's search.
pub(super) struct Worker<'s> {
    pub position: Position,
    pub counter: NodeCounter<'s>,
    pub table: &'s Table,
    pub histories: &'s mut Histories,
    pub oracle: Option<&'s dyn Oracle>,
    pub variations: PvTable<Move>,
    pub seldepth: usize,
    /// The depth of the iteration.
    pub root_depth: i32,
    pub root_best: Option<Move>,
    /// The only moves to look at at the root; empty: all.
    pub root_moves: &'s [Move],
    /// No null moves above this ply: one is being verified.
    pub null_from: usize,
    frames: Box<[Frame; FRAMES]>,
}

impl<'s> Worker<'s> {
    pub fn new(
        position: Position,
        table: &'s Table,
        histories: &'s mut Histories,
        oracle: Option<&'s dyn Oracle>,
        clock: &'s Clock,
    ) -> Worker<'s> {
        histories.age();
        Worker {
            position,
            counter: NodeCounter::new(clock),
            table,
            histories,
            oracle,
            variations: PvTable::default(),
            seldepth: 0,
            root_depth: 0,
            root_best: None,
            root_moves: &[],
            null_from: 0,
            frames: Box::new([FRAME; FRAMES]),
        }
    }

    #[inline]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[(ply + BELOW) & (FRAMES - 1)]
    }

    /// The frame `back` plies above `ply`.
    #[inline]
    pub fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[(ply + BELOW).wrapping_sub(back) & (FRAMES - 1)]
    }

    /// Where the last moves of both sides and the one before took their pieces.
    #[inline]
    pub fn before(&self, ply: usize) -> Before {
        [1, 2, 4].map(|back| self.earlier(ply, back).arrival)
    }

    /// Whether the static value has risen since the side's last move.
    pub fn improving(&self, ply: usize, estimate: i32) -> bool {
        let earlier = self.earlier(ply, 2).estimate.or(self.earlier(ply, 4).estimate);
        earlier.is_none_or(|e| estimate > e)
    }

    /// The static value, before correction. After a pass it follows from that of the position before.
    #[inline]
    pub fn evaluate(&self, ply: usize) -> i32 {
        let before = self.earlier(ply, 1);
        if ply > 0
            && before.arrival == NOWHERE
            && let Some(raw) = before.raw
            && let Some(value) = after_null_move(&self.position, raw)
        {
            return value;
        }
        self.histories.value(&self.position)
    }

    /// A value for a draw that keeps the search from preferring one draw to another.
    #[inline]
    pub fn draw(&self) -> i32 {
        (self.counter.nodes() & 3) as i32 - 1
    }

    /// Asks the memory for what the table and the histories know about the position that comes of a move.
    #[inline]
    pub fn prefetch(&self, m: Move) {
        let key = self.position.key_after(m);
        self.histories.prefetch(key);
        self.table.prefetch(key);
    }

    /// Makes a move. `check`: whether it gives check.
    #[inline]
    pub fn play(&mut self, m: Move, ply: usize, check: bool) {
        let arrival = super::history::arrival(&self.position, m);
        self.frame(ply).arrival = arrival;
        self.position.play_with_check(m, check);
    }
}
