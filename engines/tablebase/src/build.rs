//! Builds a file: the solver's values, block by block, into a file that appears when it is whole.

use crate::error::TablebaseError;
use crate::format::Header;
use crate::indexer::{Indexer, Solver};
use crate::monitor::Monitor;
use crate::writer::Writer;
use rayon::ThreadPoolBuilder;
use std::path::Path;

/// Solves all positions and puts the file at `path`, replacing what is there at the very end.
/// `threads` 0 uses every core.
///
/// # Errors
///
/// If the solver fails, memory or disk do not suffice, or the monitor says stop; then nothing is
/// changed at `path` or left beside it.
pub fn build<I: Indexer, S: Solver<I>>(
    path: &Path,
    indexer: &I,
    solver: &S,
    threads: usize,
    monitor: &Monitor<'_>,
) -> Result<Header, TablebaseError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|e| TablebaseError::Refused(format!("starting {threads} threads: {e}")))?;
    pool.install(|| {
        let writer = Writer::create(path, indexer)?;
        let sink = |first: u64, bytes: &[u8]| writer.write(first, bytes);
        let statistics = solver.solve(indexer, &sink, monitor)?;
        monitor.checkpoint()?;
        writer.finish(statistics)
    })
}
