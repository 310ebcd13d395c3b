//! Short runs on a small board.

use super::*;
use std::fs;
use tempfile::TempDir;

fn settings(pairs: u64) -> TuningSettings {
    let (only, openings) = (Vec::new(), Vec::new());
    TuningSettings { seed: 5, pairs, nodes: 40, rate: 20, size: 13, only, openings }
}

fn open(pairs: u64, file: Option<&Path>) -> Result<WeightTuning, TuneError> {
    let rules = Connect6Rules { size: 13 };
    WeightTuning::open(settings(pairs), Weights::RULE, &rules, file)
}

/// Plays to the end, or up to a number of pairs.
fn play(tuning: &mut WeightTuning, pairs: u64) {
    let (run, mut play) = tuning.parts();
    for _ in 0..pairs {
        if !run.step(|index, sides| Ok::<_, RunError>(play(index, sides))).unwrap() {
            break;
        }
    }
}

#[test]
fn a_seed_names_a_result_whether_the_run_is_broken_off_or_not() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("state.json");
    let mut whole = open(6, None).unwrap();
    play(&mut whole, 100);
    assert_eq!(whole.run.state().done, 6);
    let mut part = open(6, Some(&file)).unwrap();
    play(&mut part, 3);
    drop(part);
    let mut rest = open(6, Some(&file)).unwrap();
    assert_eq!(rest.run.state().done, 3);
    play(&mut rest, 100);
    assert_eq!(rest.run.state(), whole.run.state());
    assert_eq!(rest.found(), whole.found());
    // At least one pair had a winner, so some weight has moved.
    assert!(whole.run.state().results[2] < 6, "{:?}", whole.run.state().results);
    assert_ne!(whole.found()[0], Weights::RULE);
    // No temporary file remains.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_is_not_to_be_tuned_stays_and_pairs_begin_as_they_are_told() {
    let rules = Connect6Rules { size: 13 };
    let only = vec!["steps 0".into(), "attack".into()];
    let settings = TuningSettings { only, rate: 400, ..settings(6) };
    let mut run = WeightTuning::open(settings.clone(), Weights::RULE, &rules, None).unwrap();
    play(&mut run, 100);
    let [found, _] = run.found();
    assert_ne!((found.steps[0], found.attack), (Weights::RULE.steps[0], Weights::RULE.attack));
    let [_, s1, s2, s3] = Weights::RULE.steps;
    let steps = [found.steps[0], s1, s2, s3];
    assert_eq!(found, Weights { steps, attack: found.attack, ..Weights::RULE });
    // From a position where Black wins at once with any weights, every pair is tied.
    let openings = vec!["g7 a1a2 g8g9 a3a4 g10g11 m1m2".into()];
    let mut run = WeightTuning::open(
        TuningSettings { openings, ..settings.clone() },
        Weights::RULE,
        &rules,
        None,
    )
    .unwrap();
    play(&mut run, 100);
    assert_eq!((run.run.state().results, run.found()), ([0, 0, 6, 0, 0], [Weights::RULE; 2]));
    let refused =
        |settings| WeightTuning::open(settings, Weights::RULE, &rules, None).err().unwrap();
    let name =
        refused(TuningSettings { only: vec!["step".into()], ..settings.clone() }).to_string();
    assert!(name.contains("`step` is no weight; they are windows 1, "), "{name}");
    let occupied =
        refused(TuningSettings { openings: vec!["g7 g7g8".into()], ..settings }).to_string();
    assert!(occupied.contains("opening `g7 g7g8`: ") && occupied.contains("g7g8"), "{occupied}");
}

#[test]
fn equal_weights_win_as_many_games_as_they_lose() {
    let mut arena = Arena::new(40, &Connect6Rules { size: 13 }).unwrap();
    for index in 0..3 {
        assert_eq!(arena.pair(1, index, [Weights::RULE; 2]), 0);
    }
}

#[test]
fn better_weights_win() {
    // Weights that prefer the points with the least to gain.
    let away = Weights { steps: Weights::RULE.steps.map(|n| -n), ..Weights::RULE };
    let mut arena = Arena::new(40, &Connect6Rules { size: 13 }).unwrap();
    let won: i32 = (0..2).map(|index| arena.pair(1, index, [Weights::RULE, away])).sum();
    assert_eq!(won, 4);
}
