//! The solver: retrograde analysis of all classes in order of their number of pieces, each together with
//! the same class and the other side to move.
//!
//! Captures lead to classes of fewer pieces, which are already solved. The remaining moves, steps
//! onto empty squares, are reversible: stepping back with a piece of the side that has just moved
//! gives the predecessors of a position. Positions are solved in order of their distance from the
//! end, so each gets the shortest win or the longest loss; positions that are never solved are
//! draws.

use super::class_index::{DarkChessIndexer, TableClass};
use super::material::{MAX_PIECES, MAX_TYPES};
use super::numbering::TypeSets;
use agon_games::darkchess::{NEIGHBOURS, Squares, jumps};
use agon_tablebase::{Dtm, Indexer, Monitor, Scratch, Sink, Solver, Statistics, TablebaseError};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A counter that is never decremented: some capture wins or draws.
const SAFE: u8 = 255;
/// Upper limit of distances, which have to fit a byte.
const FARTHEST: usize = 253;

/// One class of the pair during the solution.
struct ClassHalf<'a> {
    class: &'a TableClass,
    values: Vec<u8>,
    /// The number of steps not yet known to lose.
    open: Vec<u8>,
    /// The longest loss among the captures; 0 for none.
    captures: Vec<u8>,
}

/// The values of a position's captures.
struct Captures {
    win: Option<usize>,
    loss: usize,
    draws: bool,
}

struct ClassPair<'a> {
    index: &'a DarkChessIndexer,
    /// The values of all positions of fewer pieces, by index.
    smaller: &'a [u8],
    halves: Vec<ClassHalf<'a>>,
    /// Positions to solve, by distance: twice the number plus the half.
    queue: Vec<Vec<u32>>,
}

/// The values of a class and of the same class with the other side to move; only one of them if the
/// two are equal.
pub fn solve_class(
    index: &DarkChessIndexer,
    class: u32,
    smaller: &[u8],
) -> Result<Vec<(u32, Vec<u8>)>, TablebaseError> {
    let first = &index.classes[class as usize];
    let mut numbers = vec![class];
    if first.turned.class != class {
        numbers.push(first.turned.class);
    }
    let halves = numbers.iter().map(|&n| ClassHalf::new(&index.classes[n as usize])).collect();
    let mut pair = ClassPair { index, smaller, halves, queue: vec![Vec::new(); FARTHEST + 2] };
    pair.start_from_captures();
    for distance in 0..=FARTHEST {
        pair.decide(distance);
    }
    if !pair.queue[FARTHEST + 1].is_empty() {
        let name = format!("class {class} of {} pieces", first.pieces());
        return Err(TablebaseError::too_long(&name, FARTHEST as u32));
    }
    Ok(numbers.into_iter().zip(pair.halves.into_iter().map(|h| h.values)).collect())
}

impl<'a> ClassHalf<'a> {
    fn new(class: &'a TableClass) -> ClassHalf<'a> {
        let len = class.numbering.len() as usize;
        ClassHalf { class, values: vec![0; len], open: vec![0; len], captures: vec![0; len] }
    }
}

impl ClassPair<'_> {
    fn other(&self, half: usize) -> usize {
        (half + 1) % self.halves.len()
    }

    /// Evaluates every position's captures and counts its steps.
    fn start_from_captures(&mut self) {
        for half in 0..self.halves.len() {
            let class = self.halves[half].class;
            for number in 0..class.numbering.len() {
                let sets = class.numbering.arrangement(&self.index.board, number);
                if class.numbering.folds
                    && class.numbering.number(&self.index.board, &sets) != number
                {
                    self.halves[half].values[number as usize] = Dtm::UNUSED.code();
                    continue;
                }
                let captures = self.captures(class, &sets);
                let steps = if class.numbering.folds {
                    self.steps(half, &sets, 0..usize::from(class.shape.own)).list().len()
                } else {
                    self.count_steps(class, &sets)
                };
                self.start(half, number, &captures, steps);
            }
        }
    }

    fn start(&mut self, half: usize, number: u32, captures: &Captures, steps: usize) {
        let safe = captures.draws || captures.win.is_some();
        let state = &mut self.halves[half];
        state.open[number as usize] = if safe { SAFE } else { steps as u8 };
        state.captures[number as usize] = captures.loss as u8;
        if let Some(distance) = captures.win {
            self.push(distance, half, number);
        } else if !safe && steps == 0 {
            // Every capture loses, or there is no legal move.
            self.push(captures.loss, half, number);
        }
    }

    fn push(&mut self, distance: usize, half: usize, number: u32) {
        self.queue[distance.min(FARTHEST + 1)].push(number * 2 + half as u32);
    }

    fn captures(&self, class: &TableClass, sets: &TypeSets) -> Captures {
        let shape = &class.shape;
        let occupied = sets.iter().fold(0, |all, set| all | set);
        let own = usize::from(shape.own);
        let enemies = sets[own..].iter().fold(0, |all, set| all | set);
        let mut found = Captures { win: None, loss: 0, draws: false };
        for (t, &takes) in shape.takes[..own].iter().enumerate() {
            let prey = (own..shape.counts.len()).filter(|b| takes >> b & 1 != 0);
            let prey = prey.fold(0, |all, b| all | sets[b]);
            for from in Squares(sets[t]) {
                let targets = if shape.cannons[t] {
                    jumps(from, occupied) & enemies
                } else {
                    NEIGHBOURS[usize::from(from)] & prey
                };
                for to in Squares(targets) {
                    self.capture(class, sets, (t, from, to), &mut found);
                }
            }
        }
        found
    }

    fn capture(
        &self,
        class: &TableClass,
        sets: &TypeSets,
        (t, from, to): (usize, u8, u8),
        found: &mut Captures,
    ) {
        let mut after = *sets;
        let taken = (usize::from(class.shape.own)..MAX_TYPES).find(|&b| sets[b] >> to & 1 != 0);
        let Some(taken) = taken else { return };
        after[taken] &= !(1 << to);
        after[t] ^= 1 << from | 1 << to;
        let value = match &class.without[taken] {
            None => Dtm::LOST,
            Some(link) => {
                let next = &self.index.classes[link.class as usize];
                let number = next.numbering.number(&self.index.board, &link.map(&after));
                Dtm::from_code(self.smaller[(next.offset + u64::from(number)) as usize])
            }
        };
        match value.plies() {
            None => found.draws = true,
            Some(d) if value.is_loss() => {
                let distance = usize::from(d) + 1;
                found.win = Some(found.win.map_or(distance, |known| known.min(distance)));
            }
            Some(d) => found.loss = found.loss.max(usize::from(d) + 1),
        }
    }

    /// The number of steps of the side to move.
    fn count_steps(&self, class: &TableClass, sets: &TypeSets) -> usize {
        let occupied = sets.iter().fold(0, |all, set| all | set);
        let vacant = self.index.board.squares & !occupied;
        let own = sets[..usize::from(class.shape.own)].iter().fold(0, |all, set| all | set);
        Squares(own).map(|s| (NEIGHBOURS[usize::from(s)] & vacant).count_ones() as usize).sum()
    }

    /// The positions, in the other half, that steps of these types lead to: successors for types of
    /// the side to move, predecessors for types of the opponent.
    fn steps(&self, half: usize, sets: &TypeSets, types: std::ops::Range<usize>) -> Found {
        let class = self.halves[half].class;
        let next = self.halves[self.other(half)].class;
        let occupied = sets.iter().fold(0, |all, set| all | set);
        let vacant = self.index.board.squares & !occupied;
        let mut found = Found::default();
        for t in types {
            for from in Squares(sets[t]) {
                for to in Squares(NEIGHBOURS[usize::from(from)] & vacant) {
                    let mut after = *sets;
                    after[t] ^= 1 << from | 1 << to;
                    let turned = class.turned.map(&after);
                    let number = next.numbering.number(&self.index.board, &turned);
                    found.add(number, class.numbering.folds);
                }
            }
        }
        found
    }

    /// Solves the positions at this distance and propagates the result to their predecessors.
    fn decide(&mut self, distance: usize) {
        for entry in std::mem::take(&mut self.queue[distance]) {
            let (half, number) = ((entry & 1) as usize, entry / 2);
            let value = &mut self.halves[half].values[number as usize];
            if *value != 0 {
                continue;
            }
            *value = Dtm::after(distance).code();
            let class = self.halves[half].class;
            let sets = class.numbering.arrangement(&self.index.board, number);
            let types = usize::from(class.shape.own)..class.shape.counts.len();
            let before = self.steps(half, &sets, types);
            let other = self.other(half);
            for &number in before.list() {
                self.update_predecessor(other, number, distance);
            }
        }
    }

    /// Updates a position with a step to one that is solved at this distance.
    fn update_predecessor(&mut self, half: usize, number: u32, distance: usize) {
        let state = &mut self.halves[half];
        let at = number as usize;
        if state.values[at] != 0 {
            return;
        }
        if distance.is_multiple_of(2) {
            self.push(distance + 1, half, number);
        } else if state.open[at] != SAFE {
            state.open[at] -= 1;
            if state.open[at] == 0 {
                let longest = (distance + 1).max(usize::from(state.captures[at]));
                self.push(longest, half, number);
            }
        }
    }
}

/// The maximum number of steps: four per piece.
const MOST_STEPS: usize = 4 * MAX_PIECES;

/// A short list of position numbers.
#[derive(Default)]
struct Found {
    numbers: [u32; MOST_STEPS],
    len: usize,
}

impl Found {
    /// Adds a number; `once` skips numbers that are already present.
    #[inline]
    fn add(&mut self, number: u32, once: bool) {
        if once && self.list().contains(&number) || self.len == MOST_STEPS {
            return;
        }
        self.numbers[self.len] = number;
        self.len += 1;
    }

    fn list(&self) -> &[u32] {
        &self.numbers[..self.len]
    }
}

/// The classes with the most pieces are solved in this many parts; a build that was interrupted continues
/// with the first part that is not finished.
const PARTS: usize = 64;
/// The file of a scratch folder with the number of finished parts.
const FINISHED: &str = "parts";

/// Computes the values. Memory: the values of all but the largest positions, plus 30 bytes for each
/// position of the classes in progress.
#[derive(Default)]
pub struct DarkChessSolver<'s> {
    /// Where the unfinished file is, if the build can be interrupted.
    pub scratch: Option<&'s Scratch>,
}

impl Solver<DarkChessIndexer> for DarkChessSolver<'_> {
    fn solve(
        &self,
        index: &DarkChessIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        monitor.begin("solving", index.len());
        let smaller = solve_smaller(index, monitor)?;
        let classes = classes_to_solve(index, index.pieces());
        let parts = classes.chunks(classes.len().div_ceil(PARTS).max(1));
        let finished = self.scratch.and_then(|scratch| scratch.read(FINISHED, 1));
        let finished = finished.and_then(|values| values.as_slice().first().copied()).unwrap_or(0);
        if finished == 0 {
            sink(0, &smaller)?;
        }
        for (part, classes) in (0..).zip(parts).skip(finished as usize) {
            solve_classes(index, classes, &smaller, sink, monitor)?;
            if let Some(scratch) = self.scratch {
                // The values first: what is said to be finished must be there.
                scratch.sync_output()?;
                let mut file = scratch.create(FINISHED)?;
                file.write(&[part + 1])?;
                file.finish()?;
            }
        }
        Ok([0; 64])
    }
}

/// The values of all positions with fewer pieces than the most.
fn solve_smaller(
    index: &DarkChessIndexer,
    monitor: &Monitor<'_>,
) -> Result<Vec<u8>, TablebaseError> {
    let top = index.classes.iter().find(|c| usize::from(c.pieces()) == index.pieces());
    let len = top.map_or(0, |c| c.offset) as usize;
    let mut smaller = Vec::new();
    smaller.try_reserve_exact(len).map_err(|_| {
        let name = format!("the tablebase of {} pieces", index.pieces());
        TablebaseError::memory(&name, len as u64, "the system has less")
    })?;
    smaller.resize(len, 0);
    for pieces in 2..index.pieces() {
        let solved = Mutex::new(Vec::new());
        let keep = |offset: u64, values: &[u8]| {
            let mut solved = solved.lock().unwrap_or_else(PoisonError::into_inner);
            solved.push((offset as usize, values.to_vec()));
            Ok(())
        };
        solve_classes(index, &classes_to_solve(index, pieces), &smaller, &keep, monitor)?;
        for (offset, values) in solved.into_inner().unwrap_or_else(PoisonError::into_inner) {
            smaller[offset..offset + values.len()].copy_from_slice(&values);
        }
    }
    Ok(smaller)
}

/// The classes of `pieces` pieces that come first in their pair: each solves the one with the other side to
/// move, too.
fn classes_to_solve(index: &DarkChessIndexer, pieces: usize) -> Vec<u32> {
    let is_first = |&number: &u32| {
        let class = &index.classes[number as usize];
        usize::from(class.pieces()) == pieces && class.turned.class >= number
    };
    (0..index.classes.len() as u32).filter(is_first).collect()
}

/// Solves classes and those with the other side to move, given the values of all smaller positions.
fn solve_classes(
    index: &DarkChessIndexer,
    classes: &[u32],
    smaller: &[u8],
    sink: Sink<'_>,
    monitor: &Monitor<'_>,
) -> Result<(), TablebaseError> {
    classes.par_iter().with_max_len(1).try_for_each(|&number| {
        monitor.checkpoint()?;
        for (class, values) in solve_class(index, number, smaller)? {
            sink(index.classes[class as usize].offset, &values)?;
            monitor.bar.inc(values.len() as u64);
        }
        Ok(())
    })
}
