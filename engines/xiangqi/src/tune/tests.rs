//! Tests of the game files and of the training on them.

use super::games::*;
use super::positions::read;
use super::*;
use crate::evaluation;
use agon_network::train::Positions;
use agon_tuning::shard::Numbers;

/// Plays games and returns their file.
fn games(games: Numbers) -> Vec<u8> {
    let plan = selfplay::SelfPlayPlan { nodes: 300, seed: 4 };
    let mut file = Vec::new();
    let network = evaluation::built_in();
    selfplay::play(plan, games, &XiangqiRules::default(), &network, 2, &mut file).unwrap();
    file
}

fn read_games(file: &[u8]) -> Vec<GameLog> {
    let mut input = file;
    read_head(&mut input).unwrap();
    std::iter::from_fn(|| read_game(&mut input).unwrap()).collect()
}

#[test]
fn games_come_back_from_their_file_and_give_positions() {
    let file = games(Numbers::all(3));
    let all = read_games(&file);
    assert_eq!(all.len(), 3);
    // The second of three shards is the second game.
    assert_eq!(read_games(&games(Numbers { games: 3, shard: (2, 3) })), all[1..2]);
    let mut positions = Positions::default();
    read(&mut positions, &mut 0, &mut file.as_slice(), 0.5).unwrap();
    assert!(positions.len() > 60, "{}", positions.len());
    assert!(positions.numbers(true).len() > 20);
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let mut positions = Positions::default();
    let mut read =
        |mut bytes: &[u8]| read(&mut positions, &mut 0, &mut bytes, 0.5).unwrap_err().to_string();
    let error = read(b"PNG.....etc");
    assert!(error.contains("not a file of games"), "{error}");
    let mut file = Vec::new();
    write_head(&mut file).unwrap();
    let plies = vec![(crate::position::Move::new(0, 89), 0)];
    write_game(&mut file, &GameLog { result: 1, plies }).unwrap();
    let error = read(&file);
    assert!(error.contains("illegal move a0i9"), "{error}");
}
