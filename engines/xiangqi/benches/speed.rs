//! What the program's speed rests on: perft counted in bulk, the census, rank and unrank, nodes of the
//! tournament search.
//!
//! `cargo bench -p agon-xiangqi --bench speed` (two minutes); a part by its name, as
//! `cargo bench -p agon-xiangqi --bench speed -- numbering`.

use agon_protocol::message::Limits;
use agon_protocol::perft::perft;
use agon_protocol::xiangqi::{START_FEN, Xiangqi, XiangqiRules};
use agon_protocol::{Game, Record, rng};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_xiangqi::search::{SearchSettings, XiangqiSearch};
use agon_xiangqi_studies::count::paper::{Formula, Paper};
use agon_xiangqi_studies::numbering::Numbering;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const MIDDLE: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
const NODES: u64 = 100_000;
const BATCH: u64 = 500;

fn game(fen: &str) -> Xiangqi {
    match Xiangqi::parse_fen(fen, &XiangqiRules::default()) {
        Ok(game) => game,
        Err(e) => unreachable!("{fen}: {e}"),
    }
}

fn leaves(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft, leaves");
    group.sample_size(20);
    for (name, fen, depth, count) in
        [("start", START_FEN, 4, 3_290_240), ("middle game", MIDDLE, 4, 1_339_047)]
    {
        let mut game = game(fen);
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |b| b.iter(|| perft(black_box(&mut game), depth)));
    }
    group.finish();
}

fn census(c: &mut Criterion) {
    c.bench_function("census, memoised sums", |b| {
        b.iter(|| Paper::count(black_box(Formula::Corrected)));
    });
}

fn numbering(c: &mut Criterion) {
    let mut group = c.benchmark_group("numbering, placements");
    group.throughput(Throughput::Elements(BATCH));
    let numbering = Numbering::new();
    let mut stream = rng::stream(1, 0, "numbering bench");
    let numbers: Vec<_> = (0..BATCH).map(|_| numbering.random(&mut stream)).collect();
    let boards: Vec<_> = numbers.iter().filter_map(|&n| numbering.unrank(n)).collect();
    group.bench_function("unrank", |b| {
        b.iter(|| numbers.iter().filter_map(|&n| numbering.unrank(black_box(n))).count());
    });
    group.bench_function("rank", |b| {
        b.iter(|| boards.iter().filter(|board| numbering.rank(black_box(board)).is_ok()).count());
    });
    group.finish();
}

fn nodes(c: &mut Criterion) {
    let mut group = c.benchmark_group("search, nodes");
    group.sample_size(20);
    group.throughput(Throughput::Elements(NODES));
    let limits = Limits::with_nodes(NODES);
    for (name, fen) in [("start", START_FEN), ("middle game", MIDDLE)] {
        let record = Record::new(game(fen));
        group.bench_function(name, |b| {
            let fresh =
                || XiangqiSearch::new(SearchSettings { threads: 1, hash: 64, tablebase: None });
            let think = |searcher: Result<XiangqiSearch, _>| {
                searcher.map(|mut s| {
                    s.run(&Root::new(&record), &Clock::unmanaged(&limits), &mut |_| {})
                })
            };
            b.iter_batched(fresh, think, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, leaves, census, numbering, nodes);
criterion_main!(benches);
