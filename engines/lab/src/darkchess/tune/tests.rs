//! Tests of the games, of the training positions in them, and of the first network.

use super::*;
use agon_darkchess::evaluation::DarkChessNetworkEvaluator;
use agon_darkchess::evaluator::pack;
use agon_games::Game;
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_network::train::PositionSet;
use agon_network::tune::games::{read_game, read_head, write_game, write_head};
use agon_network::tune::selfplay::play;
use agon_network::tune::training::read;
use agon_tuning::shard::Numbers;

fn learner() -> DarkChessLearner {
    DarkChessLearner(DarkRules::default())
}

#[test]
fn games_come_back_from_their_file_and_give_positions() {
    let mut file = Vec::new();
    let plan = SelfPlayPlan { nodes: 200, seed: 4 };
    let player = || learner().player(&agon_darkchess::evaluation::built_in());
    play(&learner(), plan, Numbers::all(3), player, 2, &mut file).unwrap();
    let mut input = file.as_slice();
    read_head(&mut input, &DarkChessLearner::MAGIC).unwrap();
    let games: Vec<GameLog> = std::iter::from_fn(|| read_game(&mut input).unwrap()).collect();
    assert_eq!(games.len(), 3);
    let mut positions = Positions::default();
    read(&learner(), &mut positions, &mut 0, &mut file.as_slice(), 0.5).unwrap();
    assert!(positions.len() > 60, "{}", positions.len());
    assert!(!positions.numbers(true).is_empty());
}

#[test]
fn a_file_that_is_something_else_is_refused() {
    let read = |mut bytes: &[u8]| {
        let mut positions = Positions::default();
        let error = read(&learner(), &mut positions, &mut 0, &mut bytes, 0.5).unwrap_err();
        format!("{error:#}")
    };
    assert!(read(b"AGONXQ1\netc").contains("not a file of games"));
    let game = |code| {
        let mut file = Vec::new();
        write_head(&mut file, &DarkChessLearner::MAGIC).unwrap();
        write_game(&mut file, &GameLog { result: 1, plies: vec![(code, 0)], ..GameLog::default() })
            .unwrap();
        read(&file)
    };
    assert!(game(5000).contains("game 1: ply 1: 5000 is no move"), "{}", game(5000));
    let step = pack(DarkMove::Step { from: 0, to: 1 }) as u16;
    assert!(game(step).contains("game 1: ply 1: illegal move"), "{}", game(step));
}

#[test]
fn the_first_network_adds_the_values_of_the_pieces() {
    let mut evaluator = DarkChessNetworkEvaluator::new(Arc::new(first_network()));
    let mut advantage =
        |fen: &str| evaluator.advantage(&DarkChess::parse_fen(fen, &DarkRules::default()).unwrap());
    // A guard more: 27 of 30, of which 273 are a unit.
    let ahead = advantage("k3/4/1R2/1G2/4/4/1r2/3K r r - - 0");
    assert!((ahead - 246).abs() < 40, "{ahead}");
    let hidden = advantage("k3/4/1R2/1?2/4/4/1r2/3K r r G - 0");
    assert!((hidden - 246).abs() < 40, "{hidden}");
    let behind = advantage("k3/4/1R2/1G2/4/4/1r2/3K b r - - 0");
    assert!((behind + 246).abs() < 40, "{behind}");
}
