//! Building tables: what a set needs first, the analysis, and the blocks of the file.

use super::error::TableError;
use super::file::{PackedBlock, TableFile, path_of, write};
use super::format::{BLOCK, Header, Tally};
use super::frame::{Frame, Frames};
use super::layout::{Layout, Shared};
use super::set::{ATTACKERS, EndgameSet};
use super::solve::{AfterCaptures, Smaller, Solver};
use super::work::SideWork;
use agon_protocol::xiangqi::{Kind, SQUARES, Squares, print_placement};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a long job tells of itself and is stopped.
pub struct Monitor<'a> {
    /// Told what is being done now.
    pub report: &'a (dyn Fn(&str) + Sync),
    /// Set by anyone to stop the job.
    pub cancel: &'a AtomicBool,
}

impl Monitor<'_> {
    pub(super) fn say(&self, text: &str) -> Result<(), TableError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(TableError::Interrupted);
        }
        (self.report)(text);
        Ok(())
    }
}

/// How a set was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// What its file says.
    pub header: Header,
    /// The file's size in bytes.
    pub size: u64,
    /// How long it took.
    pub time: Duration,
    /// Plies until nothing more was found.
    pub plies: u32,
}

/// Builds tables in one folder.
pub struct Builder {
    dir: PathBuf,
    shared: Shared,
    pool: ThreadPool,
    /// Most memory for one set, in bytes.
    pub memory: u64,
}

/// The memory that a builder uses unless told otherwise: 8 GB.
pub const MEMORY: u64 = 8_000_000_000;

impl Builder {
    /// A builder for a folder, which is made if need be. No threads means as many as there are
    /// cores.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made or the threads cannot be started.
    pub fn new(dir: &Path, threads: usize) -> Result<Builder, TableError> {
        fs::create_dir_all(dir).map_err(TableError::io("making", dir))?;
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| TableError::Threads { threads, reason: e.to_string() })?;
        Ok(Builder { dir: dir.into(), shared: Shared::default(), pool, memory: MEMORY })
    }

    /// The sets and all that they need, each after what it needs, those with good files left out.
    /// Damaged files of older formats are among the sets to build.
    ///
    /// # Errors
    ///
    /// If a file is no table or is another set's: it is not for this program to replace.
    pub fn missing(&self, sets: &[EndgameSet]) -> Result<Vec<EndgameSet>, TableError> {
        let mut order = Vec::new();
        for &set in sets {
            add_with_needs(set, &mut order);
        }
        let mut missing = Vec::new();
        for set in order {
            let path = path_of(&self.dir, set);
            let there = path.try_exists().map_err(TableError::io("looking for", &path))?;
            match there.then(|| TableFile::open(&path)) {
                Some(Ok(_)) => {}
                None | Some(Err(TableError::Damaged { .. } | TableError::Version { .. })) => {
                    missing.push(set);
                }
                Some(Err(other)) => return Err(other),
            }
        }
        Ok(missing)
    }

    /// Builds one set, whose captures' tables are in the folder.
    ///
    /// # Errors
    ///
    /// If one of those is missing or damaged, memory or disk do not suffice, the set cannot be
    /// treated, or the monitor says stop.
    pub fn build(&self, set: EndgameSet, monitor: &Monitor<'_>) -> Result<Built, TableError> {
        self.pool.install(|| self.build_here(set, monitor))
    }

    fn build_here(&self, set: EndgameSet, monitor: &Monitor<'_>) -> Result<Built, TableError> {
        let begun = Instant::now();
        monitor.say(&format!("{set}: numbers"))?;
        let layout = Layout::new(&self.shared, set);
        let refuse = |needed: u64| TableError::Memory {
            set: set.to_string(),
            needed: needed / 1_000_000,
            limit: self.memory / 1_000_000,
        };
        let frames = Frames::new(&layout).ok_or_else(|| refuse(u64::MAX))?;
        let needed = memory(&layout, &frames);
        if needed > self.memory {
            return Err(refuse(needed));
        }
        monitor.say(&format!("{set}: captures"))?;
        let after = self.after_captures(set)?;
        let solver = Solver::new(frames, &after);
        let mut plies = 0;
        let [strong, weak] = solver.run(&mut |ply| {
            plies = ply;
            monitor.say(&format!("{set}: ply {ply}"))
        })?;
        monitor.say(&format!("{set}: packing"))?;
        let packer = |side, work: &SideWork| {
            let blocks = layout.len().div_ceil(BLOCK as u64);
            let block = |n| Packer { frames: solver.frames(), work, side }.block(n * BLOCK as u64);
            (0..blocks).into_par_iter().map(block).collect::<Vec<_>>()
        };
        let sides = [packer(0, &strong), packer(1, &weak)];
        let header = write(&self.dir, set, layout.len(), &sides)?;
        let path = path_of(&self.dir, set);
        let size = fs::metadata(&path).map_err(TableError::io("looking at", &path))?.len();
        Ok(Built { header, size, time: begun.elapsed(), plies })
    }

    /// The position of a number as a FEN: 0 the attacker (Red) to move, 1 the defender.
    pub fn fen(&self, set: EndgameSet, side: usize, number: u64) -> String {
        let layout = Layout::new(&self.shared, set);
        let (s, w, attackers) = layout.unrank(number);
        let placement = print_placement(&layout.board(s, w, attackers));
        format!("{placement} {}", if side == 0 { 'w' } else { 'b' })
    }

    fn after_captures(&self, set: EndgameSet) -> Result<AfterCaptures, TableError> {
        let mut after = AfterCaptures::default();
        let defenders = [Kind::Advisor, Kind::Elephant];
        let defenders = defenders.map(|kind| (kind, set.without_defender(kind), 1));
        let attackers = ATTACKERS.map(|kind| (kind, set.without_attacker(kind), 0));
        for (kind, smaller, side) in defenders.into_iter().chain(attackers) {
            let Some(smaller) = smaller else { continue };
            let path = path_of(&self.dir, smaller);
            if !path.exists() {
                let (dir, set) = (self.dir.clone(), smaller.to_string());
                return Err(TableError::Missing { dir, set });
            }
            let codes = TableFile::open(&path)?.read_side(side)?;
            after.sets.push((kind, Smaller { layout: Layout::new(&self.shared, smaller), codes }));
        }
        Ok(after)
    }
}

/// Codes with one side to move of a set, so that its table unpacked takes twice as many bytes.
pub fn positions(shared: &Shared, set: EndgameSet) -> u64 {
    Layout::new(shared, set).len()
}

/// Bytes that building a set takes, roughly: the frames, and the smaller sets' codes.
fn memory(layout: &Layout, frames: &Frames<'_>) -> u64 {
    let frames = layout.pairs() as u64 * frames.of_pair as u64;
    frames * 2 * SideWork::FRAME_BYTES + layout.pairs() as u64 * 8 + 3 * layout.len()
}

/// Depth first: what captures lead to, then the set itself.
fn add_with_needs(set: EndgameSet, order: &mut Vec<EndgameSet>) {
    if order.contains(&set) {
        return;
    }
    for smaller in set.after_captures() {
        add_with_needs(smaller, order);
    }
    order.push(set);
}

/// Puts the codes of frames into the order of the set's numbers.
struct Packer<'a> {
    frames: &'a Frames<'a>,
    work: &'a SideWork,
    /// 0 the attacker to move, 1 the defender.
    side: usize,
}

impl Packer<'_> {
    /// The block that begins with a number.
    fn block(&self, start: u64) -> PackedBlock {
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
                // An illegal position has the code before it, which packs best.
                let code = if legal { code } else { codes.last().copied().unwrap_or(0) };
                if legal {
                    tally.add(code, start + codes.len() as u64, self.side == 0);
                }
                codes.push(code);
            });
            number = until;
        }
        PackedBlock::new(&codes, tally)
    }

    /// Visits whether the positions of a part of a row are legal, and their codes.
    fn row(
        &self,
        pair: usize,
        (s, w): (usize, usize),
        (from, until): (u64, u64),
        visit: &mut impl FnMut(bool, u8),
    ) {
        let frames = self.frames;
        let code = |number: usize, p: usize| {
            self.work.codes[(pair * frames.of_pair + number) * SQUARES + p]
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
