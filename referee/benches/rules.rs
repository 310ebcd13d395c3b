//! The rules of every game: perft, and random games in which all moves of every position are listed.
//!
//! `cargo bench -p agon-referee --bench rules` (two minutes); a game's name after `--` runs only that game.

use agon_games::amazons::Amazons;
use agon_games::connect6::Connect6;
use agon_games::darkchess::DarkChess;
use agon_games::einstein::EinStein;
use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_games::nogo::NoGo;
use agon_games::perft::perft;
use agon_games::rng::{self, Stream};
use agon_games::xiangqi::Xiangqi;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Random games end after this many plies, if they last that long.
const MAX_PLIES: u64 = 200;

/// Plays a random game; returns its plies.
fn random_game<G: Game>(start: &G, rng: &mut Stream) -> u64 {
    let mut game = start.clone();
    for ply in 0..MAX_PLIES {
        let m = match game.turn() {
            Turn::Over(_) => return ply,
            Turn::Player(_) => {
                let moves = legal_moves(&game);
                moves.get(rng::below(rng, moves.len().max(1) as u64) as usize).copied()
            }
            Turn::Chance => {
                let outcomes = chance_outcomes(&game);
                let weights = outcomes.iter().map(|outcome| outcome.1);
                rng::weighted_index(rng, weights).map(|i| outcomes[i].0)
            }
        };
        let Some(m) = m else { return ply };
        game.play(m);
    }
    MAX_PLIES
}

/// Measures a game; `depth`: that of perft.
fn measure<G: Game>(c: &mut Criterion, depth: u32) {
    let start = G::start(&G::Rules::default());
    let mut group = c.benchmark_group(G::NAME);
    group.sample_size(20);
    group.throughput(Throughput::Elements(perft(&mut start.clone(), depth)));
    group.bench_function(format!("perft {depth}, leaves"), |b| {
        let mut start = start.clone();
        b.iter(|| perft(black_box(&mut start), depth));
    });
    let games = || rng::stream(1, 0, "rules bench");
    group.throughput(Throughput::Elements(random_game(&start, &mut games())));
    group.bench_function("random game, plies", |b| {
        b.iter(|| random_game(black_box(&start), &mut games()));
    });
    group.finish();
}

fn rules(c: &mut Criterion) {
    measure::<Amazons>(c, 2);
    measure::<Connect6>(c, 1);
    measure::<DarkChess>(c, 2);
    measure::<EinStein>(c, 3);
    measure::<NoGo>(c, 3);
    measure::<Xiangqi>(c, 4);
}

criterion_group!(benches, rules);
criterion_main!(benches);
