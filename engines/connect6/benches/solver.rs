//! Stones placed and removed per second, and double threats per second in the plain and the
//! dependency-based search.
//!
//! `cargo bench -p agon-connect6 --bench solver` (half a minute). Elements of the first group are
//! stones placed and removed, those of the second are moves ([`SolverCounters::moves`]).
//!
//! [`SolverCounters::moves`]: agon_connect6::solver::SolverCounters

use agon_connect6::board::WindowBoard;
use agon_connect6::solver::{DependencyRules, SolverLimits, SolverSettings, solve};
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::record::Record;
use agon_games::rng;
use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

/// A middlegame position with many threes of both colours: the plain search needs 54,009 moves to
/// win, the dependency-based search 2,874.
const GAME: &str = "l13 g9j6 h8m13 k13l12 k12m14 j11m11 j14l14 k14n12 l11n13 n10o13 l10o9 j8j9 j10m9 n8n9 \
                    i9n7 g7j5 h10j7 g8g10 g6g11 h7i6 f9k4 h12m6 l6l7 l8l15 f7f12 e13f8";

fn position() -> Option<Connect6> {
    let tokens: Vec<&str> = GAME.split_whitespace().collect();
    let record = Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).ok()?;
    Some(record.current().clone())
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let Some(game) = position() else { return };

    // Every empty point once in random order, with alternating colours.
    let mut board = WindowBoard::from_game(&game);
    let mut points: Vec<u16> = board.empties().collect();
    let mut stream = rng::stream(1, 0, "bench");
    for i in (1..points.len()).rev() {
        points.swap(i, rng::below(&mut stream, i as u64 + 1) as usize);
    }
    let points = &points[..40];
    let mut group = criterion.benchmark_group("stones");
    group.throughput(Throughput::Elements(points.len() as u64));
    group.bench_function("placed and removed", |b| {
        b.iter(|| {
            for (i, &p) in points.iter().enumerate() {
                board.place(i % 2, black_box(p));
            }
            for _ in points {
                board.remove();
            }
            board.score(0)
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("double threats");
    group.sample_size(10);
    for (name, dependency) in [("plain", None), ("dependency", Some(DependencyRules::default()))] {
        let settings = SolverSettings {
            limits: SolverLimits::unlimited(),
            dependency,
            single_threats: 0,
            ..SolverSettings::default()
        };
        let moves = solve(&game, settings, &|| false).counters.moves;
        group.throughput(Throughput::Elements(moves));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| solve(black_box(&game), settings, &|| false).counters);
        });
    }
    group.finish();
    criterion.final_summary();
}
