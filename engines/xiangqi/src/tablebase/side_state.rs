//! The state of the analysis for one side to move, by frame: the squares of the single whose value
//! is still unknown, those that the last ply has decided, and a code for each square.

use agon_protocol::xiangqi::{SQUARES, Squares};
use rayon::prelude::*;

/// The code of a defender's capture that saves him for good.
pub const SAVED: u8 = u8::MAX;

/// One side to move, all frames.
#[derive(Debug)]
pub struct SideState {
    /// Legal and not decided.
    pub unknown: Vec<u128>,
    /// Decided by the last ply of this side.
    pub fresh: Vec<u128>,
    /// By frame and square: the code once decided; before that, the code at which a capture takes
    /// effect, 0 for none.
    pub codes: Vec<u8>,
    /// The least code of a frame's captures that are still to take effect, 0 for none.
    next: Vec<u8>,
}

/// One side to move, the frames of one pair.
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
    /// For so many frames, nothing legal.
    pub fn new(frames: usize) -> SideState {
        SideState {
            unknown: vec![0; frames],
            fresh: vec![0; frames],
            codes: vec![0; frames * SQUARES],
            next: vec![0; frames],
        }
    }

    /// Bytes a frame.
    pub const FRAME_BYTES: u64 = 16 + 16 + SQUARES as u64 + 1;

    /// The frames of each pair, `n` of them.
    pub fn by_pair(&mut self, n: usize) -> impl IndexedParallelIterator<Item = Cells<'_>> {
        let unknown = self.unknown.par_chunks_mut(n);
        let fresh = self.fresh.par_chunks_mut(n);
        let codes = self.codes.par_chunks_mut(n * SQUARES);
        let next = self.next.par_chunks_mut(n);
        let zipped = unknown.zip(fresh).zip(codes).zip(next);
        zipped.map(|(((unknown, fresh), codes), next)| Cells { unknown, fresh, codes, next })
    }

    /// Whether a capture is still to take effect.
    pub fn waits(&self) -> bool {
        self.next.iter().any(|&code| code != 0)
    }

    /// What is not decided is a draw.
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

    /// Whether a capture takes effect at `code` in any of the frames.
    pub fn wakes(&self, code: u8) -> bool {
        self.next.contains(&code)
    }

    /// The unknown squares of a frame at which a capture takes effect at `code`.
    pub fn waking(&self, number: usize, code: u8) -> u128 {
        if self.next[number] != code {
            return 0;
        }
        let codes = &self.codes[number * SQUARES..];
        let unknown = Squares(self.unknown[number]);
        unknown.filter(|p| codes[p.index()] == code).fold(0, |set, p| set | p.bit())
    }

    /// Decides squares of a frame.
    pub fn decide(&mut self, number: usize, set: u128, code: u8) {
        self.fresh[number] = set;
        self.unknown[number] &= !set;
        for p in Squares(set) {
            self.row(number)[p.index()] = code;
        }
    }

    /// Looks for the frame's next capture after `code`.
    pub fn look_ahead(&mut self, number: usize, code: u8) {
        let codes = &self.codes[number * SQUARES..];
        let waiting = Squares(self.unknown[number]).map(|p| codes[p.index()]);
        self.next[number] = waiting.filter(|&c| c > code && c != SAVED).min().unwrap_or(0);
    }
}
