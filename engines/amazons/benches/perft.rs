//! Move generation: leaves a second of perft with the last ply counted in bulk, and of visiting
//! every move.
//!
//! `cargo bench -p agon-amazons --bench perft` (a minute); `-- --depth-3` runs perft 3 from the start once
//! instead, 8,350,439,170 leaves, and prints leaves a second.

use agon_protocol::Game;
use agon_protocol::amazons::Amazons;
use agon_protocol::game::legal_moves;
use agon_protocol::option::NoRules;
use agon_protocol::perft::perft;
use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

const MIDDLE: &str = "1*2*4*/2*7/2*5*1/1q2*2*2/4*qQ**1/*2**2q2/4*1*1*1/*2q1Q1*1Q/**1*6/1*1*3Q2 w";

fn depth_3() {
    let clock = Instant::now();
    let leaves = perft(&mut Amazons::start(&NoRules), 3);
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "perft 3: {leaves} leaves in {seconds:.2} s, {:.0} million leaves/s",
        leaves as f64 / seconds / 1e6
    );
}

fn in_bulk(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft, leaves");
    group.sample_size(20);
    let mut start = Amazons::start(&NoRules);
    group.throughput(Throughput::Elements(4_307_152));
    group.bench_function("start, depth 2", |b| b.iter(|| perft(black_box(&mut start), 2)));
    if let Ok(mut middle) = Amazons::parse_fen(MIDDLE, &NoRules) {
        group.throughput(Throughput::Elements(73_507_810));
        group.bench_function("middle game, depth 3", |b| {
            b.iter(|| perft(black_box(&mut middle), 3));
        });
    }
    group.finish();
}

fn visiting(c: &mut Criterion) {
    let start = Amazons::start(&NoRules);
    let mut group = c.benchmark_group("visited moves");
    group.throughput(Throughput::Elements(legal_moves(&start).len() as u64));
    group.bench_function("start", |b| {
        b.iter(|| {
            let mut sum = 0;
            let _ = black_box(&start).visit_moves::<()>(&mut |m| {
                sum += m.arrow.index();
                ControlFlow::Continue(())
            });
            sum
        });
    });
    group.finish();
}

fn main() {
    if std::env::args().any(|a| a == "--depth-3") {
        return depth_3();
    }
    let mut criterion = Criterion::default().configure_from_args();
    in_bulk(&mut criterion);
    visiting(&mut criterion);
    criterion.final_summary();
}
