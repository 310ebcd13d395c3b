//! Full evaluations per second, over positions of one game from the opening to the endgame.
//!
//! `cargo bench -p agon-amazons --bench evaluation` (ten seconds).

use agon_amazons::eval::{Terms, evaluate, paper, tuned};
use agon_games::Game;
use agon_games::amazons::{Amazons, START_FEN};
use agon_games::option::NoRules;
use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

const POSITIONS: [(&str, &str); 4] = [
    ("start", START_FEN),
    ("opening", "2q3q3/*5*1Q1/q*5Q1*/4*3q1/7*2/7*2/Q7*1/10/1*1*6/6Q3 w"),
    ("middle game", "1*2*4*/2*7/2*5*1/1q2*2*2/4*qQ**1/*2**2q2/4*1*1*1/*2q1Q1*1Q/**1*6/1*1*3Q2 w"),
    (
        "endgame",
        "1***1*2Q*/1*Q1q*4/*q**1*1*2/**1**3*1/1*1*1***2/*2*1*2*1/****2*2*/4*1**1q/4*1**1q/\
         Q2*1Q2*1 w",
    ),
];

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("evaluations");
    group.throughput(Throughput::Elements(1));
    for (name, fen) in POSITIONS {
        let Ok(game) = Amazons::parse_fen(fen, &NoRules) else { continue };
        for (function, value) in [
            ("paper", (|game: &Amazons| evaluate(game, paper())) as fn(&Amazons) -> i32),
            ("best", |game| evaluate(game, tuned())),
            ("portable terms", |game| Terms::of_portable(game).t1),
        ] {
            group.bench_function(BenchmarkId::new(function, name), |b| {
                b.iter(|| value(black_box(&game)));
            });
        }
    }
    group.finish();
    criterion.final_summary();
}
