//! The solver: all classes in order of their number of pieces.

use super::class_index::DarkChessIndexer;
use super::retrograde::solve_class;
use agon_tablebase::{Indexer, Monitor, Sink, Solver, Statistics, TablebaseError};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Computes the values. Memory: the values of all but the largest positions, plus 30 bytes for each
/// position of the classes in progress.
pub struct DarkChessSolver;

impl Solver<DarkChessIndexer> for DarkChessSolver {
    fn solve(
        &self,
        index: &DarkChessIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        monitor.begin("solving", index.len());
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
            solve_classes(index, pieces, &smaller, &keep, monitor)?;
            for (offset, values) in solved.into_inner().unwrap_or_else(PoisonError::into_inner) {
                smaller[offset..offset + values.len()].copy_from_slice(&values);
            }
        }
        sink(0, &smaller)?;
        solve_classes(index, index.pieces(), &smaller, sink, monitor)?;
        Ok([0; 64])
    }
}

/// Solves all classes of `pieces` pieces, given the values of all smaller positions.
fn solve_classes(
    index: &DarkChessIndexer,
    pieces: usize,
    smaller: &[u8],
    sink: Sink<'_>,
    monitor: &Monitor<'_>,
) -> Result<(), TablebaseError> {
    // The first class of each pair also solves the one with the other side to move.
    let classes = (0..index.classes.len() as u32).filter(|&number| {
        let class = &index.classes[number as usize];
        usize::from(class.pieces()) == pieces && class.turned.class >= number
    });
    let classes: Vec<u32> = classes.collect();
    classes.par_iter().with_max_len(1).try_for_each(|&number| {
        monitor.checkpoint()?;
        for (class, values) in solve_class(index, number, smaller)? {
            sink(index.classes[class as usize].offset, &values)?;
            monitor.bar.inc(values.len() as u64);
        }
        Ok(())
    })
}
