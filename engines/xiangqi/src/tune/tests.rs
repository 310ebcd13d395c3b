//! Tests of the game file.

use super::games::*;
use super::*;

#[test]
fn games_come_back_from_their_file_and_give_positions() {
    let plan = selfplay::SelfPlayPlan { games: 3, nodes: 300, seed: 4 };
    let rules = XiangqiRules::default();
    let mut file = Vec::new();
    let sum = selfplay::play(plan, &rules, 2, &mut file).unwrap();
    let mut input = file.as_slice();
    read_head(&mut input).unwrap();
    let games: Vec<GameLog> = std::iter::from_fn(|| read_game(&mut input).unwrap()).collect();
    assert_eq!(games.len(), 3);
    assert_eq!(games.iter().map(|g| g.plies.len() as u64).sum::<u64>(), sum.plies);
    // Plays the same game again, alone.
    let mut searcher = selfplay::player().unwrap();
    assert_eq!(selfplay::one_game(plan, 1, &rules, &mut searcher), games[1]);
    let mut samples = samples::empty();
    samples::read(&mut samples, &mut 0, &mut file.as_slice(), 0.5).unwrap();
    assert!(samples.len() > 20, "{}", samples.len());
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let mut samples = samples::empty();
    let error = samples::read(&mut samples, &mut 0, &mut b"PNG.....etc".as_slice(), 0.5)
        .unwrap_err()
        .to_string();
    assert!(error.contains("not a file of games"), "{error}");
    let mut file = Vec::new();
    write_head(&mut file).unwrap();
    let plies = vec![(crate::position::Move::new(0, 89), 0)];
    write_game(&mut file, &GameLog { result: 1, plies }).unwrap();
    let error =
        samples::read(&mut samples, &mut 0, &mut file.as_slice(), 0.5).unwrap_err().to_string();
    assert!(error.contains("illegal move a0i9"), "{error}");
}
