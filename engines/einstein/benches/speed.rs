//! Random games, and probes of the endgame tablebase at random positions in random order: most miss
//! every cache.
//!
//! `EINSTEIN_TABLE=FILE cargo bench -p agon-einstein --bench speed` probes that tablebase; without
//! the variable the benchmark first builds one of 4 stones.

use agon_einstein::playout_board::PlayoutBoard;
use agon_einstein::playout_policy::PlayoutPolicy;
use agon_einstein::playout_pool::{PlayoutLeaf, PlayoutPool};
use agon_einstein::tablebase::{
    EinSteinIndexer, EinSteinSolver, EinSteinTablebase, random_position,
};
use agon_games::einstein::{EinStein, MissingDie};
use agon_games::rng;
use agon_tablebase::{Monitor, build};
use anyhow::Context;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::PathBuf;

const POSITIONS: u64 = 1 << 16;
/// Playouts for each leaf.
const SIMULATIONS: u32 = 100;

fn prepare() -> anyhow::Result<(EinSteinTablebase, Vec<EinStein>)> {
    let folder = tempfile::tempdir()?;
    let path = match std::env::var_os("EINSTEIN_TABLE") {
        Some(path) => PathBuf::from(path),
        None => {
            let path = folder.path().join("four.table");
            let indexer = EinSteinIndexer::new(4, MissingDie::Next).map_err(anyhow::Error::msg)?;
            build(&path, &indexer, &EinSteinSolver::default(), 0, &Monitor::hidden())?;
            path
        }
    };
    let table = EinSteinTablebase::open(&path)?;
    let mut rng = rng::stream(1, 0, "lookups");
    let index = table.indexer();
    let most = index.stones() as u64;
    let positions = (0..POSITIONS)
        .map(|_| {
            let first = 1 + rng::below(&mut rng, most - 1);
            let stones = [first as usize, (most - first) as usize];
            random_position(&mut rng, stones, index.rule()).context("too many stones")
        })
        .collect::<anyhow::Result<_>>()?;
    Ok((table, positions))
}

fn lookups(c: &mut Criterion) {
    let (table, positions) = match prepare() {
        Ok(prepared) => prepared,
        Err(error) => return eprintln!("no table to measure: {error:#}"),
    };
    let most = table.indexer().stones();
    let mut group = c.benchmark_group("endgame table");
    group.throughput(Throughput::Elements(POSITIONS));
    group.bench_function(format!("{POSITIONS} lookups, {most} stones"), |b| {
        b.iter(|| {
            positions
                .iter()
                .map(|p| u64::from(table.probe(black_box(p)).map_or(0, |v| v.0)))
                .sum::<u64>()
        });
    });
    group.finish();
}

/// The playouts of one expansion by one thread: 18 leaves.
fn playouts(c: &mut Criterion) {
    let start =
        |i| PlayoutBoard::random_start(MissingDie::Next, &mut rng::stream(1, i, "playouts"));
    let starts: Vec<PlayoutBoard> = (0..18).map(start).collect();
    let mut stream = rng::stream(1, 18, "playouts");
    let mut group = c.benchmark_group("random games");
    group.throughput(Throughput::Elements(starts.len() as u64));
    group.bench_function("one thread, no pool", |b| {
        b.iter(|| starts.iter().map(|start| start.playout(&mut stream).moves).sum::<u32>());
    });
    let (pool, mut wins) = (PlayoutPool::new(1), Vec::new());
    let leaves: Vec<PlayoutLeaf> = (0..).zip(starts).map(|(i, board)| (board, i)).collect();
    group.throughput(Throughput::Elements(leaves.len() as u64 * u64::from(SIMULATIONS)));
    group.bench_function("a pool of one thread", |b| {
        b.iter(|| pool.run(&leaves, SIMULATIONS, &PlayoutPolicy::Random, &mut wins, &|| false));
    });
    group.finish();
}

criterion_group!(benches, lookups, playouts);
criterion_main!(benches);
