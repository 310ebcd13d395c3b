//! The file of games, and the fit.

use super::games::*;
use super::samples::{Sample, Samples};
use super::*;
use crate::search::{SearchSettings, XiangqiSearch};
use agon_protocol::rng;

#[test]
fn games_come_back_from_their_file_and_give_positions() {
    let plan = selfplay::Plan { games: 3, nodes: 300, seed: 4 };
    let rules = XiangqiRules::default();
    let mut file = Vec::new();
    let sum = selfplay::play(plan, &rules, 2, &mut file).unwrap();
    let mut input = file.as_slice();
    read_head(&mut input).unwrap();
    let games: Vec<GameLog> = std::iter::from_fn(|| read_game(&mut input).unwrap()).collect();
    assert_eq!(games.len(), 3);
    assert_eq!(games.iter().map(|g| g.plies.len() as u64).sum::<u64>(), sum.plies);
    // The same game again, alone.
    let settings = SearchSettings { threads: 1, hash: 2, tablebase: None };
    let mut searcher = XiangqiSearch::new(settings).unwrap();
    assert_eq!(selfplay::one_game(plan, 1, &rules, &mut searcher), games[1]);
    let mut samples = Samples::default();
    samples.read(&mut file.as_slice(), 0.5).unwrap();
    assert!(samples.len() > 20, "{}", samples.len());
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let mut samples = Samples::default();
    let error = samples.read(&mut b"PNG.....etc".as_slice(), 0.5).unwrap_err().to_string();
    assert!(error.contains("not a file of games"), "{error}");
    let mut file = Vec::new();
    write_head(&mut file).unwrap();
    let plies = vec![(crate::position::Move::new(0, 89), 0)];
    write_game(&mut file, &GameLog { result: 1, plies }).unwrap();
    let error = samples.read(&mut file.as_slice(), 0.5).unwrap_err().to_string();
    assert!(error.contains("illegal move a0i9"), "{error}");
}

#[test]
fn the_weights_behind_random_results_are_found() {
    let mut rng = rng::stream(3, 0, "fit");
    let mut samples = Samples::default();
    let truth = [(120.0, 40.0), (-60.0, 90.0)];
    for i in 0..40_000 {
        let counts = [0, 1].map(|_| rng::below(&mut rng, 7) as i16 - 3);
        let phase = rng::unit(&mut rng);
        let weight = |t: (f64, f64)| t.0 * phase + t.1 * (1.0 - phase);
        let value: f64 = counts.iter().zip(truth).map(|(&c, t)| f64::from(c) * weight(t)).sum();
        let won = rng::unit(&mut rng) < 1.0 / (1.0 + (-value / 200.0).exp());
        let first = samples.terms.len();
        samples.terms.extend([(0, counts[0]), (1, counts[1])]);
        samples.all.push(Sample {
            first,
            terms: 2,
            phase: phase as f32,
            scale: 1.0,
            target: f32::from(u8::from(won)),
            held_out: i % 8 == 0,
        });
    }
    let start = [(100, 100), (-40, 80)];
    let plan = fit::Plan { passes: 60, pull: 1.0 };
    let fitted = fit::fit(&samples, &start, &start, plan, |_, _, _| {});
    let ratio = |i: usize, half: usize| {
        let w = fitted.weights[i];
        f64::from(if half == 0 { w.0 } else { w.1 }) / fitted.scale * 200.0
    };
    for (i, (middle, end)) in truth.into_iter().enumerate() {
        assert!((ratio(i, 0) - middle).abs() < 12.0, "{fitted:?}");
        assert!((ratio(i, 1) - end).abs() < 12.0, "{fitted:?}");
    }
    assert!(fitted.after < fitted.before);
}
