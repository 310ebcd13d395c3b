//! The solver: computes all values, block by block in the order of components and layers
//! ([`super::layers`]). All threads work on one layer.

use super::block::{BlockSolver, ONE, OddsOfSides};
use super::index::{Block, EinSteinIndexer};
use super::layers::{Component, LayerValues, SolvedComponents};
use super::value::WinProbability;
use agon_tablebase::{
    Indexer, Monitor, Scratch, ScratchWriter, Sink, Solver, Statistics, TablebaseError,
};
use rayon::prelude::*;
use std::time::Instant;

/// Blocks that a thread solves between two checks of the monitor.
const BATCH: usize = 32;
/// The values of a layer that are computed before they are stored.
const CHUNK: usize = 1 << 22;

/// Computes the winning probabilities.
#[derive(Default)]
pub struct EinSteinSolver<'a> {
    /// Where the layers are, one file each, from which an interrupted build continues; `None`: in
    /// memory ([`super::Needs`]). All layers of fewer stones than the largest number are kept; of the
    /// others, those that later ones need.
    pub scratch: Option<&'a Scratch>,
}

impl Solver<EinSteinIndexer> for EinSteinSolver<'_> {
    fn solve(
        &self,
        index: &EinSteinIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let odds = OddsOfSides::new(index);
        BlockJob { index, scratch: self.scratch, odds, sink, monitor }.solve()
    }
}

struct BlockJob<'a> {
    index: &'a EinSteinIndexer,
    scratch: Option<&'a Scratch>,
    odds: OddsOfSides,
    sink: Sink<'a>,
    monitor: &'a Monitor<'a>,
}

impl BlockJob<'_> {
    fn solve(&self) -> Result<Statistics, TablebaseError> {
        self.monitor.begin("solving", self.index.len());
        let mut solved = SolvedComponents::default();
        for stones in 2..=self.index.stones() {
            for few in 1..=stones / 2 {
                self.solve_component(&mut solved, few, stones - few)?;
            }
            solved.forget(stones - 1);
        }
        Ok([0; 64])
    }

    fn solve_component(
        &self,
        solved: &mut SolvedComponents,
        few: usize,
        many: usize,
    ) -> Result<(), TablebaseError> {
        let is_last = few + many == self.index.stones();
        let mut component = Component::new(self.index, few, many);
        let name = |layer: usize| format!("{few}-{many}-{layer}");
        let done = self.restore(&mut component, is_last, name);
        let (layers, len) = (component.layers.len(), component.block_len);
        let restored: usize = component.layers[..done].iter().map(Vec::len).sum();
        self.monitor.bar.inc((restored * len) as u64);
        *solved.component(few, many) = Some(component);
        for layer in done..layers {
            let message = format!("{few} against {many} stones, layer {} of {layers}", layer + 1);
            self.monitor.report(message)?;
            let blocks = match solved.component(few, many) {
                Some(component) => std::mem::take(&mut component.layers[layer]),
                None => Vec::new(),
            };
            let (from, size) = (Instant::now(), blocks.len() * len);
            let values = self.solve_layer(solved, &blocks, len, &name(layer))?;
            let seconds = from.elapsed().as_secs_f64();
            log::info!("{few} against {many} stones, layer {layer}: {size} values, {seconds:.2} s");
            if let Some(component) = solved.component(few, many) {
                component.values[layer] = Some(values);
                if is_last && layer >= 2 {
                    component.values[layer - 2] = None;
                    self.scratch.map_or(Ok(()), |scratch| scratch.remove(&name(layer - 2)))?;
                }
            }
        }
        Ok(())
    }

    /// Reads the layers that an earlier build has left; returns the first layer to solve.
    fn restore(
        &self,
        component: &mut Component,
        is_last: bool,
        name: impl Fn(usize) -> String,
    ) -> usize {
        let Some(scratch) = self.scratch else { return 0 };
        let sizes: Vec<usize> =
            component.layers.iter().map(|l| l.len() * component.block_len).collect();
        let mut read = |layer: usize| {
            let values = scratch.read(&name(layer), sizes[layer]);
            component.values[layer] = values.map(LayerValues::File);
            component.values[layer].is_some()
        };
        if is_last {
            // The next layer needs the two before it.
            let next = |&layer: &usize| read(layer - 1) && (layer == 1 || read(layer - 2));
            let first = (1..=sizes.len()).rev().find(next).unwrap_or(0);
            // Later layers are computed again: Windows replaces no file that is mapped.
            component.values[first..].iter_mut().for_each(|values| *values = None);
            return first;
        }
        (0..sizes.len()).find(|&layer| !read(layer)).unwrap_or(sizes.len())
    }

    /// Computes and stores the values of a layer.
    fn solve_layer(
        &self,
        solved: &SolvedComponents,
        blocks: &[Block],
        len: usize,
        name: &str,
    ) -> Result<LayerValues, TablebaseError> {
        let mut layer = LayerWriter::create(self.scratch, name, blocks.len() * len)?;
        let mut values = Vec::new();
        for blocks in blocks.chunks((CHUNK / len).max(1)) {
            values.resize(blocks.len() * len, 0);
            let jobs = values.par_chunks_mut(BATCH * len).zip(blocks.par_chunks(BATCH));
            jobs.try_for_each_init(
                || (BlockSolver::new(self.index, solved, &self.odds), Vec::new()),
                |(solver, bytes), (values, blocks)| {
                    self.monitor.checkpoint()?;
                    for (values, block) in values.chunks_exact_mut(len).zip(blocks) {
                        solver.solve(block, values);
                        bytes.clear();
                        bytes.extend(values.iter().flat_map(|&v| round(v).0.to_le_bytes()));
                        (self.sink)(block.first as u64, bytes)?;
                    }
                    self.monitor.bar.inc(values.len() as u64);
                    Ok(())
                },
            )?;
            layer.write(&values)?;
        }
        // A finished layer is never written to the tablebase again.
        self.scratch.map_or(Ok(()), Scratch::sync_output)?;
        layer.finish()
    }
}

/// A layer being computed.
enum LayerWriter {
    Memory(Vec<u32>),
    File(ScratchWriter),
}

impl LayerWriter {
    fn create(
        scratch: Option<&Scratch>,
        name: &str,
        len: usize,
    ) -> Result<LayerWriter, TablebaseError> {
        if let Some(scratch) = scratch {
            return Ok(LayerWriter::File(scratch.create(name)?));
        }
        let mut values = Vec::new();
        values.try_reserve_exact(len).map_err(|_| {
            TablebaseError::memory("a layer", 4 * len as u64, "the system has less")
        })?;
        Ok(LayerWriter::Memory(values))
    }

    fn write(&mut self, more: &[u32]) -> Result<(), TablebaseError> {
        match self {
            LayerWriter::Memory(values) => values.extend(more),
            LayerWriter::File(file) => file.write(more)?,
        }
        Ok(())
    }

    fn finish(self) -> Result<LayerValues, TablebaseError> {
        Ok(match self {
            LayerWriter::Memory(values) => LayerValues::Memory(values),
            LayerWriter::File(file) => LayerValues::File(file.finish()?),
        })
    }
}

/// Rounds to the nearest stored value: `ONE` is 65535 times 65537.
fn round(value: u32) -> WinProbability {
    const UNIT: u64 = ONE as u64 / u16::MAX as u64;
    WinProbability(((u64::from(value) + UNIT / 2) / UNIT) as u16)
}
