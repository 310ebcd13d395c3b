//! Tests that the searches find a win, respect root moves and beat a random player.

use agon_games::nogo::NoGo;
use agon_games::option::{NoRules, OptionValue};
use agon_games::{Game, Outcome, Player, Record, Turn};
use agon_nogo::engine::NoGoEngine;
use agon_search::host::conformance::check_root_moves;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::Limits;

fn engine(algorithm: &str) -> NoGoEngine {
    let mut engine = NoGoEngine::new();
    engine
        .set_option("Algorithm", &OptionValue::Text(algorithm.into()))
        .expect("a known algorithm");
    engine
}

#[test]
fn every_algorithm_honours_the_moves_allowed_at_the_root() {
    let record = Record::new(NoGo::start(&NoRules));
    check_root_moves(NoGoEngine::new, &record, &Limits::with_nodes(3000)).unwrap();
}

#[test]
fn the_search_beats_random_moves_with_either_colour() {
    for player in Player::BOTH {
        let mut record = Record::new(NoGo::start(&NoRules));
        let mut engines = [engine("random"), engine("mcts")];
        while let Turn::Player(mover) = record.turn() {
            let (engine, control) = (&mut engines[usize::from(mover == player)], Control::new());
            let limits = Limits::with_nodes(2000);
            record.push(engine.search(&record, &limits, &control, &mut |_| {}));
        }
        assert_eq!(record.turn(), Turn::Over(Outcome::Win(player)));
    }
}
