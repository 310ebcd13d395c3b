//! The solver: computes all values, block by block in the order of stones and distances.
//!
//! A move brings its stone one or two steps (rows plus columns) nearer to its goal and may capture
//! a stone. Positions are therefore solved by number of stones, then by the sum of all distances:
//! within such a layer no block leads to another, and all threads work on it.

use super::block::{BlockSolver, ONE};
use super::index::{Block, EinSteinIndexer, members};
use super::value::WinProbability;
use agon_protocol::einstein::SIDE;
use agon_tablebase::{Indexer, Monitor, Sink, Solver, Statistics, TablebaseError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Blocks that a thread solves between two checks of the monitor.
const BATCH: usize = 32;
/// The number of values converted and written at a time.
const CHUNK: usize = 1 << 20;

/// Computes the winning probabilities. 5 stones take 1.8 GB of memory.
pub struct EinSteinSolver;

impl Solver<EinSteinIndexer> for EinSteinSolver {
    fn solve(
        &self,
        index: &EinSteinIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let values = solve(index, monitor)?;
        monitor.begin("writing", values.len() as u64);
        let mut bytes = Vec::with_capacity(2 * CHUNK);
        for (i, chunk) in values.chunks(CHUNK).enumerate() {
            monitor.checkpoint()?;
            bytes.clear();
            for value in chunk {
                bytes.extend(round(value.load(Ordering::Relaxed)).0.to_le_bytes());
            }
            sink((i * CHUNK) as u64, &bytes)?;
            monitor.bar.inc(chunk.len() as u64);
        }
        Ok([0; 64])
    }
}

/// The values of all positions, in units of `1 / ONE`.
fn solve(index: &EinSteinIndexer, monitor: &Monitor<'_>) -> Result<Vec<AtomicU32>, TablebaseError> {
    let len = index.len() as usize;
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| {
        let name = format!("the tablebase of {} stones", index.stones());
        TablebaseError::memory(&name, 4 * len as u64, "the system has less")
    })?;
    values.resize_with(len, AtomicU32::default);
    monitor.begin("solving", len as u64);
    for stones in 2..=index.stones() {
        for layer in layers(index, stones) {
            layer.par_chunks(BATCH).try_for_each_init(
                || BlockSolver::new(index, &values),
                |solver, blocks| {
                    let solved: usize = blocks.iter().map(|block| solver.solve(block)).sum();
                    monitor.bar.inc(solved as u64);
                    monitor.checkpoint()
                },
            )?;
        }
    }
    Ok(values)
}

/// The blocks with these stone counts by sum of distances, nearest first.
fn layers(index: &EinSteinIndexer, stones: usize) -> Vec<Vec<Block>> {
    let mut layers = Vec::new();
    for movers in 1..stones {
        for block in index.blocks(movers, stones - movers) {
            let distance = distance(&block);
            if layers.len() <= distance {
                layers.resize_with(distance + 1, Vec::new);
            }
            layers[distance].push(block);
        }
    }
    layers
}

/// The steps along rows and columns from all stones to their goals.
fn distance(block: &Block) -> usize {
    let from_top_left = |square: u8| usize::from(square) / SIDE + usize::from(square) % SIDE;
    let movers: usize = members(block.mover).map(|s| 2 * (SIDE - 1) - from_top_left(s)).sum();
    let opponents: usize = members(block.opponent).map(from_top_left).sum();
    movers + opponents
}

/// Rounds to the nearest stored value: `ONE` is 65535 times 65537.
fn round(value: u32) -> WinProbability {
    const UNIT: u64 = ONE as u64 / u16::MAX as u64;
    WinProbability(((u64::from(value) + UNIT / 2) / UNIT) as u16)
}
