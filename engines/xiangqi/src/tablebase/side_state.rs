//! The state of the analysis for one side to move. Each frame has the squares of the single with
//! unknown value, those decided on the last ply, and a code per square.

use agon_games::xiangqi::{SQUARES, Squares};
use rayon::prelude::*;

/// The code of a capture that saves the defender permanently.
pub const SAVED: u8 = u8::MAX;

/// All frames for one side to move.
#[derive(Debug)]
pub struct SideState {
    /// Legal and undecided.
    pub unknown: Vec<u128>,
    /// Decided on this side's last ply.
    pub fresh: Vec<u128>,
    /// By frame and square: the code once decided; before that, the code at which a capture takes
    /// effect, or 0 for none.
    pub codes: Vec<u8>,
    /// For each frame, the lowest code of a capture that has not yet taken effect, 0 for none.
    next: Vec<u8>,
}

/// The frames of one pair for one side to move.
#[derive(Debug)]
pub struct Cells<'a> {
    /// See [`SideState::unknown`].
    pub unknown: &'a mut [u128],
    /// See [`SideState::fresh`].
    pub fresh: &'a mut [u128],
    /// See [`SideState::codes`].
    pub codes: &'a mut [u8],
    next: &'a mut [u8],
}

impl SideState {
    /// A state for `frames` frames with no legal position.
    pub fn new(frames: usize) -> SideState {
        SideState {
            unknown: vec![0; frames],
            fresh: vec![0; frames],
            codes: vec![0; frames * SQUARES],
            next: vec![0; frames],
        }
    }

    /// Bytes per frame.
    pub const FRAME_BYTES: u64 = 16 + 16 + SQUARES as u64 + 1;

    /// The frames of each pair, `n` per pair.
    pub fn by_pair(&mut self, n: usize) -> impl IndexedParallelIterator<Item = Cells<'_>> {
        let unknown = self.unknown.par_chunks_mut(n);
        let fresh = self.fresh.par_chunks_mut(n);
        let codes = self.codes.par_chunks_mut(n * SQUARES);
        let next = self.next.par_chunks_mut(n);
        let zipped = unknown.zip(fresh).zip(codes).zip(next);
        zipped.map(|(((unknown, fresh), codes), next)| Cells { unknown, fresh, codes, next })
    }

    /// Whether any capture has yet to take effect.
    pub fn waits(&self) -> bool {
        self.next.iter().any(|&code| code != 0)
    }

    /// Marks all undecided positions as draws.
    pub fn mark_draws(&mut self) {
        self.codes.par_chunks_mut(SQUARES).zip(&self.unknown).for_each(|(codes, &unknown)| {
            for p in Squares(unknown) {
                codes[p.index()] = 0;
            }
        });
    }
}

impl Cells<'_> {
    /// The codes of a frame.
    pub fn row(&mut self, number: usize) -> &mut [u8] {
        &mut self.codes[number * SQUARES..(number + 1) * SQUARES]
    }

    /// Whether a capture takes effect at `code` in any frame.
    pub fn wakes(&self, code: u8) -> bool {
        self.next.contains(&code)
    }

    /// The undecided squares of a frame at which a capture takes effect at `code`.
    pub fn waking(&self, number: usize, code: u8) -> u128 {
        if self.next[number] != code {
            return 0;
        }
        let codes = &self.codes[number * SQUARES..];
        let unknown = Squares(self.unknown[number]);
        unknown.filter(|p| codes[p.index()] == code).fold(0, |set, p| set | p.bit())
    }

    /// Decides a set of squares of a frame.
    pub fn decide(&mut self, number: usize, set: u128, code: u8) {
        self.fresh[number] = set;
        self.unknown[number] &= !set;
        for p in Squares(set) {
            self.row(number)[p.index()] = code;
        }
    }

    /// Finds the frame's next capture after `code`.
    pub fn look_ahead(&mut self, number: usize, code: u8) {
        let codes = &self.codes[number * SQUARES..];
        let waiting = Squares(self.unknown[number]).map(|p| codes[p.index()]);
        self.next[number] = waiting.filter(|&c| c > code && c != SAVED).min().unwrap_or(0);
    }
}
