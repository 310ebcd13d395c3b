//! The proof that a table is right: its checksum; every value against those of the position's
//! successors, which the rules of the protocol find; and a sample against forward search.

use super::build::Monitor;
use super::error::TableError;
use super::index::Class;
use super::oracle::Forward;
use super::{Table, UNUSED, Value};
use agon_protocol::darkchess::{Colour, DarkChess, DarkRules, Kind, Piece};
use agon_protocol::game::{Game, Turn};
use agon_protocol::rng;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Positions that agree with their successors: all of them.
    pub positions: u64,
    /// Of these, won, drawn and lost ones for the side to move.
    pub results: [u64; 3],
    /// Numbers that no position has.
    pub unused: u64,
    /// The longest win in plies.
    pub longest: u8,
    /// Random positions that agree with forward search.
    pub searched: u64,
}

/// Positions between two looks at the monitor.
const CHUNK: u32 = 1 << 14;
/// Distances up to this are proved by forward search.
const HORIZON: u8 = 7;

/// Checks the checksum, all values against their successors', and `samples` random values by
/// forward search: a win or loss within 7 plies is found at its depth and not before, and where
/// the table says that the end is farther or never, 7 plies find none. Uses rayon's current
/// thread pool.
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
    let report = table.verify(samples, seed, monitor)?;
    monitor.bar.finish_and_clear();
    Ok(report)
}

impl VerifyReport {
    fn and(self, other: VerifyReport) -> VerifyReport {
        VerifyReport {
            positions: self.positions + other.positions,
            results: [0, 1, 2].map(|i| self.results[i] + other.results[i]),
            unused: self.unused + other.unused,
            longest: self.longest.max(other.longest),
            searched: self.searched + other.searched,
        }
    }

    fn count(&mut self, value: Value) {
        self.positions += 1;
        match value.distance() {
            None => self.results[1] += 1,
            Some(plies) => {
                self.results[if value.is_loss() { 2 } else { 0 }] += 1;
                self.longest = self.longest.max(plies);
            }
        }
    }
}

impl Table {
    /// [`verify`], the checksum apart.
    ///
    /// # Errors
    ///
    /// As [`verify`].
    pub fn verify(
        &self,
        samples: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<VerifyReport, TableError> {
        let all = self.consistent(monitor)?;
        let some = self.searched(samples, seed, monitor)?;
        Ok(all.and(some))
    }

    /// The position of a number in a class, the side to move being red, and its value; `None` for
    /// an unused number.
    fn entry(&self, class: &Class, number: u32) -> Option<(DarkChess, Value)> {
        let value = self.read(class.offset + u64::from(number))?;
        if value.0 == UNUSED {
            return None;
        }
        let sets = class.placing.arrange(&self.index.geometry, number);
        let pieces =
            self.index.pieces_of(class, &sets).into_iter().map(|(side, kind, square)| {
                (square, Piece::new(Colour::BOTH[side], Kind::ALL[kind]))
            });
        let rules = DarkRules { draw_plies: 0, occurrences: 0, ..DarkRules::default() };
        let board = self.index.geometry.board;
        Some((DarkChess::revealed_on(board, pieces, Colour::Red, &rules), value))
    }

    fn consistent(&self, monitor: &Monitor) -> Result<VerifyReport, TableError> {
        let chunks: Vec<(&Class, u32)> = self
            .index
            .classes
            .iter()
            .flat_map(|class| {
                (0..class.placing.len().div_ceil(CHUNK)).map(move |i| (class, i * CHUNK))
            })
            .collect();
        monitor.begin("values against their successors'", self.index.len());
        let check = |&(class, from): &(&Class, u32)| {
            monitor.checkpoint()?;
            let mut report = VerifyReport::default();
            let end = (from + CHUNK).min(class.placing.len());
            for number in from..end {
                let Some((game, value)) = self.entry(class, number) else {
                    report.unused += 1;
                    continue;
                };
                self.compare(&game, value, self.by_successors(&game), "one ply over the table")?;
                report.count(value);
            }
            monitor.bar.inc(u64::from(end - from));
            Ok(report)
        };
        let reports = chunks.par_iter().map(check);
        reports.try_reduce(VerifyReport::default, |a, b| Ok(a.and(b)))
    }

    /// What a position is worth by the table's values of its successors; `None` where one has
    /// none.
    pub(super) fn by_successors(&self, game: &DarkChess) -> Option<Value> {
        if let Turn::Over(_) = game.turn() {
            return Some(Value::LOST);
        }
        let (mut win, mut loss, mut draws): (Option<u8>, u8, bool) = (None, 0, false);
        let missing = game.visit_moves(&mut |m| {
            let mut next = *game;
            next.play(m);
            let value = match next.turn() {
                Turn::Over(_) => Some(Value::LOST),
                _ => self.probe(&next),
            };
            let Some(value) = value else { return ControlFlow::Break(()) };
            match value.distance() {
                None => draws = true,
                Some(d) if value.is_loss() => win = Some(win.map_or(d + 1, |w| w.min(d + 1))),
                Some(d) => loss = loss.max(d + 1),
            }
            ControlFlow::Continue(())
        });
        if missing.is_break() {
            return None;
        }
        Some(match (win, draws) {
            (Some(distance), _) => Value::at(distance.into()),
            (None, true) => Value::DRAW,
            (None, false) => Value::at(loss.into()),
        })
    }

    fn searched(
        &self,
        samples: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<VerifyReport, TableError> {
        monitor.begin("a sample by forward search", samples);
        let classes = &self.index.classes;
        let check = |i: u64| {
            monitor.checkpoint()?;
            let mut stream = rng::stream(seed, i, "table sample");
            let class = &classes[rng::below(&mut stream, classes.len() as u64) as usize];
            let number = rng::below(&mut stream, class.placing.len().into()) as u32;
            monitor.bar.inc(1);
            let Some((game, value)) = self.entry(class, number) else { return Ok(0) };
            let found = forward(&game);
            let within = |v: Value| v.distance().is_none_or(|d| d > HORIZON);
            let expected = if within(value) && within(found) { value } else { found };
            self.compare(&game, value, Some(expected), "forward search")?;
            Ok(1)
        };
        let searched = (0..samples)
            .into_par_iter()
            .map(check)
            .try_reduce(|| 0, |a: u64, b| Ok::<_, TableError>(a + b))?;
        Ok(VerifyReport { searched, ..VerifyReport::default() })
    }

    fn compare(
        &self,
        game: &DarkChess,
        found: Value,
        expected: Option<Value>,
        how: &'static str,
    ) -> Result<(), TableError> {
        // The position must also be found where it was read.
        if expected == Some(found) && self.probe(game) == Some(found) {
            return Ok(());
        }
        let expected = expected.map_or("no value".to_string(), |v| v.to_string());
        let (path, fen) = (self.path.clone(), game.fen());
        Err(TableError::Value { path, fen, found: found.to_string(), how, expected })
    }
}

/// The value as far as [`HORIZON`] plies show it; a draw where they show none.
fn forward(game: &DarkChess) -> Value {
    let mut search = Forward::default();
    (0..=HORIZON)
        .find(|&plies| search.within(game, plies) != 0)
        .map_or(Value::DRAW, |plies| Value::at(plies.into()))
}
