//! Benchmarks of the rules (perft with bulk counting) and of the search (nodes).
//!
//! `cargo bench -p agon-xiangqi --bench speed` runs both; `-- perft` or `-- search` selects one.

use agon_games::perft::perft;
use agon_games::xiangqi::{START_FEN, Xiangqi, XiangqiRules};
use agon_games::{Game, Record};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use agon_xiangqi::search::{SearchSettings, XiangqiSearch};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const MIDDLE: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
const NODES: u64 = 100_000;

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

fn nodes(c: &mut Criterion) {
    let mut group = c.benchmark_group("search, nodes");
    group.sample_size(20);
    group.throughput(Throughput::Elements(NODES));
    let limits = Limits::with_nodes(NODES);
    for (name, fen) in [("start", START_FEN), ("middle game", MIDDLE)] {
        let record = Record::new(game(fen));
        group.bench_function(name, |b| {
            let fresh =
                || XiangqiSearch::new(SearchSettings { hash: 64, ..SearchSettings::default() });
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

criterion_group!(benches, leaves, nodes);
criterion_main!(benches);
