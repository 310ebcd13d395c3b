//! The solver of a slice: loads the smaller sets, runs the analysis and packs the file's blocks.

use super::analysis::{AfterCaptures, Analysis, Smaller};
use super::frame::{Frame, Frames};
use super::layout::Layout;
use super::material::{ATTACKERS, MaterialKey};
use super::side_state::SideState;
use super::slice::{XiangqiSlice, read_side};
use super::tally::Tally;
use agon_protocol::xiangqi::{Kind, SQUARES, Squares};
use agon_tablebase::format::BLOCK;
use agon_tablebase::{Monitor, OpenSlice, Sink, Slice, Solver, Statistics, TablebaseError};
use rayon::prelude::*;
use std::path::PathBuf;

/// Computes the values of slices whose smaller slices are in a folder.
pub struct XiangqiSolver {
    /// The folder.
    pub dir: PathBuf,
    /// The memory limit for one slice, in bytes.
    pub memory: u64,
}

impl Solver<XiangqiSlice> for XiangqiSolver {
    fn solve(
        &self,
        slice: &XiangqiSlice,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let (key, layout) = (slice.key(), slice.layout());
        let limit = format!("the limit is {} MB", self.memory / 1_000_000);
        let refuse = |needed| TablebaseError::memory(&key.to_string(), needed, &limit);
        let frames = Frames::new(layout).ok_or_else(|| refuse(u64::MAX))?;
        let needed = memory(layout, &frames);
        if needed > self.memory {
            return Err(refuse(needed));
        }
        monitor.report(format!("{key}: captures"))?;
        let after = self.after_captures(key)?;
        let analysis = Analysis::new(frames, &after);
        let mut on_ply = |ply| monitor.report(format!("{key}: ply {ply}"));
        let mut states = analysis.attacker_wins(&mut on_ply)?;
        analysis.defender_wins(&mut states, &mut on_ply)?;
        monitor.report(format!("{key}: packing"))?;
        let mut tallies = [Tally::default(); 2];
        for (side, state) in states.iter().enumerate() {
            let packer = Packer { frames: &analysis.frames, state, side };
            let blocks = slice.blocks();
            let write = |n: usize| {
                let (mut codes, tally) = packer.block((n * BLOCK) as u64);
                if side == 0 {
                    // The positions with the defender to move begin in a new block.
                    codes.resize(BLOCK, codes.last().copied().unwrap_or(0));
                }
                sink(((side * blocks + n) * BLOCK) as u64, &codes)?;
                Ok::<Tally, TablebaseError>(tally)
            };
            let sum = (0..blocks).into_par_iter().map(write);
            tallies[side] = sum.try_reduce(Tally::default, |a, b| Ok(a.join(b)))?;
        }
        Ok(Tally::to_statistics(tallies))
    }
}

impl XiangqiSolver {
    fn after_captures(&self, key: MaterialKey) -> Result<AfterCaptures, TablebaseError> {
        let mut after = AfterCaptures::default();
        let defenders = [Kind::Advisor, Kind::Elephant];
        let defenders = defenders.map(|kind| (kind, key.without_defender(kind), 1));
        let attackers = ATTACKERS.map(|kind| (kind, key.without_attacker(kind), 0));
        for (kind, smaller, side) in defenders.into_iter().chain(attackers) {
            let Some(smaller) = smaller else { continue };
            let codes = read_side(&OpenSlice::open(&self.dir, smaller)?, side)?;
            after.sets.push((kind, Smaller { layout: Layout::new(smaller), codes }));
        }
        Ok(after)
    }
}

/// Estimated memory for building a set, in bytes: the frames and the smaller sets' codes.
fn memory(layout: &Layout, frames: &Frames<'_>) -> u64 {
    let frames = layout.pairs() as u64 * frames.of_pair as u64;
    frames * 2 * SideState::FRAME_BYTES + layout.pairs() as u64 * 8 + 3 * layout.len()
}

/// Puts the codes of the frames into index order.
struct Packer<'a> {
    frames: &'a Frames<'a>,
    state: &'a SideState,
    /// 0 the attacker to move, 1 the defender.
    side: usize,
}

impl Packer<'_> {
    /// The codes of the block that begins at index `start`, and their tally.
    fn block(&self, start: u64) -> (Vec<u8>, Tally) {
        let layout = self.frames.layout;
        let end = layout.len().min(start + BLOCK as u64);
        let mut codes = Vec::with_capacity((end - start) as usize);
        let mut tally = Tally::default();
        let mut number = start;
        while number < end {
            let (s, w, _) = layout.unrank(number);
            let pair = layout.find_pair(s, w).0;
            let row = layout.row_start(s, pair);
            let until = end.min(row + layout.row_len(s));
            let range = (number - row, until - row);
            self.row(pair, (s, w), range, &mut |legal, code| {
                // An illegal position repeats the code before it, which compresses best.
                let code = if legal { code } else { codes.last().copied().unwrap_or(0) };
                if legal {
                    tally.add(code, start + codes.len() as u64, self.side == 0);
                }
                codes.push(code);
            });
            number = until;
        }
        (codes, tally)
    }

    /// Visits part of a row: whether each position is legal, and its code.
    fn row(
        &self,
        pair: usize,
        (s, w): (usize, usize),
        (from, until): (u64, u64),
        visit: &mut impl FnMut(bool, u8),
    ) {
        let frames = self.frames;
        let code = |number: usize, p: usize| {
            self.state.codes[(pair * frames.of_pair + number) * SQUARES + p]
        };
        if frames.of_pair == 1 {
            let Some(frame) = frames.frame(s, w, 0) else { return };
            let legal = self.legal(&frame);
            let squares = Squares(frame.free).skip(from as usize).take((until - from) as usize);
            squares.for_each(|p| visit(legal & p.bit() != 0, code(0, p.index())));
            return;
        }
        for n in from..until {
            let (number, p) = frames.number(frames.layout.unrank_row(s, w, n));
            let frame = frames.frame(s, w, number);
            let legal = frame.is_some_and(|f| self.legal(&f) & p.bit() != 0);
            visit(legal, code(number, p.index()));
        }
    }

    fn legal(&self, frame: &Frame<'_>) -> u128 {
        let legal = frame.free & !frame.facing();
        if self.side == 0 { legal & !frame.check(self.frames.single) } else { legal }
    }
}
