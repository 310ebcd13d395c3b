//! Tests of the games, of the training positions in them, and of the first network.

use super::*;
use agon_games::game::{Game, Turn, legal_moves};
use agon_games::rng;
use agon_games::xiangqi::Xiangqi;
use agon_network::train::PositionSet;
use agon_network::tune::games::{read_game, read_head, write_game, write_head};
use agon_network::tune::selfplay::play;
use agon_network::tune::training::read;
use agon_tuning::shard::Numbers;
use agon_xiangqi::evaluation::XiangqiNetworkEvaluator;
use agon_xiangqi::position::{Move, Position};
use agon_xiangqi::reference_eval;

fn learner() -> XiangqiLearner {
    XiangqiLearner(XiangqiRules::default())
}

/// Plays games and returns their file.
fn games(games: Numbers) -> Vec<u8> {
    let plan = SelfPlayPlan { nodes: 300, seed: 4 };
    let mut file = Vec::new();
    let player = || learner().player(&agon_xiangqi::evaluation::built_in());
    play(&learner(), plan, games, player, 2, &mut file).unwrap();
    file
}

fn read_games(file: &[u8]) -> Vec<GameLog> {
    let mut input = file;
    read_head(&mut input, &XiangqiLearner::MAGIC).unwrap();
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
    read(&learner(), &mut positions, &mut 0, &mut file.as_slice(), 0.5).unwrap();
    assert!(positions.len() > 60, "{}", positions.len());
    assert!(positions.numbers(true).len() > 20);
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let mut positions = Positions::default();
    let mut read =
        |mut bytes: &[u8]| read(&learner(), &mut positions, &mut 0, &mut bytes, 0.5).unwrap_err();
    let error = read(b"PNG.....etc").to_string();
    assert!(error.contains("not a file of games"), "{error}");
    let mut file = Vec::new();
    write_head(&mut file, &XiangqiLearner::MAGIC).unwrap();
    let plies = vec![(Move::new(0, 89).0, 0)];
    write_game(&mut file, &GameLog { result: 1, plies, ..GameLog::default() }).unwrap();
    let error = format!("{:#}", read(&file));
    assert!(error.contains("illegal move a0i9"), "{error}");
}

#[test]
fn the_first_network_is_material_and_squares() {
    let mut evaluator = XiangqiNetworkEvaluator::new(Arc::new(first_network()));
    let mut rng = rng::stream(3, 0, "material");
    let mut game = Xiangqi::start(&XiangqiRules::default());
    while let Turn::Player(_) = game.turn() {
        let position = Position::from_game(&game);
        let sign = if position.side() == 0 { 1 } else { -1 };
        let value = evaluator.evaluate(&position);
        let expected = sign * reference_eval::material(&position.board());
        // Half a unit of each weight, and a side that cannot attack is not ahead.
        assert!(value == 0 || (value - expected).abs() < 40, "{value} {expected}");
        let moves = legal_moves(&game);
        game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
    }
}
