//! The solver of a slice: loads the smaller sets, runs the analysis and packs the file's blocks; and
//! the statistics counted meanwhile, with their encoding in the file.

use super::analysis::{AfterCaptures, Analysis, Smaller};
use super::frame::{Frame, Frames};
use super::layout::SetLayout;
use super::material::{ATTACKERS, MaterialKey};
use super::side_state::SideState;
use super::slice::{XiangqiSlice, read_side};
use agon_games::xiangqi::{Kind, SQUARES, Squares};
use agon_tablebase::format::{BLOCK, word};
use agon_tablebase::{Dtm, Monitor, OpenSlice, Sink, Slice, Solver, Statistics, TablebaseError};
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
        let mut tallies = [SliceTally::default(); 2];
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
                Ok::<SliceTally, TablebaseError>(tally)
            };
            let sum = (0..blocks).into_par_iter().map(write);
            tallies[side] = sum.try_reduce(SliceTally::default, |a, b| Ok(a.join(b)))?;
        }
        Ok(SliceTally::to_statistics(tallies))
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
            after.sets.push((kind, Smaller { layout: SetLayout::new(smaller), codes }));
        }
        Ok(after)
    }
}

/// Estimated memory for building a set, in bytes: the frames and the smaller sets' codes.
fn memory(layout: &SetLayout, frames: &Frames<'_>) -> u64 {
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
    fn block(&self, start: u64) -> (Vec<u8>, SliceTally) {
        let layout = self.frames.layout;
        let end = layout.len().min(start + BLOCK as u64);
        let mut codes = Vec::with_capacity((end - start) as usize);
        let mut tally = SliceTally::default();
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

/// Counts of the positions with one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SliceTally {
    /// Legal positions.
    pub legal: u64,
    /// Positions won by the attacker.
    pub attacker_wins: u64,
    /// Positions won by the defender. There are few; the counter saturates at 2^32 - 1.
    pub defender_wins: u32,
    /// The longest win of the attacker, and the index of the first position with it.
    pub longest: (u8, u64),
}

impl SliceTally {
    /// Counts a legal position; `attacker` is true if the attacker is to move.
    pub fn add(&mut self, code: u8, number: u64, attacker: bool) {
        self.legal += 1;
        if code != 0 && Dtm::from_code(code).is_win() != attacker {
            self.defender_wins = self.defender_wins.saturating_add(1);
            return;
        }
        self.attacker_wins += u64::from(code != 0);
        if code > self.longest.0 {
            self.longest = (code, number);
        }
    }

    /// The sum of both tallies; `other` counts positions of higher index.
    #[must_use]
    pub fn join(mut self, other: SliceTally) -> SliceTally {
        self.legal += other.legal;
        self.attacker_wins += other.attacker_wins;
        self.defender_wins = self.defender_wins.saturating_add(other.defender_wins);
        if other.longest.0 > self.longest.0 {
            self.longest = other.longest;
        }
        self
    }

    /// Encodes the tallies with the attacker and with the defender to move in 32 bytes each: legal,
    /// won by the attacker, index and code of the longest win, won by the defender.
    pub fn to_statistics(tallies: [SliceTally; 2]) -> Statistics {
        let mut statistics = [0; 64];
        for (bytes, tally) in statistics.chunks_exact_mut(32).zip(tallies) {
            bytes[..8].copy_from_slice(&tally.legal.to_le_bytes());
            bytes[8..16].copy_from_slice(&tally.attacker_wins.to_le_bytes());
            bytes[16..24].copy_from_slice(&tally.longest.1.to_le_bytes());
            bytes[24..28].copy_from_slice(&tally.defender_wins.to_le_bytes());
            bytes[28] = tally.longest.0;
        }
        statistics
    }

    /// The inverse of [`SliceTally::to_statistics`].
    pub fn from_statistics(statistics: &Statistics) -> [SliceTally; 2] {
        [0, 32].map(|at| SliceTally {
            legal: word(statistics, at),
            attacker_wins: word(statistics, at + 8),
            defender_wins: word(statistics, at + 24) as u32,
            longest: (statistics[at + 28], word(statistics, at + 16)),
        })
    }
}
