//! Builds a tablebase file: writes the solver's values block by block; the file appears once it is
//! complete.

use crate::error::TablebaseError;
use crate::format::Header;
use crate::indexer::{Indexer, Solver};
use crate::monitor::Monitor;
use crate::scratch::Scratch;
use crate::writer::Writer;
use rayon::ThreadPoolBuilder;
use std::path::Path;

/// Solves all positions and writes the file to `path`, replacing an existing file at the very end.
/// `threads` 0 uses all cores.
///
/// # Errors
///
/// The solver fails, memory or disk space runs out, or the monitor stops the job. Then `path` is
/// unchanged and no temporary file remains.
pub fn build<I: Indexer, S: Solver<I>>(
    path: &Path,
    indexer: &I,
    solver: &S,
    threads: usize,
    monitor: &Monitor<'_>,
) -> Result<Header, TablebaseError> {
    in_pool(threads, || {
        let writer = Writer::create(path, indexer)?;
        fill(writer, indexer, solver, monitor)
    })
}

/// As [`build`], with the unfinished file in a scratch folder, where an interrupted build leaves it.
/// The solver decides which values the unfinished file has already. At the end the folder is
/// removed.
///
/// # Errors
///
/// As [`build`], but the scratch folder remains, and the same build continues; or the folder belongs
/// to another tablebase.
pub fn resume<I: Indexer, S: Solver<I>>(
    path: &Path,
    indexer: &I,
    (solver, scratch): (&S, &Scratch),
    threads: usize,
    monitor: &Monitor<'_>,
) -> Result<Header, TablebaseError> {
    let header = in_pool(threads, || {
        let writer = Writer::resume(path, indexer, scratch)?;
        fill(writer, indexer, solver, monitor)
    })?;
    scratch.finish()?;
    Ok(header)
}

fn in_pool<T: Send>(
    threads: usize,
    job: impl FnOnce() -> Result<T, TablebaseError> + Send,
) -> Result<T, TablebaseError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|e| TablebaseError::Refused(format!("starting {threads} threads: {e}")))?;
    pool.install(job)
}

fn fill<I: Indexer, S: Solver<I>>(
    writer: Writer,
    indexer: &I,
    solver: &S,
    monitor: &Monitor<'_>,
) -> Result<Header, TablebaseError> {
    let sink = |first: u64, bytes: &[u8]| writer.write(first, bytes);
    let statistics = solver.solve(indexer, &sink, monitor)?;
    monitor.checkpoint()?;
    writer.finish(statistics)
}
