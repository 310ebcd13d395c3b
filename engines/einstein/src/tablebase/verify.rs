//! Verification of a tablebase: checksums, values against plain expectimax, and values against each
//! other.

use super::EinSteinTablebase;
use super::reference::{Expectimax, random_position};
use super::value::MAX_ERROR;
use agon_games::einstein::{CELLS, EinStein, EinSteinMove, MissingDie};
use agon_games::game::{Game, Player, Turn};
use agon_games::rng;
use agon_tablebase::verify::{VerifyCounts, count_all};
use agon_tablebase::{Monitor, TablebaseError};
use std::ops::ControlFlow;

/// The results of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VerifyReport {
    /// The number of positions of at most 3 stones, all compared with expectimax.
    pub exhaustive: u64,
    /// Random positions of 4 or 5 stones compared with expectimax.
    pub sampled: u64,
    /// Random positions compared with the values of their successors.
    pub one_ply: u64,
    /// The largest difference from expectimax.
    pub max_error: f64,
}

/// All positions up to this number of stones are recomputed.
const EXHAUSTIVE: usize = 3;
/// Positions of more stones are not recomputed: one would take gigabytes of memory.
const RECOMPUTED: usize = 5;
const ONE_PLY_OVER: &str = "one ply over the tablebase";
/// Positions compared with their successors, for each recomputed one.
const ONE_PLY: u64 = 1000;

/// Verifies all checksums; recomputes all positions of at most 3 stones, and `samples` random ones
/// of 4 or 5, by expectimax; compares 1000 times as many with their successors' values. Uses
/// rayon's current thread pool.
///
/// # Errors
///
/// On the first mismatch, and if the monitor requests a stop.
pub fn verify(
    tablebase: &EinSteinTablebase,
    samples: u64,
    seed: u64,
    monitor: &Monitor<'_>,
) -> Result<VerifyReport, TablebaseError> {
    tablebase.preload()?;
    let check = Check { tablebase, seed, monitor };
    let exhaustive = check.exhaustive()?;
    let sampled = check.sampled(samples)?;
    Ok(VerifyReport {
        exhaustive: exhaustive.positions,
        sampled: sampled.positions,
        one_ply: check.one_ply(samples * ONE_PLY)?.positions,
        max_error: exhaustive.error.max(sampled.error),
    })
}

/// The witness of a file: positions of 2 and 3 stones that are solved anew, and positions of any number that
/// are compared with their successors.
const SOLVED_ANEW: u64 = 30;
const COMPARED: u64 = 60;
/// The seed of these positions.
const WITNESS_SEED: u64 = 0xa907;

/// Compares a sample of a file's values with plain expectimax and with those of their successors: the
/// checksums of a file say that its values are those that were written, not that they are right. A damaged
/// file is left to the check of its blocks.
///
/// # Errors
///
/// A value is wrong: the file, the position and both values.
pub fn witness(tablebase: &EinSteinTablebase) -> Result<(), TablebaseError> {
    let check = Check { tablebase, seed: WITNESS_SEED, monitor: &Monitor::hidden() };
    let index = tablebase.indexer();
    let few = stone_counts(2, EXHAUSTIVE.min(index.stones()));
    let any = stone_counts(2, index.stones());
    let mut tally = ErrorTally::default();
    for i in 0..SOLVED_ANEW + COMPARED {
        let mut rng = rng::stream(check.seed, i, "table witness");
        let counts = if i < SOLVED_ANEW { &few } else { &any };
        let stones = counts[i as usize % counts.len()];
        let Some(state) = random_position(&mut rng, stones, index.rule()) else { continue };
        let compared = if i < SOLVED_ANEW {
            check.recompute(&mut Expectimax::default(), &state, &mut tally)
        } else {
            let expected = one_ply(tablebase, &state);
            check.compare(&state, expected, (2.0 * MAX_ERROR, ONE_PLY_OVER), &mut tally)
        };
        if !tablebase.file().is_usable() {
            break;
        }
        compared?;
    }
    Ok(())
}

/// The number of compared positions, and the largest difference.
#[derive(Clone, Copy, Default)]
struct ErrorTally {
    positions: u64,
    error: f64,
}

impl VerifyCounts for ErrorTally {
    fn join(self, other: ErrorTally) -> ErrorTally {
        let (positions, error) = (self.positions + other.positions, self.error.max(other.error));
        ErrorTally { positions, error }
    }
}

struct Check<'a> {
    tablebase: &'a EinSteinTablebase,
    seed: u64,
    monitor: &'a Monitor<'a>,
}

impl Check<'_> {
    /// Compares the tablebase with another value; an error if they differ by more than `tolerance`.
    fn compare(
        &self,
        state: &EinStein,
        expected: f64,
        (tolerance, how): (f64, &'static str),
        tally: &mut ErrorTally,
    ) -> Result<(), TablebaseError> {
        let found = self.tablebase.probe(state).map_or(f64::NAN, |v| v.probability());
        let error = (found - expected).abs();
        if error <= tolerance {
            *tally = tally.join(ErrorTally { positions: 1, error });
            return Ok(());
        }
        Err(TablebaseError::Value {
            name: self.tablebase.file().path().display().to_string(),
            fen: state.fen(),
            found: format!("{found:.6}"),
            how,
            expected: format!("{expected:.6}"),
        })
    }

    fn recompute(
        &self,
        reference: &mut Expectimax,
        state: &EinStein,
        tally: &mut ErrorTally,
    ) -> Result<(), TablebaseError> {
        // The expectimax itself rounds about 40 times by 2^-53.
        self.compare(state, reference.value(state), (MAX_ERROR + 1e-14, "expectimax"), tally)
    }

    fn exhaustive(&self) -> Result<ErrorTally, TablebaseError> {
        let index = self.tablebase.indexer();
        let sets = number_sets(2, EXHAUSTIVE.min(index.stones()) as u32);
        let message = "all positions of at most 3 stones";
        count_all(self.monitor, message, sets.len() as u64, |i, tally| {
            // No play leads to other numbers, so memoized values need not be kept between sets.
            let mut reference = Expectimax::default();
            every_placement(sets[i as usize], index.rule(), &mut |state| {
                self.recompute(&mut reference, state, tally)
            })
        })
    }

    fn sampled(&self, samples: u64) -> Result<ErrorTally, TablebaseError> {
        let index = self.tablebase.indexer();
        let counts = stone_counts(EXHAUSTIVE + 1, index.stones().min(RECOMPUTED));
        let samples = if counts.is_empty() { 0 } else { samples };
        count_all(self.monitor, "positions of 4 and 5 stones by expectimax", samples, |i, tally| {
            let mut rng = rng::stream(self.seed, i, "table expectimax");
            let stones = counts[i as usize % counts.len()];
            match random_position(&mut rng, stones, index.rule()) {
                Some(state) => self.recompute(&mut Expectimax::default(), &state, tally),
                None => Ok(()),
            }
        })
    }

    fn one_ply(&self, samples: u64) -> Result<ErrorTally, TablebaseError> {
        let index = self.tablebase.indexer();
        let counts = stone_counts(2, index.stones());
        let (jobs, how) = (samples.div_ceil(ONE_PLY), ONE_PLY_OVER);
        count_all(self.monitor, "values against their successors'", jobs, |job, tally| {
            let mut rng = rng::stream(self.seed, job, "table one ply");
            for stones in counts.iter().cycle().take(ONE_PLY as usize) {
                if let Some(state) = random_position(&mut rng, *stones, index.rule()) {
                    let expected = one_ply(self.tablebase, &state);
                    self.compare(&state, expected, (2.0 * MAX_ERROR, how), tally)?;
                }
            }
            Ok(())
        })
    }
}

/// All pairs of stone counts whose sum lies in this range.
fn stone_counts(least: usize, most: usize) -> Vec<[usize; 2]> {
    (least..=most).flat_map(|n| (1..n).map(move |first| [first, n - first])).collect()
}

/// The value of a position computed from the tablebase's values of its successors.
fn one_ply(tablebase: &EinSteinTablebase, state: &EinStein) -> f64 {
    let mut sum = 0.0;
    for die in 1..=6 {
        let mut rolled = *state;
        rolled.play(EinSteinMove::Roll(die));
        let mut best: f64 = 0.0;
        let missing = rolled.visit_moves(&mut |m| {
            let mut next = rolled;
            next.play(m);
            let value = match (next.turn(), tablebase.probe(&next)) {
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

/// All pairs of sets of living numbers (bit 0: number 1), of a total size in this range.
pub(super) fn number_sets(least: u32, most: u32) -> Vec<[u8; 2]> {
    (1..64u8)
        .flat_map(|first| (1..64u8).map(move |second| [first, second]))
        .filter(|s| (least..=most).contains(&(s[0].count_ones() + s[1].count_ones())))
        .collect()
}

/// Calls `visit` with every unfinished position before the roll with these living numbers, with
/// every placement and either player to move.
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
