//! Numbers of placements per second: from an index to its placement, and back.
//!
//! `cargo bench -p agon-xiangqi-studies --bench numbering` (ten seconds).

use agon_games::rng;
use agon_games::xiangqi::Board;
use agon_xiangqi_studies::count::Number;
use agon_xiangqi_studies::numbering::Numbering;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Few enough to stay in the cache.
const PLACEMENTS: u64 = 500;

fn numbering(c: &mut Criterion) {
    let numbering = Numbering::new();
    let mut rng = rng::stream(1, 0, "numbering speed");
    let numbers: Vec<Number> = (0..PLACEMENTS).map(|_| numbering.random(&mut rng)).collect();
    let unranked = || numbers.iter().filter_map(|&n| numbering.unrank(n));
    let boards: Vec<Board> = unranked().collect();
    let mut group = c.benchmark_group("numbering, placements");
    group.throughput(Throughput::Elements(PLACEMENTS));
    group.bench_function("unrank", |b| b.iter(|| unranked().map(black_box).count()));
    let ranked = || boards.iter().map(|board| numbering.rank(board));
    group.bench_function("rank", |b| b.iter(|| ranked().map(black_box).count()));
    group.finish();
}

criterion_group!(benches, numbering);
criterion_main!(benches);
