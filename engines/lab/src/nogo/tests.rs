//! Tests of the games and of the positions learned from them.

use super::*;
use agon_games::game::{Outcome, Player, Turn, legal_moves};
use agon_games::{Record, rng};
use agon_network::train::PositionSet;
use agon_nogo::rave::{TreeSearch, TreeSettings};
use agon_tuning::selfplay::search;

const PLAN: SelfPlayPlan = SelfPlayPlan { nodes: 60, seed: 5 };

fn players() -> [NoGoPlayer; 2] {
    let network = Arc::new(BoardNetwork::random(&SHAPE, 0.05, &mut rng::stream(1, 0, "network")));
    [NoGoLearner.first_player().unwrap(), NoGoLearner.player(&network).unwrap()]
}

#[test]
fn games_are_legal_end_with_the_right_winner_and_are_repeatable() {
    for mut player in players() {
        let mut wins = 0;
        for number in 0..6 {
            let log = NoGoLearner.play(&mut player, PLAN, number);
            assert_eq!(NoGoLearner.play(&mut player, PLAN, number), log);
            assert_eq!(log.plies.len(), log.visits.len());
            let mut game = NoGo::start(&NoRules);
            for &(code, _) in &log.plies {
                let m = point_of(code.into()).unwrap();
                assert!(game.is_legal(m));
                game.play(m);
            }
            // The winner wins the rest of the game against random moves.
            let winner = if log.result == 2 { Player::First } else { Player::Second };
            let mut record = Record::new(game);
            let settings = TreeSettings { network: None, memory: 1 << 22, threads: 1, seed: 1 };
            let mut searcher = TreeSearch::new(settings);
            let stream = &mut rng::stream(number, 0, "rest");
            while let Turn::Player(side) = record.turn() {
                let moves = legal_moves(record.current());
                let drawn = moves[rng::below(stream, moves.len() as u64) as usize];
                let is_winner = side == winner;
                let best = is_winner.then(|| search(&mut searcher, &record, 20_000).best());
                record.push(best.unwrap_or(drawn));
            }
            assert_eq!(record.turn(), Turn::Over(Outcome::Win(winner)), "{log:?}");
            wins += u32::from(log.result == 2);
            assert!(log.plies.len() > 20 && (log.result == 0 || log.result == 2), "{log:?}");
        }
        assert!(wins < 6);
    }
}

#[test]
fn positions_have_the_shares_of_the_visits_and_the_result_of_the_mover() {
    let mut player = players().into_iter().next().unwrap();
    let log = NoGoLearner.play(&mut player, PLAN, 1);
    let mut positions = BoardPositions::new(&SHAPE);
    let target = Target { result: 1.0, held_out: false };
    NoGoLearner.add(&mut positions, &log, target).unwrap();
    let full = (0..).zip(&log.visits).filter(|(_, visits)| !visits.is_empty());
    let mut number = 0;
    for (ply, visits) in full {
        let position = positions.get(number);
        let first_won = f32::from(log.result) / 2.0;
        assert_eq!(position.target, if ply % 2 == 0 { first_won } else { 1.0 - first_won });
        let sum: u32 = visits.iter().map(|&(_, count)| u32::from(count)).sum();
        for &(row, count) in visits {
            let point = point_of(row.into()).unwrap().index();
            let (_, share) = position.policy.iter().find(|(other, _)| *other == point).unwrap();
            let expected = f64::from(count) / f64::from(sum);
            assert!((f64::from(*share) - expected).abs() < 1e-4, "{share} {expected}");
        }
        number += 8;
    }
    assert!(number > 8 && positions.len() == number as usize / 8 + 1);
    let last = positions.get(number);
    let mover_won = (log.result == 2) == log.plies.len().is_multiple_of(2);
    assert!(last.policy.is_empty() && last.target == f32::from(u8::from(mover_won)));
}

#[test]
fn illegal_moves_and_visits_are_refused() {
    let log = |moves: &[u16], visits: &[(u16, u16)]| GameLog {
        result: 0,
        plies: moves.iter().map(|&m| (m, 0)).collect(),
        visits: moves.iter().map(|_| visits.to_vec()).collect(),
    };
    let refused = |log: GameLog| {
        let target = Target { result: 1.0, held_out: false };
        NoGoLearner.add(&mut BoardPositions::new(&SHAPE), &log, target).unwrap_err().to_string()
    };
    assert_eq!(refused(log(&[3, 3], &[])), "ply 2: 3 is no legal move");
    assert_eq!(refused(log(&[81], &[])), "ply 1: 81 is no legal move");
    assert_eq!(refused(log(&[4], &[(99, 1)])), "ply 1: visits of 99, which is no legal move");
}
