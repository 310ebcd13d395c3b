//! The proof that a table is right: its checksum, its values against plain expectimax, and its
//! values against each other.

use super::build::Monitor;
use super::error::TableError;
use super::oracle::{Expectimax, random_position};
use super::{MAX_ERROR, Table};
use agon_protocol::einstein::{CELLS, EinStein, MissingDie, Move};
use agon_protocol::game::{Game, Player, Turn};
use agon_protocol::rng;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

/// What was compared, and how well it agreed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VerifyReport {
    /// Positions of at most 3 stones, all of them, compared with expectimax.
    pub exhaustive: u64,
    /// Random larger positions compared with expectimax.
    pub sampled: u64,
    /// Random positions compared with the values of their successors.
    pub one_ply: u64,
    /// The largest difference from expectimax.
    pub max_error: f64,
}

/// All positions up to this many stones are recomputed.
const EXHAUSTIVE: usize = 3;
/// Positions compared with their successors, for each that is recomputed.
const ONE_PLY: u64 = 1000;

/// Checks a table's checksum; recomputes all positions of at most 3 stones, and `samples` random
/// ones of 4 or more, by expectimax; compares 1000 times as many with their successors' values.
/// Uses rayon's current thread pool.
///
/// # Errors
///
/// At something that is wrong, and if the monitor says stop.
pub fn verify(
    path: &Path,
    samples: u64,
    seed: u64,
    monitor: &Monitor,
) -> Result<VerifyReport, TableError> {
    let table = Table::open(path)?;
    table.check()?;
    let check = Check { path, table: &table, seed, monitor };
    let exhaustive = check.exhaustive()?;
    let sampled = check.sampled(samples)?;
    let report = VerifyReport {
        exhaustive: exhaustive.positions,
        sampled: sampled.positions,
        one_ply: check.one_ply(samples * ONE_PLY)?.positions,
        max_error: exhaustive.error.max(sampled.error),
    };
    monitor.bar.finish_and_clear();
    Ok(report)
}

/// How many positions were compared, and the largest difference.
#[derive(Clone, Copy, Default)]
struct Tally {
    positions: u64,
    error: f64,
}

impl Tally {
    fn add(&mut self, error: f64) {
        *self = self.and(Tally { positions: 1, error });
    }

    fn and(self, other: Tally) -> Tally {
        let (positions, error) = (self.positions + other.positions, self.error.max(other.error));
        Tally { positions, error }
    }
}

struct Check<'a> {
    path: &'a Path,
    table: &'a Table,
    seed: u64,
    monitor: &'a Monitor<'a>,
}

impl Check<'_> {
    /// The difference between the table and another value; an error above `tolerance`.
    fn compare(
        &self,
        state: &EinStein,
        expected: f64,
        tolerance: f64,
        how: &'static str,
    ) -> Result<f64, TableError> {
        let found = self.table.probe(state).map_or(f64::NAN, |v| v.probability());
        let error = (found - expected).abs();
        if error <= tolerance {
            return Ok(error);
        }
        let (path, fen) = (self.path.to_path_buf(), state.fen());
        Err(TableError::Value { path, fen, found, how, expected })
    }

    fn recompute(&self, oracle: &mut Expectimax, state: &EinStein) -> Result<f64, TableError> {
        // The expectimax itself rounds, some 40 times by 2^-53.
        self.compare(state, oracle.value(state), MAX_ERROR + 1e-14, "expectimax")
    }

    /// Runs `job` for each number below `jobs`, on all threads.
    fn each(
        &self,
        message: &'static str,
        jobs: usize,
        job: impl Fn(usize, &mut Tally) -> Result<(), TableError> + Sync,
    ) -> Result<Tally, TableError> {
        self.monitor.begin(message, jobs as u64);
        (0..jobs)
            .into_par_iter()
            .map(|i| {
                self.monitor.checkpoint()?;
                let mut tally = Tally::default();
                job(i, &mut tally)?;
                self.monitor.bar.inc(1);
                Ok(tally)
            })
            .try_reduce(Tally::default, |a, b| Ok(a.and(b)))
    }

    fn exhaustive(&self) -> Result<Tally, TableError> {
        let sets = number_sets(2, EXHAUSTIVE.min(self.table.stones()) as u32);
        self.each("all positions of at most 3 stones", sets.len(), |i, tally| {
            // No play leads to other numbers, so nothing need be remembered from set to set.
            let mut oracle = Expectimax::default();
            every_placement(sets[i], self.table.rule(), &mut |state| {
                tally.add(self.recompute(&mut oracle, state)?);
                Ok(())
            })
        })
    }

    fn sampled(&self, samples: u64) -> Result<Tally, TableError> {
        let classes = classes(EXHAUSTIVE + 1, self.table.stones());
        let samples = if classes.is_empty() { 0 } else { samples as usize };
        self.each("larger positions by expectimax", samples, |i, tally| {
            let mut rng = rng::stream(self.seed, i as u64, "table expectimax");
            let stones = classes[i % classes.len()];
            if let Some(state) = random_position(&mut rng, stones, self.table.rule()) {
                tally.add(self.recompute(&mut Expectimax::default(), &state)?);
            }
            Ok(())
        })
    }

    fn one_ply(&self, samples: u64) -> Result<Tally, TableError> {
        let classes = classes(2, self.table.stones());
        let jobs = samples.div_ceil(ONE_PLY) as usize;
        self.each("values against their successors'", jobs, |job, tally| {
            let mut rng = rng::stream(self.seed, job as u64, "table one ply");
            for i in 0..ONE_PLY as usize {
                let stones = classes[i % classes.len()];
                if let Some(state) = random_position(&mut rng, stones, self.table.rule()) {
                    let expected = one_ply(self.table, &state);
                    let how = "one ply over the table";
                    tally.add(self.compare(&state, expected, 2.0 * MAX_ERROR, how)?);
                }
            }
            Ok(())
        })
    }
}

/// All pairs of stone counts with a sum in this range.
fn classes(least: usize, most: usize) -> Vec<[usize; 2]> {
    (least..=most).flat_map(|n| (1..n).map(move |first| [first, n - first])).collect()
}

/// The value of a position from the table's values of its successors.
fn one_ply(table: &Table, state: &EinStein) -> f64 {
    let mut sum = 0.0;
    for die in 1..=6 {
        let mut rolled = *state;
        rolled.play(Move::Roll(die));
        let mut best: f64 = 0.0;
        let missing = rolled.visit_moves(&mut |m| {
            let mut next = rolled;
            next.play(m);
            let value = match (next.turn(), table.probe(&next)) {
                (Turn::Over(outcome), _) if outcome.sign_for(state.player()) > 0 => 1.0,
                (Turn::Over(_), _) => 0.0,
                (_, Some(value)) => 1.0 - value.probability(),
                (_, None) => return ControlFlow::Break(()),
            };
            best = best.max(value);
            ControlFlow::Continue(())
        });
        sum += if missing.is_break() { f64::NAN } else { best };
    }
    sum / 6.0
}

/// All pairs of sets of living numbers (bit 0 for number 1), one a player, of so many together.
pub(super) fn number_sets(least: u32, most: u32) -> Vec<[u8; 2]> {
    (1..64u8)
        .flat_map(|first| (1..64u8).map(move |second| [first, second]))
        .filter(|s| (least..=most).contains(&(s[0].count_ones() + s[1].count_ones())))
        .collect()
}

/// Calls `visit` with every unfinished position before the roll with these living numbers: every
/// square, either player to move.
pub(super) fn every_placement<E>(
    alive: [u8; 2],
    rule: MissingDie,
    visit: &mut impl FnMut(&EinStein) -> Result<(), E>,
) -> Result<(), E> {
    let numbers = |set: u8| (1..=6u8).filter(move |n| set & 1 << (n - 1) != 0);
    let mut stones: Vec<(u8, u8)> =
        numbers(alive[0]).chain(numbers(alive[1])).map(|n| (n, 0)).collect();
    for placement in 0..CELLS.pow(stones.len() as u32) {
        let mut left = placement;
        for stone in &mut stones {
            stone.1 = (left % CELLS) as u8;
            left /= CELLS;
        }
        let (first, second) = stones.split_at(alive[0].count_ones() as usize);
        for to_move in Player::BOTH {
            match EinStein::with_stones(first, second, to_move, rule) {
                Ok(state) if state.turn() == Turn::Chance => visit(&state)?,
                _ => {}
            }
        }
    }
    Ok(())
}
