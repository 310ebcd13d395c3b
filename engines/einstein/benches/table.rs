//! Lookups in the endgame table, random positions in random order: most miss every cache.
//!
//! `EINSTEIN_TABLE=FILE cargo bench -p agon-einstein --bench table` asks that table; without the
//! variable one of 4 stones is built first.

use agon_einstein::table::{BuildOptions, Monitor, Table, build, random_position};
use agon_protocol::einstein::EinStein;
use agon_protocol::rng;
use anyhow::Context;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use indicatif::ProgressBar;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

const POSITIONS: u64 = 1 << 16;

fn prepare() -> anyhow::Result<(Table, Vec<EinStein>)> {
    let folder = tempfile::tempdir()?;
    let path = match std::env::var_os("EINSTEIN_TABLE") {
        Some(path) => PathBuf::from(path),
        None => {
            let path = folder.path().join("four.table");
            let cancel = AtomicBool::new(false);
            let monitor = Monitor { bar: ProgressBar::hidden(), cancel: &cancel };
            build(&path, &BuildOptions { stones: 4, ..Default::default() }, &monitor)?;
            path
        }
    };
    let table = Table::open(&path)?;
    let mut rng = rng::stream(1, 0, "lookups");
    let most = table.stones() as u64;
    let positions = (0..POSITIONS)
        .map(|_| {
            let first = 1 + rng::below(&mut rng, most - 1);
            let stones = [first as usize, (most - first) as usize];
            random_position(&mut rng, stones, table.rule()).context("too many stones")
        })
        .collect::<anyhow::Result<_>>()?;
    Ok((table, positions))
}

fn lookups(c: &mut Criterion) {
    let (table, positions) = match prepare() {
        Ok(prepared) => prepared,
        Err(error) => return eprintln!("no table to measure: {error:#}"),
    };
    let most = table.stones();
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
    let mut values = vec![None; positions.len()];
    group.bench_function(format!("{POSITIONS} lookups together, {most} stones"), |b| {
        b.iter(|| table.probe_all(black_box(&positions), &mut values));
    });
    group.finish();
}

criterion_group!(benches, lookups);
criterion_main!(benches);
